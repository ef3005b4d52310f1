"""What the support does. Each function is one act: checked, done and written down in one transaction.

All of them raise Refused for what `acts.act_check` does not let pass and for a reason that is missing
(``support_why``); then nothing was changed, and nothing is written.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone as clock

from accounts import bans, exports, log_ins, merging
from accounts import services as people
from accounts.errors import Refused
from accounts.former import Leaver
from accounts.kept import forget_sessions
from accounts.models import Ban, FormerName, PlayerNote, SupportAct, User
from accounts.names import fold, normalise
from accounts.naming import name_check
from accounts.second import acts_as_staff
from accounts.signals import person_renamed
from accounts.support.acts import act_check, why_check

log = logging.getLogger(__name__)
Kind = SupportAct.Kind
SPANS: dict[str, timedelta | None] = {
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
    "good": None,
}
"""For how long an account is closed; None: for good."""
MAIL, NOTES = "mail", "notes"
LOOKS = (MAIL, NOTES)
MOST_NOTES = 200


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at private data shows."""

    what: str
    addresses: list[str] = field(default_factory=list)
    full_name: str = ""
    notes: list[PlayerNote] = field(default_factory=list)


def act_note(*, by: User, kind: str, about: User | None, why: str, **data: Any) -> SupportAct:
    """Write an act down."""
    return SupportAct.objects.create(kind=kind, by=by, about=about, why=why, data=data)


# To look


def person_find(*, by: User, mail: str, why: str) -> User | None:
    """Who has this e-mail address, as a whole and whatever its case. That somebody asked is written down, found or not.

    The address itself is not. Raises Refused: support_staff, support_why.
    """
    if not acts_as_staff(by):
        raise Refused("support_staff")
    why = why_check(why)
    mail = mail.strip()
    found = User.objects.filter(email__iexact=mail).first() if mail and "\0" not in mail else None
    if found is None and mail and "\0" not in mail:
        found = User.objects.filter(emailaddress__email__iexact=mail).order_by("pk").first()
    act_note(by=by, kind=Kind.FIND, about=found, why=why, found=found is not None)
    return found


def private_look(*, by: User, about: User, what: str, why: str) -> Seen:
    """Show what is private of somebody: his addresses (``mail``), or his notes about players (``notes``)."""
    why = why_check(why)
    if what not in LOOKS:
        raise Refused("support_kind")
    with _acting(by, about, Kind.LOOK) as user:
        act_note(by=by, kind=Kind.LOOK, about=user, why=why, what=what)
        if what == NOTES:
            notes = PlayerNote.objects.filter(by=user).select_related("about").order_by("-at", "-pk")
            return Seen(NOTES, notes=list(notes[:MOST_NOTES]))
        addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {""}
        return Seen(MAIL, sorted(addresses), f"{user.first_name} {user.last_name}".strip())


# To do


def account_ban(*, by: User, about: User, span: str, why: str) -> Ban:
    """Close an account for a time or for good: see `accounts.bans`. Raises Refused("support_until") for no span."""
    why = why_check(why)
    if span not in SPANS:
        raise Refused("support_until")
    length = SPANS[span]
    with _acting(by, about, Kind.BAN) as user:
        until = clock.now() + length if length else None
        ban = bans.ban_make(user=user, by=by, why=why, until=until)
        act_note(by=by, kind=Kind.BAN, about=user, why=why, until=until and until.isoformat())
    return ban


def account_lift(*, by: User, about: User, why: str) -> None:
    """Take a ban back. Raises Refused("support_not_banned") where something else closed the account."""
    why = why_check(why)
    with _acting(by, about, Kind.LIFT) as user:
        bans.ban_lift(user=user)
        act_note(by=by, kind=Kind.LIFT, about=user, why=why)


def person_rename(*, by: User, about: User, name: str, why: str) -> User:
    """Give somebody another name, by the rules for names; his old one stays his, and he is told.

    Raises Refused: support_same_name; ValidationError: those of `accounts.naming.name_check`.
    """
    why = why_check(why)
    name = normalise(name)
    with _acting(by, about, Kind.RENAME) as user:
        was = user.username
        if name == was:
            raise Refused("support_same_name")
        name_check(name, but=user)
        user.username = name
        try:
            with transaction.atomic():
                user.save(update_fields=["username"])
        except IntegrityError as error:  # somebody took it between our look and our write
            raise ValidationError(
                User._meta.get_field("username").error_messages["unique"], code="name_taken"
            ) from error
        if fold(was) != fold(name):
            FormerName.objects.filter(user=user, key=fold(name)).delete()
            FormerName.objects.update_or_create(user=user, key=fold(was), defaults={"name": was, "until": clock.now()})
        act_note(by=by, kind=Kind.RENAME, about=user, why=why, was=was, now=name)
        person_renamed.send(sender=User, user_id=user.pk, was=was, now=name)
    return user


def person_log_out(*, by: User, about: User, why: str) -> None:
    """End every log-in of a person, with its sockets."""
    why = why_check(why)
    with _acting(by, about, Kind.LOG_OUT) as user:
        log_out_everywhere(user)
        act_note(by=by, kind=Kind.LOG_OUT, about=user, why=why)


def reset_link(*, by: User, about: User, why: str) -> str:
    """The path of a link, good once, with which a member chooses a new password. It is shown once and kept nowhere."""
    why = why_check(why)
    with _acting(by, about, Kind.RESET) as user:
        act_note(by=by, kind=Kind.RESET, about=user, why=why)
        return people.reset_path(user=user)


def second_step_remove(*, by: User, about: User, why: str) -> None:
    """Take the second step of a log-in away, for who lost what it needs; every log-in of his ends.

    Raises Refused("support_no_step") where there is none.
    """
    why = why_check(why)
    with _acting(by, about, Kind.SECOND) as user:
        _second_step_gone(user)
        act_note(by=by, kind=Kind.SECOND, about=user, why=why)


def second_step_lost(*, about: User) -> None:
    """The same by a command of the machine, for the one who looks after the site himself: nobody stands above him.

    Raises Refused("support_no_step").
    """
    with transaction.atomic():
        _second_step_gone(User.objects.select_for_update().get(pk=about.pk))
    log.warning("the second step of user %s was taken away by a command", about.pk)


def _second_step_gone(user: User) -> None:
    gone, _ = Authenticator.objects.filter(user=user).delete()
    if not gone:
        raise Refused("support_no_step")
    log_out_everywhere(user)


def data_export(*, by: User, about: User, why: str) -> None:
    """Have a person's data written for him: only he can fetch them. Raises Refused("data_soon"): one a day."""
    why = why_check(why)
    with _acting(by, about, Kind.EXPORT) as user:
        exports.export_ask(user=user)
        act_note(by=by, kind=Kind.EXPORT, about=user, why=why)


def people_merge(*, by: User, gone: User, into: User, why: str) -> None:
    """Make one account of two of the same person: see `accounts.merging`. Written down for both.

    Raises Refused: those of `merging.accounts_merge`.
    """
    why = why_check(why)
    for one in (gone, into):
        act_check(by=by, about=one, kind=Kind.MERGE)
    with transaction.atomic():
        counts = merging.accounts_merge(gone=gone, into=into)
        moved = sum(each.number for each in counts)
        act_note(by=by, kind=Kind.MERGE, about=gone, why=why, into=into.pk, name=into.username, moved=moved)
        act_note(by=by, kind=Kind.MERGE, about=into, why=why, gone=gone.pk, name=gone.username, moved=moved)


def log_out_everywhere(user: User) -> None:
    """End every log-in: those of his list, what he let in beside them, and sessions that stand in no list."""
    log_ins.log_ins_end(user=user, but=None, everywhere=True)
    forget_sessions(Leaver(user, "", frozenset()))


@contextmanager
def _acting(by: User, about: User, kind: str) -> Iterator[User]:
    """The account, locked, when `by` may do this to it as it is now."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=about.pk)
        act_check(by=by, about=user, kind=kind)
        yield user
