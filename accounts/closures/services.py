"""Ban accounts for a time or permanently, and lift bans. Permissions are checked in accounts.support."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone as clock

from accounts.closures.registry import account_update_active
from accounts.errors import Refused
from accounts.models import Ban, User

MAX_SWEPT = 200


def ban_create(*, user: User, by: User, reason: str, until: datetime | None) -> Ban:
    """Close an account until a moment, or permanently (None): nobody can sign in, and its sockets close at once.

    Matches in progress continue as with every closed account: the clocks run, and opponents win on time.
    Raises Refused: ``support_closed`` where it is closed already.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if not locked.is_active:
            raise Refused("support_closed")
        ban = Ban.objects.create(user=locked, by=by, reason=reason, until=until)
        account_update_active(user=locked)
    return ban


def ban_lift(*, user: User) -> Ban:
    """Lift a ban; the account opens unless another reason keeps it closed.

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
    """End a ban that has expired; returns whether the account is open now. Running again changes nothing."""
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        ban = Ban.objects.filter(user=locked, ended_at=None).first()
        if ban is not None and not ban.holds(clock.now()):
            _end(ban, locked)
    return locked.is_active


def bans_sweep() -> int:
    """Open the accounts whose bans have expired; returns how many are open."""
    expired = Ban.objects.filter(ended_at=None, until__lte=clock.now()).order_by("until").select_related("user")
    return sum(ban_expire(user=ban.user) for ban in expired[:MAX_SWEPT])


def _end(ban: Ban, user: User) -> None:
    ban.ended_at = clock.now()
    ban.save(update_fields=["ended_at"])
    account_update_active(user=user)
