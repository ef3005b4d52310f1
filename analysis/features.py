"""Features of a board after a play: checkers open to a shot, points, anchors, primes. Pure.

Boards are those of `games.bots.engine_boards`, seen from the player who has just played: their checkers are positive,
the opponent's negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.bots.engine_boards import Board

HOME, POINTS, BAR, OPPONENT_BAR = 6, 24, 25, 0
OPPONENT_HOME = range(19, 25)
ACE = 24
"""The opponent's ace point: checkers who never moved stand there, which does not count as a made point."""
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
Frozen = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Features:
    """`shots` are the rolls of 36 with which the opponent hits one of the `blots` (the points of blots in reach).

    Single checkers in the opponent's home are left out: to be hit there costs little way.
    """

    blots: frozenset[int]
    shots: int
    points: frozenset[int]
    single: frozenset[int]
    anchors: frozenset[int]
    prime: int
    behind: int
    stack: int
    pips: int
    off: int
    hit: int

    @classmethod
    def of(cls, board: Board) -> Features:
        """The features of a board just after a play."""
        made = frozenset(n for n in range(1, ACE) if board[n] >= 2)
        hitting = {
            dice: {n for n in struck if n not in OPPONENT_HOME} for dice, struck in hitting_rolls(tuple(board)).items()
        }
        checkers = sum(count for count in board[1:] if count > 0)
        return cls(
            blots=frozenset(n for struck in hitting.values() for n in struck),
            shots=sum(1 if high == low else 2 for (high, low), struck in hitting.items() if struck),
            points=made,
            single=frozenset(n for n in range(1, POINTS + 1) if board[n] == 1),
            anchors=made.intersection(OPPONENT_HOME),
            prime=longest_prime(made),
            behind=sum(board[n] for n in (*OPPONENT_HOME, BAR) if board[n] > 0),
            stack=max((board[n] for n in range(1, POINTS + 1)), default=0),
            pips=sum(n * board[n] for n in range(1, BAR + 1) if board[n] > 0),
            off=15 - checkers,
            hit=board[OPPONENT_BAR],
        )


def longest_prime(made: frozenset[int]) -> int:
    """The longest row of made points that has something behind it to hold: not the points of one's own end."""
    best = run = 0
    for point in range(1, POINTS + 1):
        run = run + 1 if point in made else 0
        best = max(best, run)
    return best


@lru_cache(maxsize=512)
def hitting_rolls(board: Frozen) -> dict[tuple[int, int], frozenset[int]]:
    """The blots (by point) that the opponent can hit with each roll, for each of the 21 rolls."""
    opponent = [-board[POINTS + 1 - n] for n in range(1, POINTS + 1)]  # their numbering, their checkers positive
    start = (board[OPPONENT_BAR], *opponent)
    blots = {n for n in range(1, POINTS + 1) if board[n] == 1}
    found = {}
    for high, low in ROLLS:
        orders = [(high, high, high, high)] if high == low else [(high, low), (low, high)]
        struck: set[int] = set()
        if blots:
            for order in orders:
                _strike(start, order, struck)
        found[high, low] = frozenset(POINTS + 1 - n for n in struck)
    return found


def _strike(checkers: Frozen, dice: tuple[int, ...], struck: set[int]) -> None:
    """Add the points that some sequence of these dice hits; `checkers` are those of the rolling side, its bar first."""
    if not dice:
        return
    die, rest = dice[0], dice[1:]
    sources = [0] if checkers[0] else [n for n in range(1, POINTS + 1) if checkers[n] > 0]
    for source in sources:
        target = (POINTS + 1 if source == 0 else source) - die
        if target < 1 or checkers[target] <= -2:
            continue
        if checkers[target] == -1:
            struck.add(target)
        if rest and (checkers[0] > (source == 0) or _useful(checkers, target, rest)):
            moved = list(checkers)
            moved[source] -= 1
            moved[target] = max(moved[target], 0) + 1
            _strike(tuple(moved), rest, struck)


def _useful(checkers: Frozen, landed: int, rest: tuple[int, ...]) -> bool:
    """Whether a blot of the other side stands where the rest of the dice could lead to."""
    return any(checkers[n] == -1 for n in range(max(1, landed - sum(rest)), POINTS + 1))
