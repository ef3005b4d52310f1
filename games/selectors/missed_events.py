"""The events that a user missed while no socket of theirs was open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q

from accounts.relationships.selectors import separated_by_block
from games import clocks, events
from games.database import now
from games.engine import Json
from games.models import Match, Seat
from games.selectors.match_rows import sides_to_act
from games.selectors.matches import with_seats
from games.services.deadlines import REMIND_BEFORE
from games.signals import missed_events_asked

REPEAT_WITHIN = timedelta(minutes=10)
"""Older events are not repeated."""
VISIBLE_WITHIN = timedelta(seconds=20)
"""How long after its timestamp a row may become visible: a writer waits at most so long for another."""


def missed_events(*, user_id: int | None, since: int | None) -> tuple[list[Json], int]:
    """The events for `user_id` since a moment (milliseconds of the epoch), and the moment from which to ask next time.

    That moment is a little before this answer, because a row that is being written now has its timestamp already and is
    not visible yet. So a page may get an event twice, but never one from before it asked for the first time.

    For a page that has just opened its socket: challenges, arranged matches and matches started by others in the
    meantime, and the events that other apps add. Events older than ten minutes are not repeated.
    """
    moment = now()
    if user_id is None or since is None:
        return [], milliseconds(moment)
    start = max(datetime.fromtimestamp(since / 1000, UTC), moment - REPEAT_WITHIN)
    seated = Seat.objects.filter(user=user_id)
    involved = Q(creator=user_id) | Q(arranged=True, pk__in=seated.values("match"))
    started = Match.objects.filter(involved, status=Match.Status.LIVE, started_at__gt=start).order_by("started_at")
    opened = Match.objects.filter(status=Match.Status.OPEN, created_at__gt=start).order_by("created_at")
    ready = opened.filter(arranged=True, pk__in=seated.filter(arrived_at=None).values("match"))
    challenges = list(opened.filter(invited=user_id).select_related("creator"))
    # Every open page asks for this every half minute, so blocks are read only where they matter.
    blocked = separated_by_block(user_id) if challenges else frozenset()
    reminded = with_seats(Match.objects.filter(pk__in=seated.values("match"), **_reminder_lookups(start, moment)))
    return [
        *(
            events.reminder_message(match, match.seats.all(), user_id)
            for match in reminded
            if _has_turn(match, user_id)
        ),
        *(events.challenge_message(match) for match in challenges if match.creator_id not in blocked),
        *(events.ready_message(match, match.seats.all(), user_id) for match in with_seats(ready)),
        *(events.start_message(match) for match in started),
        *_events_of_other_apps(user_id, start),
    ], min(milliseconds(moment), max(since, milliseconds(moment - VISIBLE_WITHIN)))


def _events_of_other_apps(user_id: int, start: datetime) -> list[Json]:
    """The missed events of other apps, asked for by a signal."""
    answers: list[tuple[Any, Any]] = missed_events_asked.send(sender=None, user_id=user_id, since=start)
    return [event for _receiver, missed_events in answers for event in missed_events]


def _reminder_lookups(start: datetime, moment: datetime) -> dict[str, Any]:
    """The lookups of the correspondence matches whose reminder fell between two moments."""
    slow = [key for key, preset in clocks.PRESETS.items() if preset.slow and preset.delay > clocks.DAY]
    within = (start + REMIND_BEFORE, moment + REMIND_BEFORE)
    return {"status": Match.Status.LIVE, "clock_preset__in": slow, "flag_at__range": within}


def _has_turn(match: Match, user_id: int) -> bool:
    return any(seat.user_id == user_id and seat.side in sides_to_act(match) for seat in match.seats.all())


def milliseconds(moment: datetime) -> int:
    """The milliseconds of the epoch at `moment`."""
    return int(moment.timestamp() * 1000)
