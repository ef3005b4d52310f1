"""An analyst made of a judge of boards (`games.bots.judge`): GNU Backgammon, or this project's own small nets.

The rules come from the position: each roll is tried with `Position.after`, and its plays are the legal actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from analysis.engine import Candidate, Chances, Cube, Depth, Plays, Roll
from games.bots.cube_equity import worth
from games.bots.engine import EngineMissing
from games.bots.engine_boards import Board, after, board_of
from games.bots.judge import Judge, JudgedEngine
from games.bots.sage import Stakes
from games.engine import Position, Side, opponent

AHEAD: Mapping[Depth, int] = {"quick": 0, "normal": 1, "deep": 2}
"""How many rolls a depth looks ahead, where the judge can."""
MOST, WITHIN = 4, 0.12
"""How many plays are judged with a look ahead, and within what distance of the best one."""


class JudgedAnalyst:
    """A judge behind `analysis.engine.Analyst`."""

    variants: ClassVar[frozenset[str]] = JudgedEngine.variants
    options: ClassVar[frozenset[str]] = JudgedEngine.options

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    @property
    def name(self) -> str:
        return self.judge.version()

    def available(self) -> bool:
        """Whether the judge can run here."""
        return self.judge.reason() is None

    def reason(self) -> str | None:
        """Why it cannot."""
        return self.judge.reason()

    def plays(
        self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth, played: str = ""
    ) -> Plays:
        """Every legal play, those judged deepest first; see `Analyst.plays`."""
        self._require_available()
        texts = [text for text in position.actions() if text not in ("roll", "double", "take", "drop")]
        if position.turn != side or not texts:
            raise ValueError(f"{side} has no play to choose")
        view = position.view(None)
        board, stakes = board_of(view, side), Stakes.of(view, score_view, side)
        screened = self._candidates(texts, board, stakes, 0)
        ahead = min(AHEAD[depth], self.judge.deepest)
        if not ahead or len(texts) == 1:
            return Plays(tuple(screened))
        chosen = [each.play for each in screened[:MOST] if each.loss <= WITHIN]
        chosen += [played] if played in texts and played not in chosen else []
        deeper = self._candidates(chosen, board, stakes, ahead)
        return Plays((*deeper, *(each for each in screened if each.play not in chosen)))

    def cube(self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth) -> Cube:
        """What holding and doubling are worth; see `Analyst.cube`. The market window is not known."""
        self._require_available()
        view = position.view(None)
        ahead = min(AHEAD[depth], self.judge.deepest)
        found = self.judge.before_roll(board_of(view, side), Stakes.of(view, score_view, side), ahead=ahead)
        return Cube(found.cube.hold, found.cube.double_take, found.cube.double_drop, Chances(*found.chances))

    def roll(
        self,
        position: Position,
        score_view: Mapping[str, Any],
        side: Side,
        dice: tuple[int, int],
        depth: Depth,
        *,
        opening: bool = False,
    ) -> Roll:
        """How lucky the dice were; see `Analyst.roll`."""
        self._require_available()
        dice = max(dice), min(dice)
        average = self._average(position, score_view, side, opening=opening)
        if opening:
            average = (average - self._average(position, score_view, opponent(side), opening=True)) / 2
        return Roll(self._rolls(position, score_view, side, [dice])[dice], average)

    def mwc(self, equity: float, position: Position, score_view: Mapping[str, Any], side: Side) -> float | None:
        """The chance to win the match; see `Analyst.mwc`."""
        stakes = Stakes.of(position.view(None), score_view, side)
        return self.judge.to_chance(equity, stakes) if stakes.match else None

    def score_mwc(self, score_view: Mapping[str, Any], side: Side) -> float | None:
        """The chance to win the match before a game; see `Analyst.score_mwc`."""
        if not score_view["length"]:
            return None
        if score_view[side] >= score_view["length"] or score_view[opponent(side)] >= score_view["length"]:
            return 1.0 if score_view[side] >= score_view["length"] else 0.0
        stakes = Stakes.of({"cube": None}, score_view, side)
        if not stakes.match:
            return 0.5
        late = 1 in (stakes.away, stakes.opponent_away) and not stakes.crawford
        return self.judge.match_chance(stakes.away, stakes.opponent_away, post_crawford=late)

    def _candidates(self, texts: Sequence[str], board: Board, stakes: Stakes, ahead: int) -> list[Candidate]:
        judged = self.judge.after_plays([after(board, text) for text in texts], stakes, ahead=ahead)
        found = sorted(zip(texts, judged, strict=True), key=lambda pair: (-pair[1].equity, pair[0]))
        best = found[0][1].equity
        return [
            Candidate(text, each.equity, best - each.equity, Chances(*each.chances), ahead + 1) for text, each in found
        ]

    def _average(self, position: Position, score_view: Mapping[str, Any], side: Side, *, opening: bool) -> float:
        """What a roll is worth to the side about to roll, on average.

        A judge that looks ahead is asked once. It counts doubles at an opening roll too, but for both sides alike.
        """
        if self.judge.deepest:
            view = position.view(None)
            stakes = Stakes.of(view, score_view, side)
            return worth(self.judge.before_roll(board_of(view, side), stakes, ahead=1).chances, stakes)
        return _average(self._rolls(position, score_view, side, _dice(opening)))

    def _rolls(
        self, position: Position, score_view: Mapping[str, Any], side: Side, rolls: Sequence[tuple[int, int]]
    ) -> dict[tuple[int, int], float]:
        """What each roll is worth to the side about to roll, with its best play."""
        view = position.view(None)
        board, stakes = board_of(view, side), Stakes.of(view, score_view, side)
        plays = {dice: _plays(position, side, dice) for dice in rolls}
        boards = list(dict.fromkeys(tuple(after(board, text)) for texts in plays.values() for text in texts))
        judged = self.judge.after_plays([list(each) for each in boards], stakes)
        equities = {each: found.equity for each, found in zip(boards, judged, strict=True)}
        return {dice: max(equities[tuple(after(board, text))] for text in texts) for dice, texts in plays.items()}

    def _require_available(self) -> None:
        if reason := self.reason():
            raise EngineMissing(reason)


def _dice(opening: bool) -> list[tuple[int, int]]:
    """The rolls, the higher die first; those of an opening have two different dice."""
    rolls = [(high, low) for low, high in combinations_with_replacement(range(1, 7), 2)]
    return [dice for dice in rolls if not opening or dice[0] != dice[1]]


def _plays(position: Position, side: Side, dice: tuple[int, int]) -> list[str]:
    """The legal plays of a roll of `side`; ``pass`` where there is none."""
    rolling = position if position.turn == "chance" else position.after("roll")
    for first, second in (dice, dice[::-1]):  # at an opening roll, each side has one die
        rolled = rolling.after(f"dice {first}{second}")
        if rolled.turn == side:
            return list(rolled.actions())
    return ["pass"]


def _average(equities: Mapping[tuple[int, int], float]) -> float:
    """Over all rolls; those of two unequal dice fall twice as often."""
    weights = {dice: 1 if dice[0] == dice[1] else 2 for dice in equities}
    return sum(equities[dice] * weights[dice] for dice in equities) / sum(weights.values())
