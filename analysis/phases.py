"""The phase of a game in which a decision falls. Pure; boards as `games.bots.engine_boards` writes them."""

from __future__ import annotations

from typing import Literal

from games.bots.engine_boards import Board

Phase = Literal["opening", "contact", "race", "bearoff", "cube"]
PHASES: tuple[Phase, ...] = ("opening", "contact", "race", "bearoff", "cube")

OPENING: Phase = "opening"
OPENING_ROLLS = 6
"""The first rolls of a game, three a player, are its opening."""
HOME = 6
BAR = 25


def phase_of(board: Board, *, roll: int, cube: bool) -> Phase:
    """The phase of a decision on `board`, at the `roll`-th roll of its game (from 1).

    Cube decisions are a phase of their own, whatever stands on the board. A race has no contact left; it is the
    bear-off once all checkers of the deciding player are home.
    """
    if cube:
        return "cube"
    if not has_contact(board):
        return "bearoff" if is_bear_off(board) else "race"
    return "opening" if roll <= OPENING_ROLLS else "contact"


def has_contact(board: Board) -> bool:
    """Whether a checker can still meet a opposing checker: the hindmost of each side have not passed each other."""
    own_last = max((n for n in range(1, BAR + 1) if board[n] > 0), default=0)
    opposing_last = 0 if board[0] > 0 else min((n for n in range(1, BAR) if board[n] < 0), default=BAR)
    return own_last > opposing_last


def is_bear_off(board: Board) -> bool:
    """Whether all checkers of this side are on its home board or off."""
    return all(board[n] <= 0 for n in range(HOME + 1, BAR + 1))
