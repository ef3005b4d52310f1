"""Vacations: a player's clocks by correspondence stand until they are back (ruling "Match clock").

A clock that stands is one that is set to run from a later moment, `Match.clock_at`. So nothing has to happen when a
vacation ends by itself.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.clocks import PRESETS
from games.database import now
from games.errors import Refused
from games.models import Match, Vacation
from games.services.deadlines import vacation_until
from games.services.locked_match import LockedMatch

DAY = timedelta(days=1)


def vacation_begin(*, user: User, days: int) -> Vacation:
    """Begin a vacation of some days of this year's allowance. Raises Refused: vacation_on, vacation_days."""
    with transaction.atomic():
        moment = _lock(user)
        if vacation_until([user.pk], moment) is not None:
            raise Refused("vacation_on", ruling="T")
        if not 1 <= days <= _left(user, moment):
            raise Refused("vacation_days", ruling="T", params={"days": _left(user, moment)})
        vacation = Vacation.objects.create(user=user, starts_at=moment, ends_at=moment + days * DAY)
    _recompute_clocks(user)
    return vacation


def vacation_end(*, user: User) -> None:
    """End a vacation early: a day that was begun counts, the others are kept. Without a vacation nothing changes."""
    with transaction.atomic():
        moment = _lock(user)
        Vacation.objects.filter(user=user, ends_at__gt=moment).update(ends_at=moment)
    _recompute_clocks(user)


def days_left(*, user: User) -> int:
    """The rest of this year's allowance, in whole days."""
    return _left(user, now())


def _lock(user: User) -> datetime:
    """Serialize the requests of one player; returns the moment."""
    User.objects.select_for_update().get(pk=user.pk)
    return now()


def _left(user: User, moment: datetime) -> int:
    """A vacation counts in the year in which it begins, each day that was begun as one."""
    year = datetime(moment.astimezone(UTC).year, 1, 1, tzinfo=UTC)
    spans = Vacation.objects.filter(user=user, starts_at__gte=year).values_list("starts_at", "ends_at")
    return max(0, settings.VACATION_DAYS - sum(-((start - end) // DAY) for start, end in spans))


def _recompute_clocks(user: User) -> None:
    """Set the clocks of this player's matches by correspondence, each match in a transaction of its own."""
    slow = [key for key, preset in PRESETS.items() if preset.slow]
    matches = Match.objects.filter(status=Match.Status.LIVE, clock_preset__in=slow, seats__user=user)
    for match_id in matches.values_list("pk", flat=True):
        with transaction.atomic():
            locked = LockedMatch.lock(match_id)
            if locked.is_overdue:
                locked.expire()
                locked.commit()
            elif locked.state.result is None:
                locked.recompute_clock()
