"""Parse SGF game trees, nodes and properties, without recursion; only main lines are kept.

The main line of a tree is the part before its first closing bracket, because the first child is the main variation.
"""

from __future__ import annotations

import re

from games.formats.errors import FormatError

Node = dict[str, list[str]]

MOST_NODES = 20_000
"""The most nodes in all trees, variations included; a larger file is refused."""

MOST_PROPERTIES = 4 * MOST_NODES
MOST_VALUES = 100
LONGEST_VALUE = 4000

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,64})\s*(?=\[))")
_VALUE = re.compile(r"\s*\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
_SOFT_BREAK = re.compile(r"\\\n")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
KEPT = frozenset(
    "GM CA MI PW PB RE RU CV CO CP W B AE AW AB PL DI EV RO PC DT GC GN ON SO US CR TM".split()  # noqa: SIM905
)
"""The properties that are read; analysis (`A`, `DA`, `LU` ...) and all others are skipped."""


def parse_trees(text: str) -> tuple[list[list[Node]], bool]:
    """The main line of each game tree, and whether there were variations beside them. Raises FormatError (`sgf`)."""
    found: list[list[Node]] = []
    depth, at, nodes = 0, max(text.find("("), 0), 0
    properties, closed, varied = 0, False, False
    while token := _TOKEN.match(text, at):
        at = token.end()
        mark, name = token.groups()
        if mark == "(":
            depth += 1
            if depth == 1:
                found.append([])
                closed = False
            varied = varied or closed
        elif mark == ")":
            depth -= 1
            closed = True
            if depth < 0:
                raise FormatError("sgf", what="a bracket too many")
            if depth == 0:
                at = _next_tree(text, at)
        elif depth == 0:
            raise FormatError("sgf", what="text outside a game tree")
        elif mark == ";":
            nodes += 1
            if nodes > MOST_NODES:
                raise FormatError("too_long", most=MOST_NODES)
            if not closed:
                found[-1].append({})
        elif (properties := properties + 1) > MOST_PROPERTIES:
            raise FormatError("too_long", most=MOST_NODES)
        else:
            at = _property(text, at, name, found[-1][-1] if found[-1] and not closed else None)
    if text[at:].strip() and depth:
        raise FormatError("sgf", what=f"unexpected text at {at}")
    if depth:
        raise FormatError("sgf", what="the text ends inside a game")
    return found, varied


def _next_tree(text: str, at: int) -> int:
    """The start of the next tree; text between two trees is ignored."""
    following = text.find("(", at)
    return len(text) if following < 0 else following


def _property(text: str, at: int, name: str, node: Node | None) -> int:
    """Read the values of a property into `node`, and return the position after them."""
    short = "".join(letter for letter in name if letter.isupper()) or name.upper()
    values: list[str] = []
    while found := _VALUE.match(text, at):
        at = found.end()
        if short in KEPT and len(values) < MOST_VALUES:
            values.append(found[1][:LONGEST_VALUE])
    if at < len(text) and text[at : at + 1] == "[":
        raise FormatError("sgf", what=f"the property {name[:20]} does not end")
    if node is not None and short in KEPT:
        known = node.setdefault(short, [])
        known += values[: MOST_VALUES - len(known)]
    return at


def simple_text(value: str) -> str:
    """Parse a SimpleText value: without soft breaks and escapes, on one line."""
    return " ".join(_ESCAPE.sub(r"\1", _SOFT_BREAK.sub("", value)).split())


def escaped(text: str) -> str:
    """Escape a text for a property value; colons too, for composed values."""
    return re.sub(r"([\]\\:])", r"\\\1", text)
