"""Personal data in `accounts`, Django and allauth, and what happens to it when an account is deleted."""

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

from accounts.clubs import services as clubs
from accounts.models import FormerName, Invitation, Membership, QueuedEmail, SupportAct, User
from accounts.privacy import registry as data_registry
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.registry import ABOUT, OTHERS, OWNED, SHARED, DeletionBlocker, Table
from accounts.programs import services as programs

Role = Membership.Role
ERASED_COLUMNS = (
    *("username", "name_key", "name_skeleton", "first_name", "last_name", "email", "password", "language"),
    "federation_number",
)
"""The columns of a user that name or describe the person."""

data_registry.register_tables(
    Table(
        "accounts.User",
        {"pk": SHARED, "owner": SHARED},
        erased=ERASED_COLUMNS,
        withheld=("password", "name_key", "name_skeleton"),
    ),
    Table("accounts.User_groups", {"user": OWNED}),
    Table("accounts.User_user_permissions", {"user": OWNED}),
    Table("accounts.BotToken", {"bot": OWNED, "bot__owner": OWNED}, withheld=("digest",)),
    Table("accounts.PersonalToken", {"user": OWNED}, withheld=("digest",)),
    Table("accounts.OAuthGrant", {"user": OWNED}),
    Table("accounts.UsedOAuthToken", {"grant__user": OWNED}, withheld=("digest",)),
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
    ),  # what the club says about itself
    Table("accounts.Membership", {"user": OWNED}),
    Table("accounts.Invitation", {"made_by": SHARED}, plain=("token",), erased=("email",), withheld=("token",)),
    Table("accounts.JoinRequest", {"user": OWNED, "answered_by": OTHERS}),
    Table("accounts.ClubEvent", {"by": SHARED, "about": SHARED}, plain=("kind", "data")),
    Table("accounts.Relationship", {"by": OWNED, "about": ABOUT}),
    Table("accounts.PlayerNote", {"by": OWNED, "about": ABOUT}),
    Table("accounts.DataExport", {"user": OWNED}, withheld=("body",)),
    Table("accounts.ActiveSession", {"user": OWNED}, withheld=("session_key",)),
    Table("accounts.QueuedEmail", {}, plain=("language", "site_url"), erased=("address", "subject", "body")),
    Table("mfa.Authenticator", {"user": OWNED}, withheld=("data",)),
    Table("socialaccount.SocialAccount", {"user": OWNED}),
    Table("socialaccount.SocialToken", {"account__user": OWNED}, withheld=("token", "token_secret")),  # none is stored
    Table(
        "socialaccount.SocialApp",  # empty: the provider is in the settings
        {},
        plain=("provider", "provider_id", "name", "client_id", "secret", "key", "settings"),
    ),
    Table(
        "accounts.SupportAct",
        {"by": OTHERS, "about": SHARED},
        erased=("reason", "data"),
        withheld=("by",),  # people see what was done to their account and why, but not which member of staff did it
    ),
    Table("accounts.Ban", {"user": OWNED, "by": OTHERS}, withheld=("by",)),
    Table("accounts.FormerName", {"user": OWNED}),
    Table("accounts.MergedAccount", {"source": SHARED, "target": SHARED}),
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


@data_registry.deletion_blocker
def clubs_without_owner(user: User) -> Iterable[DeletionBlocker]:
    """A club with other members keeps an owner."""
    owned = Membership.objects.filter(user=user, role=Role.OWNER).select_related("club")
    for row in owned:
        club = row.club
        owners = Membership.objects.filter(club=club, role=Role.OWNER, user__is_active=True).exclude(user=user)
        members = User.objects.filter(is_active=True, is_guest=False, is_bot=False).exclude(pk=user.pk)
        others = members if club.is_default else members.filter(memberships__club=club)
        if not owners.exists() and others.exists():
            text = _("You are the only owner of %(club)s. Make someone else an owner first.") % {"club": club.name}
            yield DeletionBlocker(text, reverse("club-people", args=[club.slug]))


@data_registry.on_delete
def leave_clubs(user: User) -> None:
    """Leave every club but the default one, which keeps no list of former members."""
    rows = Membership.objects.filter(user=user, club__is_default=False).exclude(role=Role.OWNER)
    for row in rows.select_related("club"):
        clubs.club_leave(club=row.club, user=user)


@data_registry.on_delete
def retire_bot(user: User) -> None:
    """Retire a bot and revoke its token."""
    if user.is_bot:
        programs.bot_retire(bot=user)


@data_registry.eraser("accounts.Invitation.email")
def erase_invitations(anonymizer: Anonymizer) -> None:
    """Erase the address from invitations that were sent to it."""
    for invitation in Invitation.objects.exclude(email="").iterator(chunk_size=500):
        if anonymizer.is_name(invitation.email):
            Invitation.objects.filter(pk=invitation.pk).update(email="")


@data_registry.eraser("accounts.QueuedEmail.address", "accounts.QueuedEmail.subject", "accounts.QueuedEmail.body")
def erase_queued_emails(anonymizer: Anonymizer) -> None:
    """Delete e-mail to the person that has not been sent yet."""
    for email in QueuedEmail.objects.only("pk", "address").iterator(chunk_size=500):
        if anonymizer.is_name(email.address):
            QueuedEmail.objects.filter(pk=email.pk).delete()


@data_registry.eraser("admin.LogEntry.object_repr", "admin.LogEntry.change_message")
def erase_admin_log(anonymizer: Anonymizer) -> None:
    """Erase the name from the log of the admin, which stores the names of rows as they were."""
    for column in ("object_repr", "change_message"):
        anonymizer.anonymize_column(LogEntry.objects.all(), column)


@data_registry.eraser("accounts.SupportAct.reason", "accounts.SupportAct.data")
def erase_support_record(anonymizer: Anonymizer) -> None:
    """Erase the name from the texts of support acts; what was done, to whom and when stays."""
    anonymizer.anonymize_column(SupportAct.rows.all(), "reason")
    anonymizer.anonymize_column(SupportAct.rows.exclude(data={}), "data", keys=("was", "now", "name"))


@data_registry.eraser("sessions.Session.session_data")
def erase_sessions(anonymizer: Anonymizer) -> None:
    """End the user's sessions in every browser. Whose a session is can only be told by decoding it."""
    user_id = str(anonymizer.user.pk)
    rows = Session.objects.iterator(chunk_size=500)
    keys = [row.session_key for row in rows if row.get_decoded().get(SESSION_KEY) == user_id]
    Session.objects.filter(session_key__in=keys).delete()


UNCHANGED_COLUMNS = frozenset(
    {"id", "is_guest", "is_bot", "bot_level", "owner", "username", "name_key", "name_skeleton", "password"}
)
"""Columns of the user that are not reset to their defaults: impersonal ones, and those of the name, set below."""


@data_registry.eraser(*(f"accounts.User.{column}" for column in ERASED_COLUMNS))
def erase_user(anonymizer: Anonymizer) -> None:
    """Reset the row, which stays for the sake of others' matches: no name, password, address, rights or preferences."""
    row, blank = User.objects.get(pk=anonymizer.user.pk), User()
    for field in User._meta.concrete_fields:
        if field.name not in UNCHANGED_COLUMNS:
            setattr(row, field.attname, getattr(blank, field.attname))
    row.username, row.left_at, row.is_active = anonymizer.replacement, clock.now(), False
    row.set_unusable_password()
    row.save()


def emails_of(user: User) -> list[str]:
    """Every e-mail address of the user, confirmed or not."""
    rows = EmailAddress.objects.filter(Q(user=user)).values_list("email", flat=True)
    return [*rows, *([user.email] if user.email else [])]


def former_names(user: User) -> list[str]:
    """Former usernames of the user."""
    return list(FormerName.objects.filter(user=user).values_list("name", flat=True))
