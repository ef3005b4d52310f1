"""Positions for the rules: the notation of a board in a test, and many boards made by seeded random play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from backgammon.rules import RULES, VARIANTS, Board, Position, Score, plays_of

Dice = tuple[int, int]


def board(own: dict[int, int], opposing: dict[int, int] | None = None, *, checkers: int = 15) -> Board:
    """A board from the mover's and the opponent's checkers, each ``{point: count}`` in the MOVER's numbering.

    25 is the bar of either side and 26 its stock; checkers not listed are off.
    """
    opposing = opposing or {}
    wire = [0] * 30
    for point, count in own.items():
        wire[{25: 1, 26: 0}.get(point, point + 2)] += count
    for point, count in opposing.items():
        wire[{25: 28, 26: 27}.get(point, point + 2)] += count if point >= 25 else -count
    wire[2] = checkers - sum(own.values())
    wire[29] = checkers - sum(opposing.values())
    return Board.from_wire(wire, checkers=checkers, stock=True)


def to_move(
    own: dict[int, int],
    opposing: dict[int, int] | None = None,
    *,
    dice: Dice | None,
    variant: str = "backgammon",
    score: Score | None = None,
    **options: object,
) -> Position:
    """White's position with these checkers, and dice to move, or (None) before the roll."""
    rules = RULES[variant]
    start = rules.start(score or Score(5), options)
    snapshot = start.snapshot() | {
        "board": board(own, opposing, checkers=VARIANTS[variant].checkers).to_wire(),
        "phase": "move" if dice else "roll",
        "dice": list(dice) if dice else None,
    }
    return rules.restore(snapshot)


def game(*actions: str, score: Score | None = None, variant: str = "backgammon", **options: object) -> Position:
    """A game from its start through these actions."""
    position = RULES[variant].start(score or Score(5), options)
    for action in actions:
        position = position.after(action)
    return position


def played(seed: int, *, variant: str = "backgammon") -> Iterator[tuple[Board, Dice]]:
    """The boards and dice of endless games of random plays, to race and bearing off and back."""
    chance = Random(seed)
    while True:
        seen = VARIANTS[variant].board
        while seen.off < VARIANTS[variant].checkers and seen.opponent_off < VARIANTS[variant].checkers:
            dice = (chance.randint(1, 6), chance.randint(1, 6))
            yield seen, dice
            results = _results(seen, dice)
            seen = (chance.choice(results) if results else seen).flipped()


def scattered(seed: int, *, checkers: int = 15, stock: bool = False) -> Iterator[tuple[Board, Dice]]:
    """Endless boards on which checkers lie anywhere, often on the bar, at home or off: what play seldom reaches.

    With `stock` some checkers of both are not entered yet, now and then.
    """
    chance = Random(seed)
    while True:
        wire = [0] * 30
        spread = chance.choice([6, 8, 24])
        waiting = chance.choice([0, 1, 4]) if stock else 0
        wire[0], wire[27] = waiting, waiting
        for sign, bar, off in ((1, 1, 2), (-1, 28, 29)):
            for _ in range(checkers - waiting):
                point = chance.randint(1, spread)
                index = 2 + (point if sign > 0 else 25 - chance.randint(1, chance.choice([6, 24])))
                draw = chance.random()
                if draw < 0.06:
                    wire[bar] += 1
                elif draw < 0.2 or wire[index] * sign < 0:
                    wire[off] += 1
                else:
                    wire[index] += sign
        yield Board.from_wire(wire, checkers=checkers, stock=stock), (chance.randint(1, 6), chance.randint(1, 6))


def _results(seen: Board, dice: Dice) -> list[Board]:
    return plays_of(seen.code, dice).boards
