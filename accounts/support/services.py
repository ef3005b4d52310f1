"""The acts of the support. Each function checks, carries out and records one act in one transaction.

All of them raise Refused for what `permissions.check_act` forbids and for a missing reason (``support_why``); then
nothing is changed or recorded.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone as clock

from accounts.auth import password_reset
from accounts.auth import services as auth_services
from accounts.closures import services as closures
from accounts.errors import Refused
from accounts.models import Ban, FormerName, PlayerNote, SupportAct, User
from accounts.names.validation import fold, normalise
from accounts.privacy import services as privacy
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.data_policy import erase_sessions
from accounts.signals import user_renamed
from accounts.support import merging
from accounts.support.permissions import check_act, check_reason
from accounts.users.name_availability import validate_available
from accounts.web.staff import acts_as_staff, refusal_code

log = logging.getLogger(__name__)
Kind = SupportAct.Kind
DURATIONS: dict[str, timedelta | None] = {
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
    "good": None,
}
"""For how long an account is closed; None: permanently."""
MAIL, NOTES = "mail", "notes"
PRIVATE_KINDS = (MAIL, NOTES)
MAX_NOTES = 200


@dataclass(frozen=True, slots=True)
class PrivateData:
    """The private data of a user that one act reveals."""

    kind: str
    addresses: list[str] = field(default_factory=list)
    full_name: str = ""
    notes: list[PlayerNote] = field(default_factory=list)


def act_record(*, by: User, kind: str, about: User | None, reason: str, **data: Any) -> SupportAct:
    """Record an act."""
    return SupportAct.objects.create(kind=kind, by=by, about=about, reason=reason, data=data)


# Looking up


def user_find_by_email(*, by: User, mail: str, reason: str) -> User | None:
    """Find the user of an e-mail address, in full and whatever its case. The search is recorded, found or not.

    The address itself is not recorded. Raises Refused: support_staff, support_why.
    """
    if not acts_as_staff(by):
        raise Refused(refusal_code(by, "support_staff"))
    reason = check_reason(reason)
    mail = mail.strip()
    found = User.objects.filter(email__iexact=mail).first() if mail and "\0" not in mail else None
    if found is None and mail and "\0" not in mail:
        found = User.objects.filter(emailaddress__email__iexact=mail).order_by("pk").first()
    act_record(by=by, kind=Kind.FIND, about=found, reason=reason, found=found is not None)
    return found


def private_data_reveal(*, by: User, about: User, kind: str, reason: str) -> PrivateData:
    """Reveal private data of a user: e-mail addresses (``mail``), or notes about players (``notes``)."""
    reason = check_reason(reason)
    if kind not in PRIVATE_KINDS:
        raise Refused("support_kind")
    with _locked_account(by, about, Kind.VIEW) as user:
        act_record(by=by, kind=Kind.VIEW, about=user, reason=reason, what=kind)
        if kind == NOTES:
            notes = PlayerNote.objects.filter(by=user).select_related("about").order_by("-at", "-pk")
            return PrivateData(NOTES, notes=list(notes[:MAX_NOTES]))
        addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {""}
        return PrivateData(MAIL, sorted(addresses), f"{user.first_name} {user.last_name}".strip())


# Acting


def account_ban(*, by: User, about: User, span: str, reason: str) -> Ban:
    """Close an account for a time or permanently: see `accounts.closures.services`.

    Raises Refused("support_until") for an unknown duration.
    """
    reason = check_reason(reason)
    if span not in DURATIONS:
        raise Refused("support_until")
    length = DURATIONS[span]
    with _locked_account(by, about, Kind.BAN) as user:
        until = clock.now() + length if length else None
        ban = closures.ban_create(user=user, by=by, reason=reason, until=until)
        act_record(by=by, kind=Kind.BAN, about=user, reason=reason, until=until and until.isoformat())
    return ban


def account_reopen(*, by: User, about: User, reason: str) -> None:
    """Lift a ban. Raises Refused("support_not_banned") where something else closed the account."""
    reason = check_reason(reason)
    with _locked_account(by, about, Kind.LIFT) as user:
        closures.ban_lift(user=user)
        act_record(by=by, kind=Kind.LIFT, about=user, reason=reason)


def user_rename(*, by: User, about: User, name: str, reason: str) -> User:
    """Change a username, by the rules for names; the old one stays reserved, and the user is notified.

    Raises Refused: support_same_name; ValidationError: those of `accounts.users.name_availability.validate_available`.
    """
    reason = check_reason(reason)
    name = normalise(name)
    with _locked_account(by, about, Kind.RENAME) as user:
        old_name = user.username
        if name == old_name:
            raise Refused("support_same_name")
        validate_available(name, exclude=user)
        user.username = name
        try:
            with transaction.atomic():
                user.save(update_fields=["username"])
        except IntegrityError as error:  # the name was taken between the check and the write
            raise ValidationError(
                User._meta.get_field("username").error_messages["unique"], code="name_taken"
            ) from error
        if fold(old_name) != fold(name):
            FormerName.objects.filter(user=user, key=fold(name)).delete()
            FormerName.objects.update_or_create(
                user=user, key=fold(old_name), defaults={"name": old_name, "until": clock.now()}
            )
        act_record(by=by, kind=Kind.RENAME, about=user, reason=reason, was=old_name, now=name)
        user_renamed.send(sender=User, user_id=user.pk, was=old_name, now=name)
    return user


def user_sign_out(*, by: User, about: User, reason: str) -> None:
    """End every session of a user, with its sockets."""
    reason = check_reason(reason)
    with _locked_account(by, about, Kind.LOG_OUT) as user:
        sign_out_everywhere(user)
        act_record(by=by, kind=Kind.LOG_OUT, about=user, reason=reason)


def password_reset_link_create(*, by: User, about: User, reason: str) -> str:
    """The path of a link, valid once, to choose a new password. It is shown once and stored nowhere."""
    reason = check_reason(reason)
    with _locked_account(by, about, Kind.RESET) as user:
        act_record(by=by, kind=Kind.RESET, about=user, reason=reason)
        return password_reset.password_reset_path(user=user)


def mfa_remove(*, by: User, about: User, reason: str) -> None:
    """Turn off two-factor authentication for a user who lost the device; every session of theirs ends.

    Raises Refused("support_no_step") where there is none.
    """
    reason = check_reason(reason)
    with _locked_account(by, about, Kind.SECOND) as user:
        _mfa_delete(user)
        act_record(by=by, kind=Kind.SECOND, about=user, reason=reason)


def mfa_remove_unrecorded(*, about: User) -> None:
    """The same by a command on the server, without a record: for superusers, on whom nobody else can act.

    Raises Refused("support_no_step").
    """
    with transaction.atomic():
        _mfa_delete(User.objects.select_for_update().get(pk=about.pk))
    log.warning("two-factor authentication of user %s was turned off by a command", about.pk)


def _mfa_delete(user: User) -> None:
    deleted, _ = Authenticator.objects.filter(user=user).delete()
    if not deleted:
        raise Refused("support_no_step")
    sign_out_everywhere(user)


def data_export_request(*, by: User, about: User, reason: str) -> None:
    """Request an export of a user's data, which only they can download. Raises Refused("data_soon"): one a day."""
    reason = check_reason(reason)
    with _locked_account(by, about, Kind.EXPORT) as user:
        privacy.export_request(user=user)
        act_record(by=by, kind=Kind.EXPORT, about=user, reason=reason)


def users_merge(*, by: User, source: User, target: User, reason: str) -> None:
    """Merge two accounts of the same person: see `accounts.support.merging`. Recorded for both.

    Raises Refused: those of `merging.accounts_merge`.
    """
    reason = check_reason(reason)
    for user in (source, target):
        check_act(by=by, about=user, kind=Kind.MERGE)
    with transaction.atomic():
        counts = merging.accounts_merge(source=source, target=target)
        moved = sum(count.number for count in counts)
        record = partial(act_record, by=by, kind=Kind.MERGE, reason=reason, moved=moved)
        record(about=source, into=target.pk, name=target.username)
        record(about=target, gone=source.pk, name=source.username)


def sign_out_everywhere(user: User) -> None:
    """End every session of a user, listed or not, and revoke tokens and authorised apps."""
    auth_services.sessions_end(user=user, keep=None, everywhere=True)
    erase_sessions(Anonymizer(user, "", frozenset()))


@contextmanager
def _locked_account(by: User, about: User, kind: str) -> Iterator[User]:
    """Lock the account and check that `by` may do this act to it now."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=about.pk)
        check_act(by=by, about=user, kind=kind)
        yield user
