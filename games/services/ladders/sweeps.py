"""What happens on ladders at a time. Each function handles what is due, may run zero or many times, and acts once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import ladders
from games.database import now
from games.models import Ladder, LadderChallenge, LadderPlayer, LadderPulse, Match
from games.services.ladders.challenges import call, close, unanswered, unplayed
from games.services.ladders.desk import OPEN_CALLS, Desk
from games.services.ladders.places import come_back
from games.services.ladders.results import MOST, lost_results, match_over, take_result
from games.services.ladders.setup import close_season

log = logging.getLogger(__name__)

OUTAGE = timedelta(minutes=10)  # a longer silence of the sweep is given back to everybody


def sweep() -> int:
    """Carry out everything whose time has come on any ladder; how many rows there were.

    The results first, so that a match that was played in time is never taken for one that was not.
    """
    moment = pulse()
    challenges = LadderChallenge.objects.filter(due_at__lte=moment).order_by("due_at").values_list("pk", flat=True)
    players = LadderPlayer.objects.filter(due_at__lte=moment).order_by("due_at").values_list("ladder_id", "user_id")
    seasons = Ladder.objects.filter(season_ends_at__lte=moment, status=Ladder.Status.OPEN).values_list("pk", flat=True)
    hills = Ladder.objects.filter(kind=Ladder.Kind.HILL, status=Ladder.Status.OPEN)
    idle = hills.exclude(challenges__status__in=OPEN_CALLS).values_list("pk", flat=True)
    return (
        _each(lost_results(moment), lambda pk: match_over(match_id=pk))
        + _each(challenges[:MOST], lambda pk: challenge_due(challenge_id=pk))
        + _each(players[:MOST], lambda pair: player_due(ladder_id=pair[0], user_id=pair[1]))
        + _each(seasons[:MOST], lambda pk: season_due(ladder_id=pk))
        + sum(hill_next(ladder_id=pk) for pk in idle)
    )


def _each(rows: Iterable[Any], handle: Callable[[Any], object]) -> int:
    count = 0
    for row in list(rows):
        count += 1
        try:
            handle(row)
        except Exception:  # one broken ladder must not stop the others
            log.exception("deadline of %s", row)
    return count


def pulse() -> datetime:
    """Note that the sweep came by, and give the time back in which it did not (L9). The moment of the database.

    The row is locked until all ladders have their time back: two sweeps never give it twice.
    """
    with transaction.atomic():
        row, new = LadderPulse.objects.select_for_update().get_or_create(pk=1, defaults={"at": now()})
        moment = now()
        gap = moment - row.at
        if not new and gap >= OUTAGE:
            waiting = Q(players__rank__isnull=False) | Q(challenges__status__in=OPEN_CALLS)
            for ladder_id in Ladder.objects.filter(waiting).order_by("pk").values_list("pk", flat=True).distinct():
                desk = Desk.lock(ladder_id)
                desk.postpone(gap)
                desk.record("outage", seconds=gap.total_seconds())
                desk.commit()
        row.at = moment
        row.save(update_fields=["at"])
    return moment


def challenge_due(*, challenge_id: int) -> None:
    """The deadline of a challenge: to answer it, or to play it (L4). A match in play is played out."""
    with transaction.atomic():
        desk, challenge = Desk.lock_for(challenge_id)
        if challenge.due_at is None or challenge.due_at > desk.moment:
            return
        if challenge.status == LadderChallenge.Status.OFFERED:
            close(desk, challenge, "expired", loser=unanswered(desk, challenge))
        elif challenge.match is not None:
            match = Match.objects.select_for_update().get(pk=challenge.match.pk)
            if match.status == Match.Status.OPEN:
                close(desk, challenge, "not_played", loser=unplayed(desk, challenge, match))
            elif match.status == Match.Status.LIVE:
                challenge.due_at = None
                challenge.save(update_fields=["due_at"])
            else:
                take_result(desk, challenge, match)
                return
        desk.commit()


def player_due(*, ladder_id: str, user_id: int) -> None:
    """A vacation ends, a place freezes or falls (L5, L6): whichever has come, in their order."""
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        while (row := desk.state.rows.get(user_id)) is not None and desk.state.closed_at is None:
            due = ladders.next_due(row, desk.config)
            if due is None or due > desk.moment:
                break
            if row.away_until is not None:
                come_back(desk, User.objects.get(pk=user_id), by_itself=True)
            elif ladders.freezes_at(row, desk.config) == due:
                desk.record("froze", player=user_id)
            else:
                desk.record("dropped", player=user_id, places=desk.config.drop_places)
        desk.commit()


def season_due(*, ladder_id: str) -> None:
    """A season whose end has come is closed, and one of the same length begins (L8)."""
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        ladder = desk.ladder
        if ladder.season_ends_at is None or ladder.season_ends_at > desk.moment:
            return
        length = ladder.season_ends_at - ladder.season_started_at
        end = ladder.season_ends_at + length
        close_season(desk, None, ends_at=end if end > desk.moment else desk.moment + length)


def hill_next(*, ladder_id: str) -> bool:
    """Call the king for the next in line of a hill, if it is time (L7). Whether there was a call."""
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        pair = ladders.next_on_hill(desk.state, desk.moment)
        if pair is None or desk.ladder.status != Ladder.Status.OPEN:
            return False
        users = User.objects.in_bulk(pair)
        call(desk, users[pair[0]], users[pair[1]], itself=True)  # type: ignore[index]
        desk.commit()
    return True
