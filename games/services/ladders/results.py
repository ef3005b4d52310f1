"""Finished matches come to their ladders: each once, however often and by whomever they are told of."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from games.models import Ladder, LadderChallenge, LadderEvent, Match, Seat
from games.services.ladders.challenges import close
from games.services.ladders.desk import Desk

HEARD_WITHIN = timedelta(days=2)
MOST = 200


def match_over(*, match_id: str) -> None:
    """Take the result of a match to the ladder that it was played for, or to those whose season it counts in (L8).

    Again, for a match of no ladder, or for one that is not over, changes nothing.
    """
    found = LadderChallenge.objects.filter(match_id=match_id).values_list("pk", flat=True).first()
    if found is not None:
        with transaction.atomic():
            desk, challenge = Desk.lock_for(found)
            if challenge.status == LadderChallenge.Status.ACCEPTED and challenge.match is not None:
                take_result(desk, challenge, challenge.match)
    for ladder_id in _seasons_of(match_id):
        with transaction.atomic():
            _count(Desk.lock(ladder_id), match_id)


def take_result(desk: Desk, challenge: LadderChallenge, match: Match) -> None:
    """The result of an accepted challenge whose match is over; one that nobody won ends without a loser."""
    if match.status not in (Match.Status.OVER, Match.Status.CANCELLED):
        return
    winner = Seat.objects.filter(match=match, won=True).values_list("user_id", flat=True).first()
    if winner is None:
        close(desk, challenge, "not_played", loser=None)
    else:
        desk.end(challenge, LadderChallenge.Status.DONE, winner=winner)
        desk.record(
            "result",
            match=match,
            challenge=challenge.pk,
            challenger=challenge.challenger_id,
            defender=challenge.defender_id,
            winner=winner,
        )
    desk.commit()


def _count(desk: Desk, match_id: str) -> None:
    """A rated match that was not played for the ladder, in the season of both."""
    if LadderEvent.objects.filter(ladder=desk.ladder, match=match_id).exists():
        return
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.order_by("-side"))
    winner = next((seat.user_id for seat in seats if seat.won), None)
    rows = [desk.state.rows.get(seat.user_id) for seat in seats]
    since = match.started_at
    if winner is None or since is None or not all(row is not None and row.joined_at <= since for row in rows):
        return
    white, black = (seat.user_id for seat in seats)
    desk.record("result", match=match, challenger=white, defender=black, winner=winner)
    desk.commit()


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
    return [one.pk for one in _seasons() if Match.objects.filter(_counting(one), pk=match_id).exists()]


def lost_results(moment: datetime) -> list[str]:
    """The finished matches whose result did not reach a ladder, by id."""
    ended = LadderChallenge.objects.filter(
        status=LadderChallenge.Status.ACCEPTED, match__status__in=(Match.Status.OVER, Match.Status.CANCELLED)
    )
    found = list(ended.order_by("pk").values_list("match_id", flat=True)[:MOST])
    for ladder in _seasons():
        found += _missed(ladder, moment)[:MOST]
    return found


def take_missed(desk: Desk) -> None:
    """What was played before this moment and not yet heard of, before a season ends or a ladder closes (L12)."""
    for one in desk.open_calls():
        if one.match is not None and one.status == LadderChallenge.Status.ACCEPTED:
            take_result(desk, one, one.match)
    if desk.ladder.kind == Ladder.Kind.SEASON:
        for match_id in _missed(desk.ladder, desk.moment):
            _count(desk, match_id)


def _missed(ladder: Ladder, moment: datetime) -> list[str]:
    """The matches of the last days that count in the season of both players and have not come there."""
    since = {row.user_id: row.joined_at for row in ladder.players.filter(rank__isnull=False)}
    recent = Match.objects.filter(_counting(ladder), ended_at__gte=moment - HEARD_WITHIN)
    told = LadderEvent.objects.filter(ladder=ladder, match__isnull=False).values("match_id")
    seats = Seat.objects.filter(match__in=recent.exclude(pk__in=told), user_id__in=since).order_by("match__ended_at")
    both: dict[str, int] = {}
    for match_id, user_id, started in seats.values_list("match_id", "user_id", "match__started_at"):
        both[match_id] = both.get(match_id, 0) + (started is not None and since[user_id] <= started)
    return [match_id for match_id, there in both.items() if there == 2]
