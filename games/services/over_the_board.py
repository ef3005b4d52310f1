"""Matches over the board: results that a club enters, without moves, which may count in the ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from games.database import now
from games.engine import SIDES, Side
from games.errors import Refused
from games.models import OVER_THE_BOARD, Match, ResultCorrection, Seat
from games.services import match_sql, ratings

Player = User | str  # a member, or a name without an account
MAX_NAME_LENGTH, MAX_TITLE_LENGTH = 80, 120


def board_match_record(
    *,
    creator: User,
    variant: str,
    length: int,
    players: tuple[Player, Player],
    points: Sequence[float],
    winner: Side,
    played_at: datetime,
    rated: bool,
    title: str,
    from_url: str,
    options: Mapping[str, Any] | None = None,
) -> Match:
    """Record the result of a match over the board, White's player first; `rated`: it counts, if both are members.

    The caller makes sure, in its transaction, that a match is recorded once. Raises Refused: board_players,
    board_score.
    """
    first, second = players
    if first == second or not all(isinstance(each, User) or each.strip() for each in players):
        raise Refused("board_players")
    check_score(length, points, winner)
    members = all(isinstance(each, User) and not (each.is_guest or each.is_bot) for each in players)
    with transaction.atomic():
        match = Match.objects.create(
            variant=variant,
            length=length,
            options=dict(options or {}),
            source=OVER_THE_BOARD,
            clock_preset="none",
            status=Match.Status.OVER,
            rated=rated and members,
            arranged=True,
            creator=creator,
            title=title[:MAX_TITLE_LENGTH],
            from_url=from_url,
            created_at=now(),
            started_at=played_at,
            ended_at=played_at,
            winner=winner,
            ended_by=Match.EndedBy.SCORE,
        )
        seats = [_seat(match, *each) for each in zip(SIDES, players, points, strict=True)]
        Seat.objects.bulk_create(seats)
        ratings.match_rate(match, seats)
    return match


def board_match_change(
    *, match_id: str, by: User | None, winner: Side | None, points: Sequence[float] = (0, 0), counts: bool, reason: str
) -> bool:
    """Correct a match over the board to what its club says now; whether anything changed.

    No `winner`: the result was withdrawn, and counts no longer. Its row, its line in the log of ratings and each
    correction stay. Raises Refused: board_score.
    """
    with transaction.atomic():
        match = match_sql.match_lock(match_id)
        if match is None or not match.over_the_board:
            return False
        if winner is not None:
            check_score(match.length, points, winner)
        seats = list(match.seats.select_related("user").order_by("-side"))
        before = _result(match, seats)
        for seat, each in zip(seats, points, strict=True):
            seat.points = each
            seat.won = None if winner is None else seat.side == winner
            seat.save(update_fields=["points", "won"])
        match.winner = winner or ""
        match.ended_by = Match.EndedBy.STOPPED if winner is None else Match.EndedBy.SCORE
        match.save(update_fields=["winner", "ended_by"])
        if (before["winner"], before["counts"]) != (winner, counts and winner is not None):
            ratings.correct_log(match, seats, counts=counts and winner is not None)
        after = _result(match, seats)
        if after == before:
            return False
        ResultCorrection.objects.create(
            match=match, by=by or match.creator, at=now(), reason=reason, before=before, after=after
        )
    return True


def check_score(length: int, points: Sequence[float], winner: Side) -> None:
    """Raises Refused("board_score") unless the winner has the points of the match, and the loser fewer."""
    won, lost = points if winner == SIDES[0] else reversed(points)
    if not won >= length > lost >= 0:
        raise Refused("board_score", params={"length": length})


def _seat(match: Match, side: Side, player: Player, points: float) -> Seat:
    user, name = (player, "") if isinstance(player, User) else (None, player.strip()[:MAX_NAME_LENGTH])
    return Seat(
        match=match,
        side=side,
        user=user,
        written_name=name,
        points=points,
        won=side == match.winner,
        ended_at=match.ended_at,
    )


def _result(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    return {
        "winner": match.winner or None,
        "points": [seat.points for seat in seats],
        "counts": ratings.counts_now(match),
    }
