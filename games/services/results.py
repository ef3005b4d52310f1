"""Correcting the result of a finished match: a director's word, kept beside what was played."""

from __future__ import annotations

from django.db import transaction

from accounts.models import Club, User
from accounts.roles import directs
from accounts.services import club_ensure_default
from games.database import now
from games.engine import SIDES, Json, Side
from games.errors import NotFound, Refused
from games.models import LadderChallenge, Match, ResultCorrection, SeatFacts
from games.services import ratings, rows

LONGEST_REASON = 200


def result_correct(
    *, match_id: str, by: User, winner: Side | None, counts: bool, reason: str
) -> ResultCorrection | None:
    """Say who won a finished match (None: nobody), and whether it counts in the ratings; None where nothing changes.

    The match and its seats get the new winner, the line in the log changes or is annulled, and the pool is folded again
    from that line on. The record of the play stays as it is, and so do tournaments and ladders: their directors correct
    those at their desks. Who won a match of a tournament is said there alone.

    Raises NotFound, Refused: not_director, not_over, archived_result, winner, winner_at_desk, reason.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise NotFound
    club, by_desk = _club_of(match)
    if not directs(by, club):
        raise Refused("not_director")
    if winner is not None and winner not in SIDES:
        raise Refused("winner")
    if by_desk and winner != (match.winner or None):
        raise Refused("winner_at_desk")
    reason = " ".join(reason.split())
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise Refused("reason")
    return _correct(match_id, by, winner, counts=counts, reason=reason)


def correctable(match: Match, user: User | None) -> frozenset[str]:
    """What `user` may correct of a finished match: its `winner`, and whether it `counts` in the ratings."""
    if match.source:
        return frozenset()
    club, by_desk = _club_of(match)
    parts = {"winner": not by_desk, "counts": match.rated}
    return frozenset(part for part, there in parts.items() if there) if directs(user, club) else frozenset()


def _club_of(match: Match) -> tuple[Club, bool]:
    """Whose directors correct a match, and whether its winner is said at the desk of a tournament alone.

    Of a ladder's match it is the club of the ladder; of any other the site's, whose the ratings are.
    """
    if not match.arranged:
        return club_ensure_default(), False
    challenge = LadderChallenge.objects.select_related("ladder__club").filter(match=match).first()
    return (challenge.ladder.club, False) if challenge is not None else (club_ensure_default(), True)


def arranged_correct(
    *, match_id: str, by: User, winner: Side | None, counts: bool, reason: str
) -> ResultCorrection | None:
    """The same of an arranged match, for those who arranged it: they ask who may, and why (cut to 200 letters).

    One that a director of the club annulled does not count again, whatever they say.

    Raises NotFound, Refused: not_over, archived_result; ValueError for a match that nobody arranged.
    """
    if not Match.objects.filter(pk=match_id, arranged=True).exists():
        raise ValueError(f"not an arranged match: {match_id}")
    reason = " ".join(reason.split())[:LONGEST_REASON]
    return _correct(match_id, by, winner, counts=counts, reason=reason, arranged=True)


def _correct(
    match_id: str, by: User, winner: Side | None, *, counts: bool, reason: str, arranged: bool = False
) -> ResultCorrection | None:
    with transaction.atomic():
        match = rows.match_lock(match_id)
        if match is None:
            raise NotFound
        if match.status != Match.Status.OVER:
            raise Refused("not_over")
        if match.source:
            raise Refused("archived_result")
        before = _result(match)
        _decide(match, winner, counts=counts and not (arranged and _annulled(match)))
        after = _result(match)
        if after == before:
            return None
        if arranged:
            after["arranged"] = True
        return ResultCorrection.objects.create(match=match, by=by, at=now(), reason=reason, before=before, after=after)


def _result(match: Match) -> Json:
    return {"winner": match.winner or None, "counts": ratings.counted(match)}


def _annulled(match: Match) -> bool:
    """Whether the last that a director of the club said of a match is that it does not count."""
    said = match.corrections.exclude(after__has_key="arranged").order_by("pk").last()
    return said is not None and not said.after["counts"]


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
