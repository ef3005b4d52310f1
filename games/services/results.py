"""Correcting the result of a finished match: a director's word, kept beside what was played."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.roles import directs
from accounts.services import club_ensure_default
from games.database import now
from games.engine import SIDES, Json, Side
from games.errors import NotFound, Refused
from games.models import Match, ResultCorrection, SeatFacts
from games.services import ratings, rows

LONGEST_REASON = 200


def result_correct(
    *, match_id: str, by: User, winner: Side | None, counts: bool, reason: str
) -> ResultCorrection | None:
    """Say who won a finished match (None: nobody), and whether it counts in the ratings; None where nothing changes.

    The match and its seats get the new winner, the line in the log changes or is annulled, and the pool is folded again
    from that line on. The record of the play stays as it is, and so do tournaments and ladders: their directors correct
    those at their desks.

    Raises NotFound, Refused: not_director, not_over, archived_result, winner, reason.
    """
    if not directs(by, club_ensure_default()):
        raise Refused("not_director")
    if winner is not None and winner not in SIDES:
        raise Refused("winner")
    reason = " ".join(reason.split())
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise Refused("reason")
    with transaction.atomic():
        match = rows.match_lock(match_id)
        if match is None:
            raise NotFound
        if match.status != Match.Status.OVER:
            raise Refused("not_over")
        if match.source:
            raise Refused("archived_result")
        before = _result(match)
        _decide(match, winner, counts=counts)
        after = _result(match)
        if after == before:
            return None
        return ResultCorrection.objects.create(match=match, by=by, at=now(), reason=reason, before=before, after=after)


def _result(match: Match) -> Json:
    return {"winner": match.winner or None, "counts": ratings.counted(match)}


def _decide(match: Match, winner: Side | None, *, counts: bool) -> None:
    if match.winner != (winner or ""):
        match.winner = winner or ""
        match.save(update_fields=["winner"])
        for seat in match.seats.all():
            seat.won = None if winner is None else seat.side == winner
            seat.save(update_fields=["won"])
            SeatFacts.objects.filter(seat=seat).update(won=seat.won)
    elif ratings.counted(match) == counts:
        return
    ratings.correct(match, list(match.seats.select_related("user")), counts=counts)
