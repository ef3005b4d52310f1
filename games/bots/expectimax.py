"""The computer at acey-deucey and hypergammon: one roll of expectation over a readable evaluation.

It plays through the contract of `games.engine` alone: plays are tried with ``after``, the opponent's rolls with
``dice``, and the answers are the legal actions again. It has no code for moving checkers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from games.bots.engine import DRAW, RatedAction
from games.bots.evaluation import position_equity
from games.engine import SIDES, Position, Side, opponent

TESTED_PLAYS = {1: 0, 2: 0, 3: 0, 4: 2, 5: 4}
"""How many of the best plays are tested against every roll of the opponent, by effort."""
NEAR = 0.12
"""Plays this much worse than the best are not tested further."""
MOST_ANSWERS = 8
"""The most answers of the opponent that are evaluated after each roll, in the order of the rules."""
NAMED = 0.16
"""The equity of naming a double and rolling again (ruling A4)."""
OWNING, ACCESS = 0.12, 0.05
"""The equity of owning the cube, and of being able to turn it."""

ROLLS = tuple((f"dice {a}{b}", 1 if a == b else 2) for a, b in combinations_with_replacement(range(1, 7), 2))
"""The 21 rolls, with how many of 36 each is."""


class Expectimax:
    """Acey-deucey and hypergammon behind `games.bots.engine.Engine`."""

    name: ClassVar[str] = "Roller"
    variants: ClassVar[frozenset[str]] = frozenset({"acey-deucey", "hypergammon"})
    options: ClassVar[frozenset[str]] = frozenset({"cube", "cube_cap", "crawford"})

    def available(self) -> bool:
        """True: it needs nothing but this project."""
        return True

    def reason(self) -> str | None:
        """None: it is always available."""
        return None

    def choose(self, position: Position, score_view: Mapping[str, Any], side: Side) -> str:
        """The best action of `side`; see `Engine.choose`."""
        if position.turn == "chance" and side in position.rollers:
            return "roll"
        return self.rate_actions(position, score_view, side)[0].action

    def rate_actions(
        self, position: Position, score_view: Mapping[str, Any], side: Side, *, effort: int = 5
    ) -> list[RatedAction]:
        """The legal actions of `side`, the best first: by evaluation, and the best of them by expectation."""
        actions = list(position.actions()) if position.turn == side else []
        if not actions:
            raise ValueError(f"{side} has nothing to decide")
        if len(actions) == 1:
            return [RatedAction(actions[0], 0.0)]
        if "take" in actions or "double" in actions:
            return _cube(position, score_view, side, actions)
        if actions[0].startswith("name"):
            return _sorted([RatedAction(name, _best(position.after(name), side)) for name in actions])
        played = {action: position.after(action) for action in actions}
        evaluated = _sorted([RatedAction(action, worth(after, side)) for action, after in played.items()])
        near = [play for play in evaluated[: TESTED_PLAYS[effort]] if evaluated[0].equity - play.equity <= NEAR]
        if len(near) < 2:
            return evaluated
        tested = _sorted([RatedAction(play.action, expected(played[play.action], side)) for play in near])
        worst = tested[-1].equity
        return [*tested, *(RatedAction(play.action, min(play.equity, worst)) for play in evaluated[len(near) :])]

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Accept any legal resignation; these games are never drawn."""
        if level == DRAW:
            return False
        if level not in dict(position.resignations(opponent(side))):
            raise ValueError(f"{opponent(side)} cannot resign at level {level} here")
        return True


def worth(position: Position, side: Side) -> float:
    """The equity of a position for `side`, without any further roll."""
    if position.outcome is not None:
        return 0.0 if position.outcome.winner is None else 1.0 if position.outcome.winner == side else -1.0
    rolls = position.rollers[0] if position.rollers else position.turn
    mover: Side = rolls if rolls in SIDES else side
    bonus = NAMED if position.turn == mover and "roll" not in position.may(mover) else 0.0
    equity = position_equity(position.view(None), mover, mover)
    equity = min(1.0, equity + bonus)
    return equity if mover == side else -equity


def expected(position: Position, side: Side) -> float:
    """The expected equity of a position for `side` over the next roll, with the best play by evaluation."""
    roller = position.turn
    if roller not in SIDES or "roll" not in position.actions():
        return worth(position, side)
    rolling = position.after("roll")
    total = sum(weight * _best(rolling.after(roll), roller) for roll, weight in ROLLS) / 36
    return total if roller == side else -total


def _best(position: Position, mover: Side) -> float:
    """The equity of the best play of `mover`, whose dice are rolled."""
    plays = list(position.actions()) if position.turn == mover else []
    step = max(1, len(plays) // MOST_ANSWERS)
    return max((worth(position.after(play), mover) for play in plays[::step]), default=worth(position, mover))


def _cube(position: Position, score_view: Mapping[str, Any], side: Side, actions: list[str]) -> list[RatedAction]:
    """Rate cube actions: double or roll, take or drop, with a constant value for owning the cube."""
    value = position.view(None)["cube"]["value"]
    doubler = opponent(side) if "take" in actions else side
    length = score_view["length"]
    equity = worth(position, doubler) if doubler == side else -worth_of_opponent(position, side)
    free = bool(length) and length - score_view[opponent(doubler)] <= value
    double_take = 2 * (equity - (0.0 if free else OWNING))
    if doubler == side:
        hold = equity + (0.0 if free else ACCESS)
        double = max(double_take, hold + 1) if free else min(double_take, 1.0)
        return _sorted([RatedAction("roll", hold), RatedAction("double", double)])
    lost = bool(length) and length - score_view[doubler] <= value
    return _sorted([RatedAction("take", -double_take), RatedAction("drop", -double_take - 1.0 if lost else -1.0)])


def worth_of_opponent(position: Position, side: Side) -> float:
    """The equity for `side`, which answers a double, before the doubler's roll."""
    return position_equity(position.view(None), side, opponent(side))


def _sorted(rated: list[RatedAction]) -> list[RatedAction]:
    return sorted(rated, key=lambda play: (-play.equity, play.action))
