"""``python -m backgammon.rules plays``: the legal plays of a roll, one JSON line in and one out.

In ``{"variant": "backgammon", "board": [30 numbers], "dice": [a, b]}``, out ``{"results": [[30 numbers], ...],
"max_dice": n}``: the boards after each legal play, each once and in ascending order, still seen from the mover; the
board itself and 0 when nothing can be played. Any other line is answered with ``{"error": "..."}``, and the next line
is read.
"""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO

from .board import Board, wires_of
from .plays import whole_plays
from .variants import VARIANTS

LONGEST = 64 * 1024
"""A line with more bytes than this is refused without parsing it."""


def answer(line: bytes) -> dict[str, Any]:
    """Answer one line: the plays, or the error in the request."""
    try:
        request = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return {"error": "the line is not UTF-8"}
    except (ValueError, RecursionError):
        return {"error": "the line is not JSON"}
    try:
        return _plays(request)
    except ValueError as error:
        return {"error": str(error)}


def _plays(request: Any) -> dict[str, Any]:
    """Answer a request. Raises `ValueError` with the error message for the caller."""
    if not isinstance(request, dict):
        raise ValueError("the line is not a JSON object")
    for name in ("variant", "board", "dice"):
        if name not in request:
            raise ValueError(f"{name} is missing")
    name, numbers, dice = request["variant"], request["board"], request["dice"]
    variant = VARIANTS.get(name) if isinstance(name, str) else None
    if variant is None:
        raise ValueError("variant is not one of " + ", ".join(VARIANTS))
    if not isinstance(numbers, list):
        raise ValueError("board is not a list of 30 whole numbers")
    board = Board.from_wire(numbers, checkers=variant.checkers, stock=variant.stock)
    if not isinstance(dice, list) or len(dice) != 2 or any(type(die) is not int or not 1 <= die <= 6 for die in dice):
        raise ValueError("dice are not two whole numbers from 1 to 6")
    results, max_dice = whole_plays(board.code, (dice[0], dice[1]))
    return {"results": wires_of(sorted(results)) or [board.wire], "max_dice": max_dice}


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line of `source` on `sink`, flushing each, until the end of the input."""
    while line := source.readline(LONGEST + 1):
        too_long = len(line) > LONGEST
        while too_long and not line.endswith(b"\n") and (line := source.readline(LONGEST)):
            pass
        reply = {"error": "the line is too long"} if too_long else answer(line)
        sink.write(json.dumps(reply, separators=(",", ":")).encode("ascii") + b"\n")
        sink.flush()


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code: 0, or 2 for an unknown command."""
    if arguments != ["plays"]:
        print("usage: python -m backgammon.rules plays", file=sys.stderr)
        return 2
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
