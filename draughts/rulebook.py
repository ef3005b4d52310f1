"""`RULES`: the rules of draughts, with the interface that live play expects (games/engine.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from draughts.options import TERMS, MatchOptions, Term

from .position import Position
from .score import Score


@dataclass(frozen=True, slots=True)
class DraughtsRules:
    """The rules of damas on 100 squares: how a match and a game start, and how both are restored from JSON."""

    key: str = "damas"
    name: str = "Damas"
    family: Literal["squares"] = "squares"
    lengths: tuple[int, ...] = (1, 2, 3, 5, 7)
    money: bool = False
    rating: Literal["glicko2"] = "glicko2"

    def terms(self, length: int) -> Mapping[str, Term]:
        """The options of a match, the same at every length (D2, D8)."""
        return TERMS

    def clock_kind(self, length: int) -> str:
        """``sudden``: minutes a side for each game, without delay; a flag loses the game (D9)."""
        return "sudden"

    def rating_weight(self, length: int) -> float:
        """The length of the match: ratings count its games one by one, since they can be drawn (R3)."""
        return float(length)

    def opening_score(self, length: int, options: Mapping[str, Any]) -> Score:
        """The score before the first game of a match to `length` (D9). Raises `ValueError`, for wrong options too."""
        MatchOptions.of(options)
        return Score(length)

    def start(self, score: Score, options: Mapping[str, Any]) -> Position:
        """The first position of a game at this score. Raises `ValueError` for wrong options."""
        return Position.start(score, options)

    def restore(self, snapshot: Mapping[str, Any]) -> Position:
        """Restore the position of a snapshot."""
        return Position.restore(snapshot)

    def restore_score(self, snapshot: Mapping[str, Any]) -> Score:
        """Restore the score of a snapshot."""
        return Score.restore(snapshot)


DAMAS = DraughtsRules()
RULES: dict[str, DraughtsRules] = {DAMAS.key: DAMAS}
