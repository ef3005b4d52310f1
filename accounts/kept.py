"""What `accounts`, and Django and allauth below it, keep about a person, and how each of it goes."""

from __future__ import annotations

from collections.abc import Iterable

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone as clock
from django.utils.translation import gettext as _

from accounts import bots, clubs, data
from accounts.data import ABOUT, OTHERS, OWNED, SHARED, Hindrance, Table
from accounts.former import Leaver
from accounts.models import FormerName, Invitation, Letter, Membership, SupportAct, User

Role = Membership.Role

data.keep(
    Table(
        "accounts.User",
        {"pk": SHARED, "owner": SHARED},
        erased=("username", "name_key", "name_look", "first_name", "last_name", "email", "password", "language"),
        withheld=("password", "name_key", "name_look"),
    ),
    Table("accounts.User_groups", {"user": OWNED}),
    Table("accounts.User_user_permissions", {"user": OWNED}),
    Table("accounts.BotToken", {"bot": OWNED, "bot__owner": OWNED}, withheld=("digest",)),
    Table("accounts.PersonalToken", {"user": OWNED}, withheld=("digest",)),
    Table("accounts.Admission", {"user": OWNED}),
    Table("accounts.Spent", {"admission__user": OWNED}, withheld=("digest",)),
    Table("allauth_idp_oidc.Token", {"user": OWNED}, withheld=("hash", "data")),
    Table(
        "allauth_idp_oidc.Client",
        {"owner": OTHERS},
        plain=(
            *("id", "name", "secret", "scopes", "default_scopes", "grant_types", "redirect_uris"),
            *("cors_origins", "response_types", "data"),
        ),
        withheld=("secret",),
    ),
    Table(
        "accounts.Club", {}, plain=("name", "slug", "about", "place", "meets", "website", "timezone")
    ),  # a club's own words
    Table("accounts.Membership", {"user": OWNED}),
    Table("accounts.Invitation", {"made_by": SHARED}, plain=("token",), erased=("email",), withheld=("token",)),
    Table("accounts.JoinRequest", {"user": OWNED, "answered_by": OTHERS}),
    Table("accounts.ClubEvent", {"by": SHARED, "about": SHARED}, plain=("kind", "data")),
    Table("accounts.Tie", {"by": OWNED, "about": ABOUT}),
    Table("accounts.PlayerNote", {"by": OWNED, "about": ABOUT}),
    Table("accounts.DataExport", {"user": OWNED}, withheld=("body",)),
    Table("accounts.LogIn", {"user": OWNED}, withheld=("session_key",)),
    Table("accounts.Letter", {}, plain=("language", "base"), erased=("address", "subject", "body")),
    Table("mfa.Authenticator", {"user": OWNED}, withheld=("data",)),
    Table(
        "accounts.SupportAct",
        {"by": OTHERS, "about": SHARED},
        erased=("why", "data"),
        withheld=("by",),  # he reads what was done to him and why; who of the house did it is the house's business
    ),
    Table("accounts.Ban", {"user": OWNED, "by": OTHERS}, withheld=("by",)),
    Table("accounts.FormerName", {"user": OWNED}),
    Table("accounts.Merged", {"gone": SHARED, "into": SHARED}),
    Table("account.EmailAddress", {"user": OWNED}),
    Table("account.EmailConfirmation", {"email_address__user": OWNED}, withheld=("key",)),
    Table(
        "admin.LogEntry",
        {"user": SHARED},
        plain=("object_id",),
        erased=("object_repr", "change_message"),
        withheld=("object_repr", "change_message"),  # names of others
    ),
    Table("sessions.Session", {}, plain=("session_key",), erased=("session_data",)),
    Table("auth.Group", {}, plain=("name",)),
    Table("auth.Group_permissions", {}),
    Table("auth.Permission", {}, plain=("name", "codename")),
    Table("contenttypes.ContentType", {}, plain=("app_label", "model")),
)


@data.hindrance
def clubs_without_owner(user: User) -> Iterable[Hindrance]:
    """A club that others belong to keeps an owner."""
    owned = Membership.objects.filter(user=user, role=Role.OWNER).select_related("club")
    for row in owned:
        club = row.club
        owners = Membership.objects.filter(club=club, role=Role.OWNER, user__is_active=True).exclude(user=user)
        everybody = User.objects.filter(is_active=True, is_guest=False, is_bot=False).exclude(pk=user.pk)
        others = everybody if club.is_default else everybody.filter(memberships__club=club)
        if not owners.exists() and others.exists():
            text = _("You are the only owner of %(club)s: make somebody else an owner first.") % {"club": club.name}
            yield Hindrance(text, reverse("club-people", args=[club.slug]))


@data.parting
def leave_clubs(user: User) -> None:
    """Out of every club but the default one, which keeps no list of those who are gone."""
    rows = Membership.objects.filter(user=user, club__is_default=False).exclude(role=Role.OWNER)
    for row in rows.select_related("club"):
        clubs.club_leave(club=row.club, user=user)


@data.parting
def retire(user: User) -> None:
    """A bot goes out of service, its token with it."""
    if user.is_bot:
        bots.bot_retire(bot=user)


@data.eraser("accounts.Invitation.email")
def forget_invitations(leaver: Leaver) -> None:
    """The addresses that he was invited at, by whomever."""
    for invitation in Invitation.objects.exclude(email="").iterator(chunk_size=500):
        if leaver.is_his(invitation.email):
            Invitation.objects.filter(pk=invitation.pk).update(email="")


@data.eraser("accounts.Letter.address", "accounts.Letter.subject", "accounts.Letter.body")
def forget_letters(leaver: Leaver) -> None:
    """Mail to him that has not gone out yet."""
    for letter in Letter.objects.only("pk", "address").iterator(chunk_size=500):
        if leaver.is_his(letter.address):
            Letter.objects.filter(pk=letter.pk).delete()


@data.eraser("admin.LogEntry.object_repr", "admin.LogEntry.change_message")
def forget_admin(leaver: Leaver) -> None:
    """The log of the admin writes names of rows as they were."""
    for column in ("object_repr", "change_message"):
        leaver.mend(LogEntry.objects.all(), column)


@data.eraser("accounts.SupportAct.why", "accounts.SupportAct.data")
def forget_support(leaver: Leaver) -> None:
    """What was done, to whom and when stays; the words no longer name him."""
    leaver.mend(SupportAct.rows.all(), "why")
    leaver.mend(SupportAct.rows.exclude(data={}), "data", at=("was", "now", "name"))


@data.eraser("sessions.Session.session_data")
def forget_sessions(leaver: Leaver) -> None:
    """His log-ins in every browser. A session tells whose it is only when it is read."""
    his = str(leaver.user.pk)
    rows = Session.objects.iterator(chunk_size=500)
    keys = [row.session_key for row in rows if row.get_decoded().get(SESSION_KEY) == his]
    Session.objects.filter(session_key__in=keys).delete()


KEPT = frozenset({"id", "is_guest", "is_bot", "bot_level", "owner", "username", "name_key", "name_look", "password"})
"""Columns that are not set back to their beginning: numbers and marks that say nothing of the person, and the name."""


@data.eraser(*(f"accounts.User.{column}" for column in data.table_of("accounts.User").erased))  # type: ignore[union-attr]
def forget_person(leaver: Leaver) -> None:
    """The row stays for the sake of others' matches: without name, password, address, rights and preferences."""
    row, blank = User.objects.get(pk=leaver.user.pk), User()
    for field in User._meta.concrete_fields:
        if field.name not in KEPT:
            setattr(row, field.attname, getattr(blank, field.attname))
    row.username, row.left_at, row.is_active = leaver.left, clock.now(), False
    row.set_unusable_password()
    row.save()


def addresses_of(user: User) -> list[str]:
    """Every e-mail address that he gave, and that he was asked to confirm."""
    rows = EmailAddress.objects.filter(Q(user=user)).values_list("email", flat=True)
    return [*rows, *([user.email] if user.email else [])]


def names_before(user: User) -> list[str]:
    """What he was called before."""
    return list(FormerName.objects.filter(user=user).values_list("name", flat=True))
