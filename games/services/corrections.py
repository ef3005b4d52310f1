"""Correcting the result of a finished match: a director's decision, stored beside what was played."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.clubs.roles import directed_clubs, may_direct
from accounts.clubs.services import default_club_ensure
from accounts.models import Club, User
from accounts.web.staff import acts_as_staff
from games.database import now
from games.engine import SIDES, Json, Side
from games.errors import NotFound, Refused
from games.models import Match, ResultCorrection, SeatFacts
from games.services import match_sql, ratings
from games.signals import correcting_club_asked

MAX_REASON_LENGTH = 200


def result_correct(
    *, match_id: str, by: User, winner: Side | None, counts: bool, reason: str
) -> ResultCorrection | None:
    """Set the winner of a finished match (None: nobody), and whether it counts in ratings; None where nothing changes.

    The match and its seats get the new winner, the line in the log changes or is annulled, and the pool is folded again
    from that line on. The recorded actions stay as they are, and so do tournaments and ladders: their directors correct
    those at their desks. The winner of a match of a tournament is corrected there alone.

    Raises NotFound, Refused: not_director, not_over, archived_result, winner, winner_at_desk, reason.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise NotFound
    club, at_desk = _club_of(match)
    if not may_direct(by, club or default_club_ensure()):
        raise Refused("not_director")
    if winner is not None and winner not in SIDES:
        raise Refused("winner")
    if at_desk and winner != (match.winner or None):
        raise Refused("winner_at_desk")
    reason = " ".join(reason.split())
    if not reason or len(reason) > MAX_REASON_LENGTH or not reason.isprintable():
        raise Refused("reason")
    return _correct(match_id, by, winner, counts=counts, reason=reason)


def correctable(match: Match, user: User | None) -> frozenset[str]:
    """The parts of a finished match that `user` may correct: its `winner`, and whether it `counts` in the ratings."""
    if match.source:
        return frozenset()
    staff, clubs = acts_as_staff(user), directed_clubs(user)
    if not (staff or clubs):  # nearly everybody: whose match it is need not be asked
        return frozenset()
    club, at_desk = _club_of(match)
    if not (staff or any(each.is_default if club is None else each == club for each in clubs)):
        return frozenset()
    parts = {"winner": not at_desk, "counts": match.rated}
    return frozenset(part for part, possible in parts.items() if possible)


def _club_of(match: Match) -> tuple[Club | None, bool]:
    """The club whose directors correct a match, and whether its winner is corrected only where it was arranged.

    It is the club that the app which arranged the match names; of any other match the site's (None), which keeps the
    ratings.
    """
    if not match.arranged:
        return None, False
    answers: list[tuple[Any, Any]] = correcting_club_asked.send(sender=Match, match_id=match.pk)
    club = next((club for _receiver, club in answers if club is not None), None)
    return club, club is None


def arranged_correct(
    *, match_id: str, by: User, winner: Side | None, counts: bool, reason: str
) -> ResultCorrection | None:
    """Correct an arranged match for its organisers: the caller checks permission; `reason` is cut to 200 characters.

    A match that a director of the club annulled does not count again, whatever they set.

    Raises NotFound, Refused: not_over, archived_result; ValueError for a match that nobody arranged.
    """
    if not Match.objects.filter(pk=match_id, arranged=True).exists():
        raise ValueError(f"not an arranged match: {match_id}")
    reason = " ".join(reason.split())[:MAX_REASON_LENGTH]
    return _correct(match_id, by, winner, counts=counts, reason=reason, arranged=True)


def _correct(
    match_id: str, by: User, winner: Side | None, *, counts: bool, reason: str, arranged: bool = False
) -> ResultCorrection | None:
    with transaction.atomic():
        match = match_sql.match_lock(match_id)
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
    return {"winner": match.winner or None, "counts": ratings.counts_now(match)}


def _annulled(match: Match) -> bool:
    """Whether the last correction by a director of the club says that the match does not count."""
    last = match.corrections.exclude(after__has_key="arranged").order_by("pk").last()
    return last is not None and not last.after["counts"]


def _decide(match: Match, winner: Side | None, *, counts: bool) -> None:
    if match.winner != (winner or ""):
        match.winner = winner or ""
        match.save(update_fields=["winner"])
        for seat in match.seats.all():
            seat.won = None if winner is None else seat.side == winner
            seat.save(update_fields=["won"])
            SeatFacts.objects.filter(seat=seat).update(won=seat.won)
    elif ratings.counts_now(match) == counts:
        return
    ratings.correct_log(match, list(match.seats.select_related("user")), counts=counts)
