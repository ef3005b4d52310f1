"""``python -m draughts moves`` and ``python -m draughts perft DEPTH``: the rules as a command.

``moves`` reads JSON lines ``{"fen": "B:W36:B1,2", "mode": "obligatoria"}`` (``"ley_cantidad": true`` if wanted) and
answers each with ``{"moves": [{"from", "to", "taken", "fen"}, ...]}``, sorted by these numbers; `fen` is the position
after the move. With ``"mode": "soplar"`` quiet moves are listed beside captures. Any other line
is answered with ``{"error": "..."}``, and the next line is read.

``perft`` prints ``depth count`` for each depth up to DEPTH: with compulsory captures, or ``--mode soplar``; from the
start, or from ``--fen``.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, BinaryIO

from draughts.options import MODES, OBLIGATORIA, MatchOptions

from . import fen
from .board import Board
from .moves import moves_of, played
from .perft import perft
from .sides import opponent

LONGEST = 64 * 1024
"""A line with more bytes than this is refused without parsing it."""
DEEPEST = 12
"""Deeper counts would not end within a day."""


def answer(line: bytes) -> dict[str, Any]:
    """Answer one line: the moves, or the error in the request."""
    try:
        request = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return {"error": "the line is not UTF-8"}
    except (ValueError, RecursionError):
        return {"error": "the line is not JSON"}
    try:
        return {"moves": _moves(request)}
    except ValueError as error:
        return {"error": str(error)}


def _moves(request: Any) -> list[dict[str, Any]]:
    """Answer a request. Raises `ValueError` with the error message for the caller."""
    if not isinstance(request, dict):
        raise ValueError("the line is not a JSON object")
    for name in ("fen", "mode"):
        if not isinstance(request.get(name), str):
            raise ValueError(f"{name} is not a text" if name in request else f"{name} is missing")
    options = MatchOptions.of(request)
    board, colour = fen.read(request["fen"])
    captures, quiet = moves_of(board, colour, quantity=options.ley_cantidad)
    moves = captures if captures and options.mode == OBLIGATORIA else captures + quiet
    return [
        {
            "from": move.source,
            "to": move.target,
            "taken": list(move.takes),
            "fen": fen.write(played(board, move), opponent(colour)),
        }
        for move in sorted(moves, key=lambda move: (move.source, move.target, move.takes))
    ]


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line of `source` on `sink`, flushing each, until the end of the input."""
    while line := source.readline(LONGEST + 1):
        too_long = len(line) > LONGEST
        while too_long and not line.endswith(b"\n") and (line := source.readline(LONGEST)):
            pass
        reply = {"error": "the line is too long"} if too_long else answer(line)
        sink.write(json.dumps(reply, separators=(",", ":")).encode("ascii") + b"\n")
        sink.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m draughts", description="The rules of damas as a command.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("moves", help="the moves of positions, JSON lines in and out")
    counting = commands.add_parser("perft", help="how many sequences of moves there are")
    counting.add_argument("depth", type=int, choices=range(1, DEEPEST + 1), metavar="DEPTH")
    counting.add_argument("--mode", choices=MODES, default=OBLIGATORIA)
    counting.add_argument("--fen", default=fen.write(Board.start(), "black"))
    return parser


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code: 0, or 2 for an unknown command."""
    parser = _parser()
    namespace = parser.parse_args(arguments)
    try:
        if namespace.command == "moves":
            serve(sys.stdin.buffer, sys.stdout.buffer)
            return 0
        board, colour = fen.read(namespace.fen)
        for depth in range(1, namespace.depth + 1):
            print(depth, perft(board, colour, depth, compulsory=namespace.mode == OBLIGATORIA), flush=True)
    except ValueError as error:
        parser.error(str(error))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
