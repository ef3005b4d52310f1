"""``python -m draughts moves`` and ``python -m draughts perft DEPTH``: the rules as a command.

``moves`` reads JSON lines ``{"fen": "B:W36:B1,2", "mode": "obligatoria"}`` (``"ley_cantidad": true`` if wanted) and
answers each with ``{"moves": [{"from", "to", "taken", "fen"}, ...]}``, sorted by these numbers; `fen` is the position
after the move. With ``"mode": "soplar"`` the moves that take nothing are listed beside captures. A line that is no such
question gets ``{"error": "..."}``, and the next one is served.

``perft`` prints ``depth count`` for each depth up to DEPTH: with compulsory captures, or ``--mode soplar``; from the
start, or from ``--fen``.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, BinaryIO

from . import fen
from .board import Board
from .law import MODES, OBLIGATORIA, Law
from .moves import moves_of, played
from .perft import perft
from .sides import rival

LONGEST = 64 * 1024
"""A line with more bytes than this is refused unread."""
DEEPEST = 12
"""Deeper counts would not end within a day."""


def answer(line: bytes) -> dict[str, Any]:
    """The answer to one line: the moves, or what is wrong with the question."""
    try:
        question = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return {"error": "the line is not UTF-8"}
    except (ValueError, RecursionError):
        return {"error": "the line is not JSON"}
    try:
        return {"moves": _moves(question)}
    except ValueError as error:
        return {"error": str(error)}


def _moves(question: Any) -> list[dict[str, Any]]:
    """The moves of a question. Raises `ValueError` with the words for the one who asked."""
    if not isinstance(question, dict):
        raise ValueError("the line is not a JSON object")
    for name in ("fen", "mode"):
        if not isinstance(question.get(name), str):
            raise ValueError(f"{name} is not a text" if name in question else f"{name} is missing")
    law = Law.of(question)
    board, colour = fen.read(question["fen"])
    captures, quiet = moves_of(board, colour, quantity=law.ley_cantidad)
    moves = captures if captures and law.mode == OBLIGATORIA else captures + quiet
    return [
        {
            "from": move.source,
            "to": move.target,
            "taken": list(move.takes),
            "fen": fen.write(played(board, move), rival(colour)),
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
    """Run the command; 0, or 2 when it is no command."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "moves":
            serve(sys.stdin.buffer, sys.stdout.buffer)
            return 0
        board, colour = fen.read(asked.fen)
        for depth in range(1, asked.depth + 1):
            print(depth, perft(board, colour, depth, compulsory=asked.mode == OBLIGATORIA), flush=True)
    except ValueError as error:
        parser.error(str(error))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
