"""Games as PDN text, written and read (D8, D9).

Actions that PDN does not have are written as comments: ``{huff 32}``, and ``{17-21 compel}`` for a move that was taken
back, with that move. Everything else is plain PDN. The GameType is a number that PDN leaves free, because no listed
game has fifteen men that capture forward only; SetUp and FEN give the colour to move and the pieces.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from . import fen as fens
from .board import Board

GAME_TYPE = "50,B,10,10,N2,0"
"""Black opens, 10 by 10, numeric squares, 1 at the upper left as White sees it, on the dark squares."""
START = fens.write(Board.start(), "black")
RESULTS = ("1/2-1/2", "1-0", "0-1", "2-0", "0-2", "1-1", "0-0", "*")
UNFINISHED = "*"

_NAME = re.compile(r"[A-Za-z0-9_]+")
_MOVE = r"[0-9]{1,2}(?:[-x:X][0-9]{1,2})+"
_HUFF = re.compile(r"huff [0-9]{1,2}")
_COMPEL = re.compile(rf"(?:({_MOVE}) )?compel")
_TOKEN = re.compile(
    r"""(?P<space>\s+|[;%][^\n]*)
    |\[\s*(?P<name>[A-Za-z0-9_]+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    |\{(?P<comment>[^}]*)\}
    |(?P<bracket>[()])
    |(?P<mark>\$[0-9]+|[!?]+)
    |(?P<number>[0-9]+\.+)
    |(?P<result>(?:"""
    + "|".join(map(re.escape, RESULTS))
    + rf""")(?![-0-9x:X/]))
    |(?P<move>{_MOVE})""",
    re.VERBOSE | re.ASCII,
)


class PdnError(ValueError):
    """A text that is not PDN; `line` is the place of the error, counted from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


@dataclass(frozen=True)
class Game:
    """One parsed game: its headers, the actions as live play writes them, and the result; `fen` None: not given."""

    headers: Mapping[str, str]
    fen: str | None
    moves: tuple[str, ...]
    result: str


def write(headers: Mapping[str, str], moves: Iterable[str], result: str = UNFINISHED, *, fen: str = START) -> str:
    """Format one game as PDN: `moves` are the actions of the game after its opening roll, `huff` and `compel` too.

    Raises `ValueError` for a result, a header's name or an action that PDN cannot hold.
    """
    if result not in RESULTS:
        raise ValueError(f"{result!r} is no result: use one of {', '.join(RESULTS)}")
    tags = {"Result": result, "GameType": GAME_TYPE, "SetUp": "1", "FEN": fen}
    tags = {name: value for name, value in headers.items() if name not in tags} | tags
    for name in tags:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} cannot name a header")
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    words = " ".join([*_movetext(moves), result])
    return "\n".join([*lines, "", *textwrap.wrap(words, 80, break_on_hyphens=False), ""])


def _quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _movetext(moves: Iterable[str]) -> Iterator[str]:
    """The moves, numbered in pairs, with the comments for actions that PDN does not have."""
    actions = list(moves)
    made = 0
    for action, following in pairwise([*actions, ""]):
        if action == "compel":
            continue
        if _HUFF.fullmatch(action):
            yield f"{{{action}}}"
        elif not re.fullmatch(_MOVE, action):
            raise ValueError(f"{action!r} is no move")
        elif following == "compel":
            yield f"{{{action} compel}}"
        else:
            yield f"{made // 2 + 1}. {action}" if made % 2 == 0 else action
            made += 1


def read(text: str) -> list[Game]:
    """Parse the games of a text. Comments, marks, variations and move numbers are skipped. Raises `PdnError`."""
    games: list[Game] = []
    headers: dict[str, str] = {}
    moves: list[str] = []
    depth = 0

    def finish(result: str) -> None:
        games.append(Game(dict(headers), headers.get("FEN"), tuple(moves), result))
        headers.clear()
        moves.clear()

    for token in _tokens(text):
        kind, word = token.lastgroup, token[token.lastgroup or 0]
        if kind == "bracket":
            depth += 1 if word == "(" else -1
            if depth < 0:
                raise PdnError(_line(text, token.start()), "a variation ends that did not begin")
        elif depth or kind in ("space", "mark", "number"):
            continue
        elif kind == "value":
            if moves:
                finish(_result(headers))
            headers[token["name"]] = re.sub(r"\\(.)", r"\1", word)
        elif kind == "result":
            finish(word)
        else:
            moves += _of_comment(word) if kind == "comment" else [_plain(word)]
    if depth:
        raise PdnError(_line(text, len(text)), "a variation does not end")
    if headers or moves:
        finish(_result(headers))
    return games


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """The tokens of a text without gaps. Raises `PdnError` where no token matches."""
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PdnError(_line(text, at), f"{text[at : at + 20].strip()!r} cannot be read")
        yield token
        at = token.end()


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _result(headers: Mapping[str, str]) -> str:
    result = headers.get("Result", UNFINISHED)
    return result if result in RESULTS else UNFINISHED


def _of_comment(comment: str) -> list[str]:
    """The actions that a comment stands for; none for any other comment."""
    words = " ".join(comment.split())
    if _HUFF.fullmatch(words):
        return [words]
    if compel := _COMPEL.fullmatch(words):
        return [_plain(compel[1]), "compel"] if compel[1] else ["compel"]
    return []


def _plain(move: str) -> str:
    return move.lower().replace(":", "x")
