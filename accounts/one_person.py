"""What `accounts`, and Django and allauth below it, do when two accounts become one: see accounts.merging."""

from __future__ import annotations

from collections.abc import Iterable

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import merging
from accounts.former import Leaver
from accounts.kept import forget_sessions
from accounts.merging import Count, Merge
from accounts.models import BotToken, Membership, PlayerNote, Tie, User
from accounts.ties import LONGEST_NOTE

RANKS = (Membership.Role.MEMBER, Membership.Role.DIRECTOR, Membership.Role.OWNER)

merging.moves(
    *("accounts.JoinRequest.user", "accounts.FormerName.user", "accounts.Merged.into"),
    *("accounts.ClubEvent.by", "accounts.ClubEvent.about"),
)
merging.stays(
    # what was done to an account is told of that account
    *("accounts.SupportAct.by", "accounts.SupportAct.about", "accounts.Ban.user", "accounts.Ban.by"),
    *("accounts.Merged.gone", "admin.LogEntry.user"),
)


@merging.counted
def told(merge: Merge) -> Iterable[Count]:
    gone = merge.gone
    yield Count(_("Memberships of clubs"), Membership.objects.filter(user=gone, club__is_default=False).count())
    yield Count(_("Whom one follows, muted or blocked"), Tie.objects.filter(by=gone).count())
    yield Count(_("Notes about players"), PlayerNote.objects.filter(by=gone).count())
    yield Count(_("Bots"), User.objects.filter(owner=gone).count())


@merging.mover("accounts.Membership.user")
def move_memberships(merge: Merge) -> None:
    """In a club of both he has the higher of the two roles, and the later last day."""
    mine = {row.club_id: row for row in Membership.objects.filter(user=merge.into)}
    for row in Membership.objects.filter(user=merge.gone):
        other = mine.get(row.club_id)
        if other is None:
            row.user = merge.into
            row.save(update_fields=["user"])
            continue
        other.role = max(row.role, other.role, key=lambda role: RANKS.index(Membership.Role(role)))
        other.until = None if None in (row.until, other.until) else max(row.until, other.until)  # type: ignore[type-var]
        other.save(update_fields=["role", "until"])
        row.delete()


@merging.mover("accounts.Tie.by", "accounts.Tie.about")
def move_ties(merge: Merge) -> None:
    """Whom he blocked stays blocked, and who blocked him is out of his reach as before; nobody is tied to himself."""
    both = (merge.gone, merge.into)
    Tie.objects.filter(by__in=both, about__in=both).delete()
    for column in ("by", "about"):
        merging.give(Tie.objects.filter(**{column: merge.gone}), column, merge.into)
    Tie.objects.filter(Q(by=merge.gone) | Q(about=merge.gone)).delete()
    blocked = Tie.objects.filter(Q(by=merge.into) | Q(about=merge.into), kind=Tie.Kind.BLOCK)
    for by, about in blocked.values_list("by", "about"):  # a block of one account ends the following of the other
        Tie.objects.filter(Q(by=by, about=about) | Q(by=about, about=by), kind=Tie.Kind.FOLLOW).delete()


@merging.mover("accounts.PlayerNote.by", "accounts.PlayerNote.about")
def move_notes(merge: Merge) -> None:
    """Two notes about the same person become one, as far as a note goes; nobody keeps one about himself."""
    both = (merge.gone, merge.into)
    PlayerNote.objects.filter(by__in=both, about__in=both).delete()
    for column, other in (("by", "about_id"), ("about", "by_id")):
        mine = {getattr(row, other): row for row in PlayerNote.objects.filter(**{column: merge.into})}
        for row in PlayerNote.objects.filter(**{column: merge.gone}):
            kept = mine.get(getattr(row, other))
            if kept is None:
                setattr(row, column, merge.into)
                row.save(update_fields=[column])
            else:
                kept.text = f"{kept.text}\n{row.text}"[:LONGEST_NOTE]
                kept.save(update_fields=["text"])
                row.delete()


@merging.mover("account.EmailAddress.user")
def move_address(merge: Merge) -> None:
    """His address comes along where the account that stays has none; else it is free."""
    address, has_none = merge.gone.email, not merge.into.email
    User.objects.filter(pk=merge.gone.pk).update(email="")
    merge.gone.email = ""
    if has_none and not EmailAddress.objects.filter(user=merge.into).exists():
        EmailAddress.objects.filter(user=merge.gone).update(user=merge.into)
        User.objects.filter(pk=merge.into.pk).update(email=address)
        merge.into.email = address
    EmailAddress.objects.filter(user=merge.gone).delete()


@merging.mover("sessions.Session.session_data")
def end_sessions(merge: Merge) -> None:
    forget_sessions(Leaver(merge.gone, "", frozenset()))


@merging.mover("accounts.BotToken.bot")
def keep_tokens_of_bots(merge: Merge) -> None:
    """The bots that he brought are the other's, with their tokens; he himself is none."""
    BotToken.objects.filter(bot=merge.gone).delete()
