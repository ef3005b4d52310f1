"""Computer opponents made of a judge, which only values boards: GNU Backgammon, or the small nets of this project.

A judge sees boards (`games.bots.engine_boards`) and stakes, and knows neither rules nor positions. `JudgedEngine` makes
a computer opponent of it, `analysis.judged_analyst` an analyst; both take the legal actions from the position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from games.bots.cube_equity import CubeValue, mirrored, won
from games.bots.engine import EngineMissing, RatedAction
from games.bots.engine_boards import Board, after, board_of
from games.bots.offers import accepts_resignation, wins_match
from games.bots.sage import COURTESY, Stakes
from games.engine import Position, Side, opponent

DEEP = 5
"""The effort from which the best plays are judged again, one roll ahead."""
NEAR, MOST = 0.09, 4
"""Only plays within this equity of the best are judged again, and at most so many."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A board after a play: its equity for the side that moved, and the chances without the cube."""

    equity: float
    chances: list[float]


@dataclass(frozen=True, slots=True)
class JudgedRoll:
    """A board before a roll: what holding and doubling are worth to the side on roll, and the chances."""

    cube: CubeValue
    chances: list[float]


class Judge(Protocol):
    """Values boards. One object serves all threads and processes; the same arguments give the same answer."""

    name: str
    deepest: int
    """How many rolls it can look ahead."""

    def reason(self) -> str | None:
        """Why it cannot run on this machine, in plain English; None when it can. Loads nothing heavy."""

    def version(self) -> str:
        """The name with the version, for the rows of an analysis."""

    def after_plays(self, boards: Sequence[Board], stakes: Stakes, *, ahead: int = 0) -> list[Judged]:
        """Value boards after a play for the side that moved, whose `stakes` they are."""

    def before_roll(self, board: Board, stakes: Stakes, *, ahead: int = 0) -> JudgedRoll:
        """Value a board for the side that is about to roll or to double."""

    def to_chance(self, equity: float, stakes: Stakes) -> float:
        """The chance to win the match, from an equity."""

    def match_chance(self, away: int, opponent_away: int, *, post_crawford: bool) -> float:
        """The chance to win the match before a game."""


class JudgedEngine:
    """A computer opponent that plays as a judge values the boards. It never resigns."""

    variants: ClassVar[frozenset[str]] = frozenset({"backgammon", "nackgammon"})
    options: ClassVar[frozenset[str]] = frozenset({"cube", "cube_cap", "crawford"})

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    @property
    def name(self) -> str:
        """The display name."""
        return self.judge.name

    def available(self) -> bool:
        """Whether the judge can run here."""
        return self.judge.reason() is None

    def reason(self) -> str | None:
        """Why it cannot."""
        return self.judge.reason()

    def choose(self, position: Position, score_view: Mapping[str, Any], side: Side) -> str:
        """The best action of `side`; see `Engine.choose`."""
        self._require_available()
        if position.turn == "chance" and side in position.rollers:
            return "roll"
        return self.rate_actions(position, score_view, side)[0].action

    def rate_actions(
        self, position: Position, score_view: Mapping[str, Any], side: Side, *, effort: int = 1
    ) -> list[RatedAction]:
        """The legal actions of `side`, the best first; from effort `DEEP` on with a look ahead, where there is one."""
        self._require_available()
        actions = list(position.actions()) if position.turn == side else []
        if not actions:
            raise ValueError(f"{side} has nothing to decide")
        if len(actions) == 1:
            return [RatedAction(actions[0], 0.0)]
        view, ahead = position.view(None), min(effort // DEEP, self.judge.deepest)
        if "take" in actions:
            return self._rate_answers(view, score_view, side, ahead)
        stakes, board = Stakes.of(view, score_view, side), board_of(view, side)
        if "double" in actions:
            cube = self.judge.before_roll(board, stakes, ahead=ahead).cube
            offered = min(cube.double_take, cube.double_drop)
            return _sorted([RatedAction("roll", cube.hold), RatedAction("double", offered)])
        rated = self._rated(actions, board, stakes, 0)
        near = [each.action for each in rated[:MOST] if rated[0].equity - each.equity <= NEAR]
        if not ahead or len(near) == 1:
            return rated
        deeper = self._rated(near, board, stakes, ahead)
        fall = max(0.0, rated[len(near) - 1].equity - deeper[-1].equity)
        return [*deeper, *(RatedAction(each.action, each.equity - fall) for each in rated[len(near) :])]

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Accept the most that can be won, what wins the match, and the equity of playing on (within `COURTESY`)."""
        self._require_available()

        def is_enough(points: int) -> bool:
            view = position.view(None)
            stakes = Stakes.of(view, score_view, opponent(side))
            playing_on = -self.judge.before_roll(board_of(view, opponent(side)), stakes).cube.hold
            return won(points, mirrored(stakes)) >= playing_on - COURTESY

        return accepts_resignation(position, score_view, side, level, is_enough=is_enough)

    def _rated(self, actions: Sequence[str], board: Board, stakes: Stakes, ahead: int) -> list[RatedAction]:
        judged = self.judge.after_plays([after(board, play) for play in actions], stakes, ahead=ahead)
        return _sorted([RatedAction(play, each.equity) for play, each in zip(actions, judged, strict=True)])

    def _rate_answers(
        self, view: Mapping[str, Any], score_view: Mapping[str, Any], side: Side, ahead: int
    ) -> list[RatedAction]:
        doubler = opponent(side)
        stakes = Stakes.of(view, score_view, doubler)
        cube = self.judge.before_roll(board_of(view, doubler), stakes, ahead=ahead).cube
        take, drop = RatedAction("take", -cube.double_take), RatedAction("drop", -cube.double_drop)
        if wins_match(score_view, doubler, stakes.value):
            return [take, RatedAction("drop", take.equity - 1.0)]  # dropping loses the match
        return _sorted([take, drop])

    def _require_available(self) -> None:
        if reason := self.judge.reason():
            raise EngineMissing(reason)


def _sorted(rated: list[RatedAction]) -> list[RatedAction]:
    return sorted(rated, key=lambda each: (-each.equity, each.action))
