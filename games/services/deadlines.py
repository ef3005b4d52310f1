"""Deadlines of a match: which seats are late at an opening, how long the running time lasts, and vacations.

By correspondence a player's time stands while they are on vacation: their clock is set to run from its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings

from games.clocks import Clock, ClockPreset
from games.dice.match_dice import MatchDice, waits_for_opponent
from games.engine import SIDES, Side
from games.models import Vacation
from games.replay import State

REMIND_BEFORE = timedelta(hours=24)


def late_sides(state: State, match_dice: MatchDice | None) -> list[Side]:
    """The sides that are to roll for the opening, and could: a seat that waits for the opponent's hand is not late."""
    missing = [side for side in SIDES if side not in state.ready]
    return [side for side in missing if match_dice is None or not waits_for_opponent(match_dice, side)]


def time_left(state: State, clock: Clock | None, preset: ClockPreset) -> timedelta | None:
    """How long the running time may last; None where no deadline runs."""
    if state.result is not None or state.paused:
        return None
    if state.opening:
        days = clock.delay if clock and preset.slow else 0
        return timedelta(milliseconds=days) or timedelta(seconds=settings.DICE_OPENING_WAIT)
    left = clock.left if clock else None
    return None if left is None else timedelta(milliseconds=left)


def reminder_time(preset: ClockPreset, flag_at: datetime | None, moment: datetime) -> datetime | None:
    """When to remind the player of a deadline by correspondence; None in live play, or when it is too late."""
    if not preset.slow or flag_at is None:
        return None
    remind_at = flag_at - REMIND_BEFORE
    return remind_at if remind_at > moment else None


def vacation_until(user_ids: Iterable[int | None], moment: datetime) -> datetime | None:
    """Until when at least one of these players is on vacation; None when none of them is."""
    current = Vacation.objects.filter(user__in=[pk for pk in user_ids if pk], starts_at__lte=moment, ends_at__gt=moment)
    return current.order_by("-ends_at").values_list("ends_at", flat=True).first()
