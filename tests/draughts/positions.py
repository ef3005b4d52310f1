"""Positions for draughts: a game through its actions, a FEN to move, and many random boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from draughts import RULES, Board, GameState, Position, Score, Side, fen, moves_of, opponent, played
from draughts.board import BIT

DAMAS = RULES["damas"]


def game(*actions: str, score: Score | None = None, **options: object) -> Position:
    """A game from its start through these actions."""
    position = DAMAS.start(score or Score(1), options)
    for action in actions:
        position = position.after(action)
    return position


def to_move(text: str, *actions: str, black: Side = "black", score: Score | None = None, **options: object) -> Position:
    """A game from this FEN, then through these actions; Black's seat has Black unless given otherwise."""
    board, mover = fen.read(text)
    position = replace(game(score=score, **options), black=black, state=GameState.at(board, mover))
    for action in actions:
        position = position.after(action)
    return position


def last_ply(text: str) -> Position:
    """A game of kings whose tenth ply is to be played (D7)."""
    position = to_move(text)
    return replace(position, state=replace(position.state, plies_left=1))


def stands(position: Position) -> str:
    """The FEN of a position."""
    return fen.write(position.state.board, position.state.mover)


def scattered(seed: int) -> Iterator[Board]:
    """Endless boards on which few or many men and kings of both colours lie anywhere they can."""
    chance = Random(seed)
    while True:
        black, white, kings = 0, 0, 0
        crowns = chance.choice([0.1, 0.5, 0.9])
        squares = chance.sample(range(1, 51), chance.randint(4, 30))
        cut = chance.randint(1, len(squares) - 1)
        for at, square in enumerate(squares):
            bit = BIT[square]
            last_row = square > 45 if at < cut else square < 6
            if last_row or chance.random() < crowns:
                kings |= bit
            if at < cut:
                black |= bit
            else:
                white |= bit
        yield Board(black, white, kings)


def wandering(seed: int) -> Iterator[tuple[Board, Side]]:
    """Endless games of random moves, captures preferred half of the time: each position with the colour to move."""
    chance = Random(seed)
    while True:
        board, colour = Board.start(), "black"
        for _ in range(150):
            yield board, colour
            captures, quiet = moves_of(board, colour)
            moves = captures if captures and (not quiet or chance.random() < 0.5) else captures + quiet
            if not moves:
                break
            board, colour = played(board, chance.choice(moves)), opponent(colour)
