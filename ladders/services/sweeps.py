"""Deadlines of ladders. Each function carries out what is due, may run zero or many times, and acts once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.database import now
from games.models import Match
from ladders import rules
from ladders.models import Ladder, LadderChallenge, LadderPlayer, LadderPulse
from ladders.services.challenges import create_challenge, end_challenge, loser_if_not_played, loser_if_unanswered
from ladders.services.results import MOST, count_result, lost_results, match_over
from ladders.services.rungs import reactivate
from ladders.services.setup import close_season
from ladders.services.transaction import OPEN_CHALLENGES, LadderTransaction

log = logging.getLogger(__name__)

OUTAGE = timedelta(minutes=10)  # a longer silence of the sweep is given back to everybody


def sweep() -> int:
    """Carry out everything that is due on any ladder; returns how many rows there were.

    Results come first, so that a match that was played in time never counts as not played.
    """
    moment = heartbeat()
    challenges = LadderChallenge.objects.filter(due_at__lte=moment).order_by("due_at").values_list("pk", flat=True)
    players = LadderPlayer.objects.filter(due_at__lte=moment).order_by("due_at").values_list("ladder_id", "user_id")
    seasons = Ladder.objects.filter(season_ends_at__lte=moment, status=Ladder.Status.OPEN).values_list("pk", flat=True)
    hills = Ladder.objects.filter(kind=Ladder.Kind.HILL, status=Ladder.Status.OPEN)
    idle = hills.exclude(challenges__status__in=OPEN_CHALLENGES).values_list("pk", flat=True)
    return (
        _each(lost_results(moment), lambda pk: match_over(match_id=pk))
        + _each(challenges[:MOST], lambda pk: challenge_due(challenge_id=pk))
        + _each(players[:MOST], lambda pair: player_due(ladder_id=pair[0], user_id=pair[1]))
        + _each(seasons[:MOST], lambda pk: season_due(ladder_id=pk))
        + sum(hill_advance(ladder_id=pk) for pk in idle)
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


def heartbeat() -> datetime:
    """Record that the sweep runs, and give back the time of an outage (L9). Returns the moment of the database.

    The row is locked until all ladders have their time back: two sweeps never give it twice.
    """
    with transaction.atomic():
        row, new = LadderPulse.objects.select_for_update().get_or_create(pk=1, defaults={"at": now()})
        moment = now()
        gap = moment - row.at
        if not new and gap >= OUTAGE:
            waiting = Q(players__rank__isnull=False) | Q(challenges__status__in=OPEN_CHALLENGES)
            for ladder_id in Ladder.objects.filter(waiting).order_by("pk").values_list("pk", flat=True).distinct():
                tx = LadderTransaction.lock(ladder_id)
                tx.postpone(gap)
                tx.record("outage", seconds=gap.total_seconds())
                tx.commit()
        row.at = moment
        row.save(update_fields=["at"])
    return moment


def challenge_due(*, challenge_id: int) -> None:
    """Carry out the deadline of a challenge: to answer it, or to play it (L4). A match in play is played out."""
    with transaction.atomic():
        tx, challenge = LadderTransaction.lock_challenge(challenge_id)
        if challenge.due_at is None or challenge.due_at > tx.moment:
            return
        if challenge.status == LadderChallenge.Status.OFFERED:
            end_challenge(tx, challenge, "expired", loser=loser_if_unanswered(tx, challenge))
        elif challenge.match is not None:
            match = Match.objects.select_for_update().get(pk=challenge.match.pk)
            if match.status == Match.Status.OPEN:
                end_challenge(tx, challenge, "not_played", loser=loser_if_not_played(tx, challenge, match))
            elif match.status == Match.Status.LIVE:
                challenge.due_at = None
                challenge.save(update_fields=["due_at"])
            else:
                count_result(tx, challenge, match)
                return
        tx.commit()


def player_due(*, ladder_id: str, user_id: int) -> None:
    """End a vacation, freeze a place or drop it (L5, L6): whatever is due, in order."""
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        while (row := tx.state.rows.get(user_id)) is not None and tx.state.closed_at is None:
            due = rules.next_due(row, tx.config)
            if due is None or due > tx.moment:
                break
            if row.away_until is not None:
                reactivate(tx, User.objects.get(pk=user_id), by_itself=True)
            elif rules.freezes_at(row, tx.config) == due:
                tx.record("froze", player=user_id)
            else:
                tx.record("dropped", player=user_id, places=tx.config.drop_places)
        tx.commit()


def season_due(*, ladder_id: str) -> None:
    """Close a season that has ended, and begin one of the same length (L8)."""
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        ladder = tx.ladder
        if ladder.season_ends_at is None or ladder.season_ends_at > tx.moment:
            return
        length = ladder.season_ends_at - ladder.season_started_at
        end = ladder.season_ends_at + length
        close_season(tx, None, ends_at=end if end > tx.moment else tx.moment + length)


def hill_advance(*, ladder_id: str) -> bool:
    """Challenge the king for the next player in the queue of a hill, if it is time (L7); returns whether it was."""
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        pair = rules.next_on_hill(tx.state, tx.moment)
        if pair is None or tx.ladder.status != Ladder.Status.OPEN:
            return False
        users = User.objects.in_bulk(pair)
        create_challenge(tx, users[pair[0]], users[pair[1]], itself=True)  # type: ignore[index]
        tx.commit()
    return True
