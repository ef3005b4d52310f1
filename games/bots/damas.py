"""The computer at damas: alpha-beta with iterative deepening over a readable evaluation.

It searches on the boards of `draughts`, not through the contract: a text for each move would cost ten times as much.
The budget is counted in boards, so the same position gets the same answer on every machine; the clock is only an upper
bound. Below the first move captures are taken as compulsory in both modes, for who does not take is huffed (D8).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, cast

from draughts.board import BIT, Board
from draughts.moves import Move, moves_of, played, quiet_count
from draughts.notation import texts
from draughts.position import Position as Draughts
from draughts.sides import Colour, rival
from games.bots.engine import DRAW, Judged
from games.engine import Position, Side

BOARDS = {1: 60, 2: 150, 3: 500, 4: 2_500, 5: 15_000}
"""How many boards a decision may look at, by effort."""
SECONDS: float = 2.5
"""No decision takes longer, whatever its budget says."""
DEEPEST = 24

MAN, KING = 1.0, 3.0
ROW = 0.03
"""What a man gains with each row that he has gone."""
GUARD = 0.06
"""What a man on his own last row is worth as its guard, while the rival has men."""
MOVE = 0.01
WON = 50.0
MEN_A_GAME = 0.7
"""Men into equity: this many men ahead, times 1.0, are a lead of 0.34 games."""

_ROWS: tuple[tuple[int, int], ...] = tuple((BIT[number], (number - 1) // 5) for number in BIT)


class Damas:
    """Damas, in both modes, behind `games.bots.engine.Engine`."""

    name: ClassVar[str] = "Damas"
    variants: ClassVar[frozenset[str]] = frozenset({"damas"})
    options: ClassVar[frozenset[str]] = frozenset({"mode", "ley_cantidad"})

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
        """The legal actions of `side`, the best first: moves, and what he may do about an infraction."""
        game = cast(Draughts, position)
        if game.turn != side:
            raise ValueError(f"{side} has nothing to decide")
        search = Search(quantity=game.law.ley_cantidad, boards=BOARDS[effort])
        found = _root(game, search)
        return sorted((Judged(text, equity_of(score)) for text, score in found.items()), key=lambda one: -one.equity)

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """A draw when it is no worse than playing on; a game that is given up always."""
        if level != DRAW:
            return True
        game = cast(Draughts, position)
        search = Search(quantity=game.law.ley_cantidad, boards=BOARDS[3])
        value = search.deepened(game.now.board, game.now.mover)
        return (value if game.turn == side else -value) <= 0


def equity_of(score: float) -> float:
    """A score in men as an equity between -1 and 1."""
    return math.tanh(score * MEN_A_GAME / 2)


def evaluated(board: Board, colour: Colour) -> float:
    """What a board is worth to `colour`, who is to move, in men."""
    score = _half(board, colour) - _half(board, rival(colour))
    if board.only_kings:
        return score / 4  # ten plies are left, and kings are seldom caught
    return score + MOVE * (quiet_count(board, colour) - quiet_count(board, rival(colour)))


def _half(board: Board, colour: Colour) -> float:
    mine = board.of(colour)
    return _worth(mine & ~board.kings, (mine & board.kings).bit_count(), colour)


@lru_cache(maxsize=2**14)
def _worth(men: int, kings: int, colour: Colour) -> float:
    worth = MAN * men.bit_count() + KING * kings
    for bit, row in _ROWS:
        if men & bit:
            gone = row if colour == "black" else 9 - row
            worth += ROW * gone if gone else GUARD
    return worth


class _OutOfBoards(Exception):
    """The budget is spent: the last depth that was finished counts."""


@dataclass(slots=True)
class Search:
    """One decision's search: its law, its budget, and the order of moves that the last depth found best."""

    quantity: bool
    boards: int
    began: float = field(default_factory=time.monotonic)
    seen: int = 0
    first: dict[tuple[Board, Colour], Move] = field(default_factory=dict)

    def deepened(self, board: Board, colour: Colour) -> float:
        """The value of a board to `colour`, who is to move, as deep as the budget goes."""
        value = evaluated(board, colour)
        try:
            for depth in range(1, DEEPEST):
                value = self.value(board, colour, depth)
        except _OutOfBoards:
            pass
        return value

    def value(self, board: Board, colour: Colour, depth: int, low: float = -math.inf, high: float = math.inf) -> float:
        """The value of a board to `colour`, who is to move (negamax, fail-soft). Captures are followed to their end."""
        self.seen += 1
        if self.seen > self.boards or (self.seen % 256 == 0 and time.monotonic() - self.began > SECONDS):
            raise _OutOfBoards
        captures, quiet = moves_of(board, colour, quantity=self.quantity)
        moves = captures or quiet
        if not moves:
            return -WON - depth
        if depth <= 0 and not captures:
            return evaluated(board, colour)
        best, other = -math.inf, rival(colour)
        for move in self._ordered(board, colour, moves):
            found = -self.value(played(board, move), other, depth - 1, -high, -low)
            if found > best:
                best = found
                self.first[board, colour] = move
                low = max(low, found)
                if low >= high:
                    break
        return best

    def _ordered(self, board: Board, colour: Colour, moves: tuple[Move, ...]) -> Sequence[Move]:
        """What was best before comes first, then what takes the most."""
        best = self.first.get((board, colour))
        if moves[0].taken:
            return sorted(moves, key=lambda move: (move != best, -move.taken.bit_count()))
        return moves if best is None else (best, *(move for move in moves if move != best))


def _root(game: Draughts, search: Search) -> dict[str, float]:
    """Each action of the side to move with its score in men, deepened together until the budget is spent."""
    scores: dict[str, float] = {}
    try:
        for depth in range(DEEPEST):
            found = _scored(game, search, depth)
            order = sorted(found, key=lambda text: (-found[text], text))
            scores = {text: found[text] for text in order}
    except _OutOfBoards:
        pass
    return scores or dict.fromkeys(game.actions(), 0.0)


def _scored(game: Draughts, search: Search, depth: int) -> dict[str, float]:
    """Each action of the side to move, searched to `depth` plies after it."""
    board, mover, other = game.now.board, game.now.mover, rival(game.now.mover)
    captures, _ = moves_of(board, mover, quantity=search.quantity)
    scores: dict[str, float] = {}
    for text, move in texts(game.moves).items():
        scores[text] = -search.value(played(board, move), other, depth)
    if captures and not all(move.taken for move in game.moves):
        _huffed_for(game, search, depth, scores, captures)
    if game.infraction is not None:
        for square in game.infraction.squares:
            scores[f"huff {square}"] = search.value(board.without(BIT[square]), mover, depth + 1)
        before = game.infraction.before
        scores["compel"] = -search.value(before.board, before.mover, depth + 1)
    return scores


def _huffed_for(
    game: Draughts, search: Search, depth: int, scores: dict[str, float], captures: tuple[Move, ...]
) -> None:
    """Lower each quiet move that leaves a capture unplayed to what the rival's best right makes of it (D8)."""
    board, other = game.now.board, rival(game.now.mover)
    listed = texts(game.moves).items()
    compelled = max(scores[text] for text, move in listed if move.taken)
    for text, move in listed:
        if move.taken:
            continue
        after = played(board, move)
        for start in {move.target if one.source == move.source else one.source for one in captures}:
            scores[text] = min(scores[text], -search.value(after.without(BIT[start]), other, depth))
        scores[text] = min(scores[text], compelled)
