"""Explain why a move is illegal: a refusal code for the player, with its ruling."""

from __future__ import annotations

from .board import BIT, NUMBER, NUMBERS, RAYS, Board
from .illegal import Illegal
from .moves import captures_from, landings_from, moves_of
from .notation import ParsedMove
from .sides import Colour


def explain_move(board: Board, colour: Colour, parsed: ParsedMove, *, quantity: bool, compelled: bool) -> Illegal:
    """Why no legal move of `colour` fits a parsed move: the first rule that it breaks, the simplest first."""
    for number in parsed.squares:
        if number not in NUMBERS:
            return Illegal("no_such_square", "D1", square=number)
    source, target = parsed.squares[0], parsed.squares[-1]
    if not board.of(colour) & BIT[source]:
        return Illegal("not_your_man", "D1", square=source)
    if target != source and not board.free & BIT[target]:
        return Illegal("square_taken", "D1", square=target)
    quiet = len(parsed.squares) == 2 and parsed.sign != "x"
    if quiet and any((each.source, each.target) == (source, target) for each in moves_of(board, colour).quiet):
        return Illegal("compelled" if compelled else "must_capture", "D8")
    return _illegal_capture(board, colour, parsed, quantity=quantity) or _illegal_step(board, colour, source, target)


def _illegal_capture(board: Board, colour: Colour, parsed: ParsedMove, *, quantity: bool) -> Illegal | None:
    """Why a capture that the piece could start is illegal as written, or None if no capture can land there."""
    start, target = BIT[parsed.squares[0]], parsed.squares[-1]
    if target not in landings_from(board, colour, start):
        return None
    legal = moves_of(board, colour, quantity=quantity).captures
    kings = [each.source for each in legal if board.kings & BIT[each.source]]
    if kings and not board.kings & start:
        return Illegal("king_first", "D3", square=kings[0])
    if any((each.source, each.target) == (parsed.squares[0], target) for each in legal):
        return Illegal("not_that_way", "D2")
    if any(each.target == target for each in captures_from(board, colour, start)):
        return Illegal("more_must_be_taken", "D2", men=len(legal[0].takes))
    return Illegal("capture_unfinished", "D2")


def _illegal_step(board: Board, colour: Colour, source: int, target: int) -> Illegal:
    """Why the piece on one square cannot move to another, empty one without a capture (D1, D4)."""
    start, end = BIT[source], BIT[target]
    ray = next((ray for ray in RAYS[start] if end in ray), None)
    if ray is None:
        return Illegal("not_diagonal", "D1")
    between = ray[: ray.index(end)]
    occupied = [bit for bit in between if not board.free & bit]
    if board.kings & start:
        return (
            Illegal("way_blocked", "D4", square=NUMBER[occupied[0]]) if occupied else Illegal("nothing_to_take", "D4")
        )
    if (target > source) != (colour == "black"):
        return Illegal("men_forward", "D1")
    if len(between) == 1 and board.of(colour) & between[0]:
        return Illegal("nothing_to_take", "D1")
    return Illegal("one_step", "D1") if between else Illegal("nothing_to_take", "D1")
