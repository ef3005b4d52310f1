"""Rows of a match under lock at the beginning and the end of its games, and at its own end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.models import Game, Match, Seat
from games.replay import Result, State
from games.services import dice_chains


def game_create(match: Match, state: State, moment: datetime) -> None:
    """Create the row of the game that begins."""
    score = state.score.view()
    Game.objects.create(match=match, number=state.game, score_before=score, started_at=moment)


def game_end(match: Match, seats: Sequence[Seat], state: State, number: int, moment: datetime) -> None:
    """Save the outcome of game `number`, which `state` has just ended, and the points of both seats."""
    ended = state.ended or {}
    Game.objects.filter(match=match, number=number).update(
        winner=ended.get("winner") or "",
        points=ended.get("points", 0),
        kind=ended.get("kind", ""),
        ended_at=moment,
    )
    for seat in seats:
        seat.points = state.score.points(seat.side)
        seat.save(update_fields=["points"])


def match_end(match: Match, seats: Sequence[Seat], state: State, result: Result, moment: datetime) -> None:
    """Set the result on the match, which the caller saves, and save it on its game and its seats."""
    match.status = Match.Status.OVER
    match.winner = result.winner or ""
    dice_chains.close(match)
    match.ended_by = result.by
    match.ended_at = moment
    if result.by != Match.EndedBy.SCORE:
        # The current game has no winner: the match ended before it did.
        Game.objects.filter(match=match, number=state.game).update(ended_at=moment, kind=result.by)
    for seat in seats:
        seat.won = None if result.winner is None else seat.side == result.winner
        seat.ended_at = moment
        seat.save(update_fields=["won", "ended_at"])
