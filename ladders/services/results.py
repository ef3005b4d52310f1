"""Counting finished matches on their ladders: each once, however often it is reported."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.models import Match, Seat
from ladders.models import Ladder, LadderChallenge, LadderEvent
from ladders.services.challenges import end_challenge
from ladders.services.transaction import LadderTransaction, challenge_facts

LOOK_BACK = timedelta(days=2)
MOST = 200


def match_over(*, match_id: str) -> None:
    """Count the result of a match on the ladder that it was played for, or in the seasons that it belongs to (L8).

    Calling it again, for a match of no ladder or for one that is not over, changes nothing.
    """
    found = LadderChallenge.objects.filter(match_id=match_id).values_list("pk", flat=True).first()
    if found is not None:
        with transaction.atomic():
            tx, challenge = LadderTransaction.lock_challenge(found)
            if challenge.status == LadderChallenge.Status.ACCEPTED and challenge.match is not None:
                count_result(tx, challenge, challenge.match)
    for ladder_id in _seasons_of(match_id):
        with transaction.atomic():
            _count_season_match(LadderTransaction.lock(ladder_id), match_id)


def count_result(tx: LadderTransaction, challenge: LadderChallenge, match: Match) -> None:
    """Count the match of an accepted challenge if it is over; one that nobody won ends without a loser."""
    if match.status not in (Match.Status.OVER, Match.Status.CANCELLED):
        return
    winner = Seat.objects.filter(match=match, won=True).values_list("user_id", flat=True).first()
    if winner is None:
        end_challenge(tx, challenge, "not_played", loser=None)
    else:
        tx.end(challenge, LadderChallenge.Status.DONE, winner=winner)
        tx.record("result", match=match, **challenge_facts(challenge), winner=winner)
    tx.commit()


def _count_season_match(tx: LadderTransaction, match_id: str) -> None:
    """Count a rated match that was not played for the ladder in the season of both players."""
    if LadderEvent.objects.filter(ladder=tx.ladder, match=match_id).exists():
        return
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.order_by("-side"))
    winner = next((seat.user_id for seat in seats if seat.won), None)
    rows = [tx.state.rows.get(seat.user_id) for seat in seats]
    since = match.started_at
    if winner is None or since is None or not all(row is not None and row.joined_at <= since for row in rows):
        return
    white, black = (seat.user_id for seat in seats)
    tx.record("result", match=match, challenger=white, defender=black, winner=winner)
    tx.commit()


def _counting(ladder: Ladder) -> Q:
    """The matches that count in a season besides those of its challenges: rated, of its game, not shorter (L8)."""
    return Q(
        status=Match.Status.OVER,
        rated=True,
        source="",
        variant=ladder.variant,
        length__gte=ladder.length,
        ended_at__gte=ladder.season_started_at,
    ) & ~(Q(winner="") | Q(ladder_challenge__ladder=ladder))


def _seasons() -> list[Ladder]:
    return list(Ladder.objects.filter(kind=Ladder.Kind.SEASON, status=Ladder.Status.OPEN).order_by("pk"))


def _seasons_of(match_id: str) -> list[str]:
    return [ladder.pk for ladder in _seasons() if Match.objects.filter(_counting(ladder), pk=match_id).exists()]


def lost_results(moment: datetime, *, user: User | None = None) -> list[str]:
    """The ids of the finished matches (of `user`, or of all) whose result did not reach a ladder."""
    ended = LadderChallenge.objects.filter(
        status=LadderChallenge.Status.ACCEPTED, match__status__in=(Match.Status.OVER, Match.Status.CANCELLED)
    )
    if user is not None:
        ended = ended.filter(Q(challenger=user) | Q(defender=user))
    found = list(ended.order_by("pk").values_list("match_id", flat=True)[:MOST])
    for ladder in _seasons():
        found += _missed(ladder, moment, user=user)[:MOST]
    return found


def count_missed_results(tx: LadderTransaction) -> None:
    """Count what was played so far and has been missed, before a season ends or a ladder closes (L12)."""
    for challenge in tx.open_challenges():
        if challenge.match is not None and challenge.status == LadderChallenge.Status.ACCEPTED:
            count_result(tx, challenge, challenge.match)
    if tx.ladder.kind == Ladder.Kind.SEASON:
        for match_id in _missed(tx.ladder, tx.moment):
            _count_season_match(tx, match_id)


def _missed(ladder: Ladder, moment: datetime, *, user: User | None = None) -> list[str]:
    """The matches of the last days that count in the season of both players and have not been counted."""
    since = {row.user_id: row.joined_at for row in ladder.players.filter(rank__isnull=False)}
    recent = Match.objects.filter(_counting(ladder), ended_at__gte=moment - LOOK_BACK)
    if user is not None:
        recent = recent.filter(seats__user=user)
    counted = LadderEvent.objects.filter(ladder=ladder, match__isnull=False).values("match_id")
    seats = Seat.objects.filter(match__in=recent.exclude(pk__in=counted), user_id__in=since).order_by("match__ended_at")
    both: dict[str, int] = {}
    for match_id, user_id, started in seats.values_list("match_id", "user_id", "match__started_at"):
        both[match_id] = both.get(match_id, 0) + (started is not None and since[user_id] <= started)
    return [match_id for match_id, there in both.items() if there == 2]
