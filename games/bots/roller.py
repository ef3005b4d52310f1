"""The computer at acey-deucey and hypergammon: one roll of expectation over a readable evaluation.

It plays through the contract of `games.engine` alone: a play is tried with ``after``, what the rival may roll with
``dice``, and his best answer is again what the rules call legal. Nothing here knows how a man moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from games.bots.engine import DRAW, Judged
from games.bots.outlook import outlook
from games.engine import SIDES, Position, Side, rival

LOOKS = {1: 0, 2: 0, 3: 0, 4: 2, 5: 4}
"""How many of the plays that look best are held against every roll of the rival, by effort."""
NEAR = 0.12
"""Plays that look this much worse than the best are not looked at again."""
MOST_ANSWERS = 8
"""The answers of the rival that are weighed after each roll; the rules list them in the order of the board."""
NAMED = 0.16
"""What it is worth to name a double and roll again (ruling A4)."""
OWNING, ACCESS = 0.12, 0.05
"""What it is worth to own the cube, and to be able to turn it: in games at the cube as it stands."""

ROLLS = tuple((f"dice {a}{b}", 1 if a == b else 2) for a, b in combinations_with_replacement(range(1, 7), 2))
"""The 21 rolls, with how many of 36 each is."""


class Roller:
    """Acey-deucey and hypergammon behind `games.bots.engine.Engine`."""

    name: ClassVar[str] = "Roller"
    variants: ClassVar[frozenset[str]] = frozenset({"acey-deucey", "hypergammon"})
    options: ClassVar[frozenset[str]] = frozenset({"cube", "cube_cap", "crawford"})

    def available(self) -> bool:
        """It needs nothing but this project."""
        return True

    def reason(self) -> str | None:
        """Nothing stands in its way."""
        return None

    def choose(self, position: Position, score_view: Mapping[str, Any], side: Side) -> str:
        """The best action of `side`; see `Engine.choose`."""
        if position.turn == "chance" and side in position.rollers:
            return "roll"
        return self.judged(position, score_view, side)[0].action

    def judged(self, position: Position, score_view: Mapping[str, Any], side: Side, *, effort: int = 5) -> list[Judged]:
        """The legal actions of `side`, the best first: as they look, and the best of them against every roll."""
        actions = list(position.actions()) if position.turn == side else []
        if not actions:
            raise ValueError(f"{side} has nothing to decide")
        if len(actions) == 1:
            return [Judged(actions[0], 0.0)]
        if "take" in actions or "double" in actions:
            return _cube(position, score_view, side, actions)
        if actions[0].startswith("name"):
            return _sorted([Judged(name, _best(position.after(name), side)) for name in actions])
        played = {action: position.after(action) for action in actions}
        looks = _sorted([Judged(action, worth(after, side)) for action, after in played.items()])
        near = [one for one in looks[: LOOKS[effort]] if looks[0].equity - one.equity <= NEAR]
        if len(near) < 2:
            return looks
        weighed = _sorted([Judged(one.action, expected(played[one.action], side)) for one in near])
        worst = weighed[-1].equity
        return [*weighed, *(Judged(one.action, min(one.equity, worst)) for one in looks[len(near) :])]

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Accepts whatever is offered, as long as the rules let it be offered; these games are never drawn."""
        if level == DRAW:
            return False
        if level not in dict(position.resignations(rival(side))):
            raise ValueError(f"{rival(side)} cannot resign at level {level} here")
        return True


def worth(position: Position, side: Side) -> float:
    """What a position is worth to `side` as it looks, without rolling any further."""
    if position.outcome is not None:
        return 0.0 if position.outcome.winner is None else 1.0 if position.outcome.winner == side else -1.0
    rolls = position.rollers[0] if position.rollers else position.turn
    mover: Side = rolls if rolls in SIDES else side
    bonus = NAMED if position.turn == mover and "roll" not in position.may(mover) else 0.0
    equity = outlook(position.view(None), mover, mover)
    equity = min(1.0, equity + bonus)
    return equity if mover == side else -equity


def expected(position: Position, side: Side) -> float:
    """What a position is worth to `side` on average over the next roll, its roller playing what then looks best."""
    roller = position.turn
    if roller not in SIDES or "roll" not in position.actions():
        return worth(position, side)
    rolling = position.after("roll")
    total = sum(weight * _best(rolling.after(roll), roller) for roll, weight in ROLLS) / 36
    return total if roller == side else -total


def _best(position: Position, mover: Side) -> float:
    """The best that `mover`, whose dice are on the board, can make of them."""
    plays = list(position.actions()) if position.turn == mover else []
    step = max(1, len(plays) // MOST_ANSWERS)
    return max((worth(position.after(play), mover) for play in plays[::step]), default=worth(position, mover))


def _cube(position: Position, score_view: Mapping[str, Any], side: Side, actions: list[str]) -> list[Judged]:
    """Double or roll, take or drop, by the race alone: owning the cube is worth something, and no more is counted."""
    value = position.view(None)["cube"]["value"]
    doubler = rival(side) if "take" in actions else side
    length = score_view["length"]
    equity = worth(position, doubler) if doubler == side else -worth_of_rival(position, side)
    free = bool(length) and length - score_view[rival(doubler)] <= value
    taken = 2 * (equity - (0.0 if free else OWNING))
    if doubler == side:
        hold = equity + (0.0 if free else ACCESS)
        return _sorted([Judged("roll", hold), Judged("double", min(taken, 1.0) if not free else max(taken, hold + 1))])
    lost = bool(length) and length - score_view[doubler] <= value
    return _sorted([Judged("take", -taken), Judged("drop", -taken - 1.0 if lost else -1.0)])


def worth_of_rival(position: Position, side: Side) -> float:
    """What the position before the roll of the doubler is worth to `side`, who answers the double."""
    return outlook(position.view(None), side, rival(side))


def _sorted(judged: list[Judged]) -> list[Judged]:
    return sorted(judged, key=lambda one: (-one.equity, one.action))
