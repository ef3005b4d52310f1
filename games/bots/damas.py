"""The computer at damas: alpha-beta with iterative deepening over a readable evaluation.

It searches on the boards of `draughts`, not through the `games.engine` contract: texts would cost ten times as much.
The budget is counted in boards, so the same position gets the same answer on every machine; the clock is only an upper
bound. After the first move captures count as compulsory in both modes, because a missed capture is huffed (D8).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, cast

from draughts.board import BIT, Board
from draughts.moves import Move, moves_of, played, quiet_count, quiet_of, sorted_captures
from draughts.notation import texts
from draughts.position import Position as Draughts
from draughts.sides import Colour, opponent
from games.bots.engine import DRAW, RatedAction
from games.engine import Position, Side

BOARDS = {1: 60, 2: 150, 3: 500, 4: 2_500, 5: 15_000}
"""The number of boards that a decision may evaluate, by effort."""
SECONDS: float = 0.45
"""The time limit of a decision, whatever its budget: with it an answer takes half a second at most."""
BOARDS_PER_LOOK = 64
"""The search looks at the clock once in so many boards, about a millisecond."""
DEEPEST = 24

MAN, KING = 1.0, 3.0
ROW = 0.03
"""The value of each row that a man has advanced."""
GUARD = 0.06
"""The value of a man that guards its own back row, while the opponent has men."""
MOVE = 0.01
WON = 50.0
EQUITY_PER_MAN = 0.7
"""The factor from men to equity: one man ahead is worth 0.34 games."""

_ROWS: tuple[tuple[int, int], ...] = tuple((BIT[number], (number - 1) // 5) for number in BIT)


class Damas:
    """Damas, in both modes, behind `games.bots.engine.Engine`."""

    name: ClassVar[str] = "Damas"
    variants: ClassVar[frozenset[str]] = frozenset({"damas"})
    options: ClassVar[frozenset[str]] = frozenset({"mode", "ley_cantidad"})

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
        """The legal actions of `side`, the best first: moves, and the rights after an infraction."""
        game = cast(Draughts, position)
        if game.turn != side:
            raise ValueError(f"{side} has nothing to decide")
        search = Search(quantity=game.options.ley_cantidad, boards=BOARDS[effort])
        found = _root(game, search)
        return sorted(
            (RatedAction(text, equity_of(score)) for text, score in found.items()), key=lambda action: -action.equity
        )

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Accept a draw that is no worse than playing on, and any resignation."""
        if level != DRAW:
            return True
        game = cast(Draughts, position)
        search = Search(quantity=game.options.ley_cantidad, boards=BOARDS[3])
        value = search.deepened(game.state.board, game.state.mover)
        return (value if game.turn == side else -value) <= 0


def equity_of(score: float) -> float:
    """A score in men as an equity between -1 and 1."""
    return math.tanh(score * EQUITY_PER_MAN / 2)


def evaluate(board: Board, colour: Colour) -> float:
    """The value of a board to `colour`, which is to move, in men."""
    black, white, kings = board
    score = _worth(black & ~kings, (black & kings).bit_count(), "black")
    score -= _worth(white & ~kings, (white & kings).bit_count(), "white")
    if colour == "white":
        score = -score
    if board.only_kings:
        return score / 4  # only ten plies are left, and kings are rarely captured
    return score + MOVE * (quiet_count(board, colour) - quiet_count(board, opponent(colour)))


@lru_cache(maxsize=2**14)
def _worth(men: int, kings: int, colour: Colour) -> float:
    worth = MAN * men.bit_count() + KING * kings
    for bit, row in _ROWS:
        if men & bit:
            advanced = row if colour == "black" else 9 - row
            worth += ROW * advanced if advanced else GUARD
    return worth


class _OutOfBoards(Exception):
    """The budget is spent; the last finished depth counts."""


@dataclass(slots=True)
class Search:
    """The search of one decision: its options, its budget, and the best moves of the last depth."""

    quantity: bool
    boards: int
    began: float = field(default_factory=time.monotonic)
    seen: int = 0
    first: dict[tuple[Board, Colour], Move] = field(default_factory=dict)

    def deepened(self, board: Board, colour: Colour) -> float:
        """The value of a board to `colour`, which is to move, as deep as the budget allows."""
        value = evaluate(board, colour)
        try:
            for depth in range(1, DEEPEST):
                value = self.value(board, colour, depth)
        except _OutOfBoards:
            pass
        return value

    def value(self, board: Board, colour: Colour, depth: int, low: float = -math.inf, high: float = math.inf) -> float:
        """The value of a board to `colour`, which is to move (negamax, fail-soft). Captures are played out."""
        self.seen += 1
        if self.seen > self.boards or (self.seen % BOARDS_PER_LOOK == 0 and time.monotonic() - self.began > SECONDS):
            raise _OutOfBoards
        moves = sorted_captures(board, colour, quantity=self.quantity)
        if not moves and depth <= 0 and quiet_count(board, colour):
            return evaluate(board, colour)
        moves = moves or quiet_of(board, colour)
        if not moves:
            return -WON - depth
        best, other = -math.inf, opponent(colour)
        for move in self._ordered(board, colour, moves):
            found = -self.value(played(board, move), other, depth - 1, -high, -low)
            if found > best:
                best = found
                self.first[board, colour] = move
                low = max(low, found)
                if low >= high:
                    break
        return best

    def _ordered(self, board: Board, colour: Colour, moves: list[Move]) -> Sequence[Move]:
        """The moves with the best one of the last depth first, then by the pieces taken."""
        best = self.first.get((board, colour))
        if moves[0].captured:
            return sorted(moves, key=lambda move: (move != best, -move.captured.bit_count()))
        return moves if best is None else [best, *(move for move in moves if move != best)]


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
    board, mover, other = game.state.board, game.state.mover, opponent(game.state.mover)
    captures, _ = moves_of(board, mover, quantity=search.quantity)
    scores: dict[str, float] = {}
    for text, move in texts(game.moves).items():
        scores[text] = -search.value(played(board, move), other, depth)
    if captures and not all(move.captured for move in game.moves):
        _apply_huffs(game, search, depth, scores, captures)
    if game.infraction is not None:
        for square in game.infraction.squares:
            scores[f"huff {square}"] = search.value(board.without(BIT[square]), mover, depth + 1)
        before = game.infraction.before
        scores["compel"] = -search.value(before.board, before.mover, depth + 1)
    return scores


def _apply_huffs(
    game: Draughts, search: Search, depth: int, scores: dict[str, float], captures: tuple[Move, ...]
) -> None:
    """Lower each quiet move that leaves a capture unplayed to its value after the opponent's best right (D8)."""
    board, other = game.state.board, opponent(game.state.mover)
    listed = texts(game.moves).items()
    compelled = max(scores[text] for text, move in listed if move.captured)
    for text, move in listed:
        if move.captured:
            continue
        after = played(board, move)
        for start in {move.target if capture.source == move.source else capture.source for capture in captures}:
            scores[text] = min(scores[text], -search.value(after.without(BIT[start]), other, depth))
        scores[text] = min(scores[text], compelled)
