"""How the tables of `accounts`, Django and allauth are merged: see accounts.support.merge_registry."""

from __future__ import annotations

from collections.abc import Iterable

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import BotToken, Membership, PlayerNote, Relationship, User
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.data_policy import erase_sessions
from accounts.relationships.services import MAX_NOTE_LENGTH
from accounts.support import merge_registry
from accounts.support.merge_registry import Merge, MergeCount

ROLES = (Membership.Role.MEMBER, Membership.Role.DIRECTOR, Membership.Role.OWNER)
"""The roles in a club, the highest last."""

merge_registry.reassign_columns(
    *("accounts.JoinRequest.user", "accounts.FormerName.user", "accounts.MergedAccount.target"),
    *("accounts.ClubEvent.by", "accounts.ClubEvent.about"),
    "socialaccount.SocialAccount.user",
)
merge_registry.keep_columns(
    # what was done to an account stays in the record of that account
    *("accounts.SupportAct.by", "accounts.SupportAct.about", "accounts.Ban.user", "accounts.Ban.by"),
    *("accounts.MergedAccount.source", "admin.LogEntry.user"),
)


@merge_registry.counts
def merge_counts(merge: Merge) -> Iterable[MergeCount]:
    source = merge.source
    memberships = Membership.objects.filter(user=source, club__is_default=False)
    yield MergeCount(_("Club memberships"), memberships.count())
    yield MergeCount(_("Players followed, muted or blocked"), Relationship.objects.filter(by=source).count())
    yield MergeCount(_("Notes about players"), PlayerNote.objects.filter(by=source).count())
    yield MergeCount(_("Bots"), User.objects.filter(owner=source).count())


@merge_registry.mover("accounts.Membership.user")
def move_memberships(merge: Merge) -> None:
    """Move memberships; in a club of both accounts the higher role and the later last day stay."""
    target_rows = {row.club_id: row for row in Membership.objects.filter(user=merge.target)}
    for row in Membership.objects.filter(user=merge.source):
        other = target_rows.get(row.club_id)
        if other is None:
            row.user = merge.target
            row.save(update_fields=["user"])
            continue
        other.role = max(row.role, other.role, key=lambda role: ROLES.index(Membership.Role(role)))
        other.until = None if row.until is None or other.until is None else max(row.until, other.until)
        other.save(update_fields=["role", "until"])
        row.delete()


@merge_registry.mover("accounts.Relationship.by", "accounts.Relationship.about")
def move_relationships(merge: Merge) -> None:
    """Move relationships: blocks stay on both sides, and nobody has a relationship with themselves."""
    both = (merge.source, merge.target)
    Relationship.objects.filter(by__in=both, about__in=both).delete()
    for column in ("by", "about"):
        merge_registry.reassign(Relationship.objects.filter(**{column: merge.source}), column, merge.target)
    Relationship.objects.filter(Q(by=merge.source) | Q(about=merge.source)).delete()
    blocks = Relationship.objects.filter(Q(by=merge.target) | Q(about=merge.target), kind=Relationship.Kind.BLOCK)
    for by, about in blocks.values_list("by", "about"):  # a block of one account ends a follow of the other
        Relationship.objects.filter(
            Q(by=by, about=about) | Q(by=about, about=by), kind=Relationship.Kind.FOLLOW
        ).delete()


@merge_registry.mover("accounts.PlayerNote.by", "accounts.PlayerNote.about")
def move_notes(merge: Merge) -> None:
    """Move notes: two about the same player are joined, up to the length of a note; one about oneself is deleted."""
    both = (merge.source, merge.target)
    PlayerNote.objects.filter(by__in=both, about__in=both).delete()
    for column, other in (("by", "about_id"), ("about", "by_id")):
        target_rows = {getattr(row, other): row for row in PlayerNote.objects.filter(**{column: merge.target})}
        for row in PlayerNote.objects.filter(**{column: merge.source}):
            note = target_rows.get(getattr(row, other))
            if note is None:
                setattr(row, column, merge.target)
                row.save(update_fields=[column])
            else:
                note.text = f"{note.text}\n{row.text}"[:MAX_NOTE_LENGTH]
                note.save(update_fields=["text"])
                row.delete()


@merge_registry.mover("account.EmailAddress.user")
def move_email_addresses(merge: Merge) -> None:
    """Move the e-mail addresses where the target has none; else they become free."""
    address, has_none = merge.source.email, not merge.target.email
    User.objects.filter(pk=merge.source.pk).update(email="")
    merge.source.email = ""
    if has_none and not EmailAddress.objects.filter(user=merge.target).exists():
        EmailAddress.objects.filter(user=merge.source).update(user=merge.target)
        User.objects.filter(pk=merge.target.pk).update(email=address)
        merge.target.email = address
    EmailAddress.objects.filter(user=merge.source).delete()


@merge_registry.mover("sessions.Session.session_data")
def end_sessions(merge: Merge) -> None:
    erase_sessions(Anonymizer(merge.source, "", frozenset()))


@merge_registry.mover("accounts.BotToken.bot")
def delete_bot_token(merge: Merge) -> None:
    """Bots of the source keep their tokens, with a new owner; the source itself is no bot."""
    BotToken.objects.filter(bot=merge.source).delete()
