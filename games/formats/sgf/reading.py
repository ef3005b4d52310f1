"""Read SGF: nodes become steps, then the rules are applied (`rebuild`).

GNU Backgammon numbers games from 0, and stores a roll without a play in `PL` and `DI`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from games.engine import SIDES, Side
from games.formats.decoding import MOST_BYTES, decode, plain
from games.formats.errors import FormatError
from games.formats.parsed import Kind, ParsedGame, ParsedMatch, Step
from games.formats.rebuild import rebuild
from games.formats.record import Fault, Reading
from games.formats.sgf.trees import Node, parse_trees, simple_text

BACKGAMMON = "6"
COLOURS: dict[Side, str] = {"white": "W", "black": "B"}
FACTS = {"EV": "Event", "RO": "Round", "PC": "Site", "DT": "EventDate", "SO": "Source", "US": "Transcriber"}
"""Root properties and the corresponding headers."""
START = {"a": 2, "f": -5, "h": -3, "l": 5, "m": -5, "q": 3, "s": 5, "x": -2}

_CHARSET = re.compile(rb"\bCA\s*\[([^\]]{1,20})\]")
_DICED = re.compile(r"([1-6]{2})((?:[a-z]{2}){0,4})")
_RESULT = re.compile(r"([WB])\+(?:(\d{1,6})(R?)|(T|F|R)[a-z]*)?", re.ASCII)
_RANGE = re.compile(r"([a-z]):([a-z])")
_KINDS: dict[str, Kind] = {
    "double": "double",
    "redouble": "double",
    "beaver": "beaver",
    "raccoon": "beaver",
    "take": "take",
    "drop": "drop",
    "pass": "drop",
    "resign": "resign",
}


def read(data: bytes) -> Reading:
    """Read the match of an SGF file. Raises FormatError."""
    declared = _CHARSET.search(data[:4000])
    charset = declared[1].decode("ascii", "replace") if declared else ""
    return rebuild(parse(decode(data, declared=charset, most=MOST_BYTES)))


def parse(text: str) -> ParsedMatch:
    """Parse SGF text without applying any rule. Raises FormatError."""
    found, varied = parse_trees(text)
    lines = [tree for tree in found if tree]
    if not lines:
        raise FormatError("no_games")
    root = lines[0][0]
    for tree in lines:
        if simple_text(tree[0].get("GM", [BACKGAMMON])[0]) != BACKGAMMON:
            raise FormatError("variation", variation=f"GM[{simple_text(tree[0]['GM'][0])[:10]}]")
    facts = _match_info(root)
    length = facts.get("length", 0)
    players: dict[str, str] = {side: plain(_text(root, f"P{COLOURS[side]}")) or side.capitalize() for side in SIDES}
    match = ParsedMatch("sgf", "backgammon", length, players)
    match.games = [_game(index, tree) for index, tree in enumerate(lines, 1)]
    match.options = dict(_options(lines, length))
    headers = {header: plain(_text(root, name), 200) for name, header in FACTS.items() if _text(root, name)}
    if re.fullmatch(r"\d{4}-\d\d-\d\d", headers.get("EventDate", "")):
        headers["EventDate"] = headers["EventDate"].replace("-", ".")
    match.headers = headers
    match.by, match.winner = _ending(lines[-1][0], plain(_text(lines[-1][0], "GC"), 200))
    if varied:
        match.warnings.append(Fault(1, 0, "variations_ignored"))
    return match


def _text(node: Node, name: str) -> str:
    return simple_text(node[name][0]) if node.get(name) else ""


def _match_info(root: Node) -> dict[str, int]:
    """The numbers of `MI`: length, game, ws, bs."""
    facts = {}
    for value in root.get("MI", []):
        name, _, number = simple_text(value).partition(":")
        if number.strip().isascii() and number.strip().isdecimal() and len(number) < 8:
            facts[name.strip().lower()] = int(number)
    return facts


def _options(lines: Iterable[list[Node]], length: int) -> Iterator[tuple[str, Any]]:
    """The options of `RU`; none without that property."""
    rules = [_text(tree[0], "RU").lower().split(":") for tree in lines if "RU" in tree[0]]
    if rules:
        words = {word.strip() for rule in rules for word in rule}
        yield ("crawford", "crawford" in words) if length else ("jacoby", "jacoby" in words)


def _ending(root: Node, comment: str) -> tuple[str, Side | None]:
    """How a match ended without a final score: by the result of its last game, else by our own comment."""
    found = _RESULT.fullmatch(_text(root, "RE"))
    if found and found[4]:
        return ("flag" if found[4] == "T" else "resign"), _colour(found[1])
    return ("ended", None) if comment.startswith("session ended") else ("", None)


def _colour(letter: str) -> Side:
    return "white" if letter == "W" else "black"


# One game


def _game(number: int, tree: list[Node]) -> ParsedGame:
    root = tree[0]
    facts = _match_info(root)
    game = ParsedGame(number)
    if "ws" in facts or "bs" in facts:
        game.score = (facts.get("ws", 0), facts.get("bs", 0))
    stakes = _text(root, "CV")
    game.cube = int(stakes) if stakes.isascii() and stakes.isdecimal() and len(stakes) < 5 else 1
    found = _RESULT.fullmatch(_text(root, "RE"))
    if found and found[2]:
        game.winner, game.points = _colour(found[1]), int(found[2]) or None
    mover: Side | None = None
    dice = ""
    for node in tree:
        if any(name in node for name in ("AE", "AW", "AB")) and not (_is_start(node) and not game.steps):
            game.steps.append(Step("setup", "white", len(game.steps) + 1, text="AE AW AB"))
        if "PL" in node:
            mover = _colour(_text(node, "PL")[:1].upper())
        if re.fullmatch(r"[1-6]{2}", _text(node, "DI")):
            dice = _text(node, "DI")
        for side in SIDES:
            for value in node.get(COLOURS[side], []):
                game.steps.append(_step(side, simple_text(value), len(game.steps) + 1))
                mover, dice = None, ""
    if mover is not None and dice:
        game.steps.append(Step("play", mover, len(game.steps) + 1, dice, None, text=f"DI[{dice}]"))
    return game


def _step(side: Side, value: str, move: int) -> Step:
    text = f"{COLOURS[side]}[{value}]"[:40]
    if kind := _KINDS.get(value.lower()):
        return Step(kind, side, move, text=text)
    found = _DICED.fullmatch(value.lower())
    if not found:
        return Step("unreadable", side, move, text=text)
    letters = found[2]
    pairs = [letters[index : index + 2] for index in range(0, len(letters), 2)]
    moves = " ".join(f"{_place(side, pair[0])}/{_place(side, pair[1])}" for pair in pairs)
    return Step("play", side, move, found[1], moves, text=text)


def _place(side: Side, letter: str) -> str:
    """A letter as a place in a side's own numbering: White's n is Black's 25-n (B1)."""
    if letter in "yz":
        return "bar" if letter == "y" else "off"
    point = ord(letter) - ord("a") + 1
    return str(point if side == "white" else 25 - point)


def _is_start(node: Node) -> bool:
    """Whether a set-up board is the starting position (B2)."""
    board: dict[str, int] = {}
    for name, sign in (("AW", 1), ("AB", -1)):
        for letter in _letters(node.get(name, [])):
            board[letter] = board.get(letter, 0) + sign
    return board == {letter: -count for letter, count in START.items()}


def _letters(values: list[str]) -> Iterator[str]:
    for value in values:
        letters = simple_text(value).lower()
        if found := _RANGE.fullmatch(letters):
            yield from (chr(code) for code in range(ord(found[1]), ord(found[2]) + 1))
        elif letters:
            yield letters[0]
