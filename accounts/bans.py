"""Closing an account for a time or for good, and opening it again. That one may is checked in accounts.support."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone as clock

from accounts.closing import account_settle
from accounts.errors import Refused
from accounts.models import Ban, User

MOST_SWEPT = 200


def ban_make(*, user: User, by: User, why: str, until: datetime | None) -> Ban:
    """Close an account until a moment, or for good (None): nobody logs in to it, and its sockets close at once.

    What it has under way stays as with every closed account: its clocks run, and its rivals win on time.
    Raises Refused: ``support_closed`` where it is closed already.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if not locked.is_active:
            raise Refused("support_closed")
        ban = Ban.objects.create(user=locked, by=by, why=why, until=until)
        account_settle(user=locked)
    return ban


def ban_lift(*, user: User) -> Ban:
    """Take a ban back; the account opens unless something else keeps it closed.

    Raises Refused: ``support_not_banned``.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        ban = Ban.objects.filter(user=locked, ended_at=None).first()
        if ban is None:
            raise Refused("support_not_banned")
        _end(ban, locked)
    return ban


def ban_expire(*, user: User) -> bool:
    """End a ban whose time is over; whether the account is open now. Running again changes nothing."""
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        ban = Ban.objects.filter(user=locked, ended_at=None).first()
        if ban is not None and not ban.holds(clock.now()):
            _end(ban, locked)
    return locked.is_active


def bans_sweep() -> int:
    """Open the accounts whose bans are over: how many."""
    over = Ban.objects.filter(ended_at=None, until__lte=clock.now()).order_by("until").select_related("user")
    return sum(ban_expire(user=ban.user) for ban in over[:MOST_SWEPT])


def _end(ban: Ban, user: User) -> None:
    ban.ended_at = clock.now()
    ban.save(update_fields=["ended_at"])
    account_settle(user=user)
