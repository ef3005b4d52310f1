"""Parse SGF game trees, nodes and properties, without recursion; only main lines are kept.

The main line of a tree is the part before its first closing bracket, because the first child is the main variation.
"""

from __future__ import annotations

import re

from games.formats.errors import FormatError

Node = dict[str, list[str]]

MOST_NODES = 20_000
"""The most nodes in all trees, variations included; a larger file is refused."""

MOST_TOKENS = 8 * MOST_NODES
"""The most brackets, nodes and properties: of an analysed match, GNU Backgammon writes six a node."""
MOST_VALUES = 100
MOST_KEPT = 5 * MOST_NODES
"""The most values that are read, of all properties together."""
LONGEST_VALUE = 4000

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,64})\s*(?=\[))")
_VALUE = re.compile(r"\s*+\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_VALUES = re.compile(r"(?:\s*+\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\])*+", re.DOTALL)
# Possessive, because a megabyte of backslashes is not to be remembered in order to try it again otherwise.
_SOFT_BREAK = re.compile(r"\\\n")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
KEPT = frozenset(
    "GM CA MI PW PB RE RU CV CO CP W B AE AW AB PL DI EV RO PC DT GC GN ON SO US CR TM".split()  # noqa: SIM905
)
"""The properties that are read; analysis (`A`, `DA`, `LU` ...) and all others are skipped."""


def parse_trees(text: str) -> tuple[list[list[Node]], bool]:
    """The main line of each game tree, and whether there were variations beside them. Raises FormatError (`sgf`)."""
    found: list[list[Node]] = []
    depth, at, nodes, tokens, kept = 0, max(text.find("("), 0), 0, 0, 0
    closed, varied = False, False
    while token := _TOKEN.match(text, at):
        at = token.end()
        mark, name = token.groups()
        tokens += 1
        if tokens > MOST_TOKENS or kept > MOST_KEPT:
            raise FormatError("too_long", most=MOST_NODES)
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
                raise FormatError("sgf", reason="a bracket too many")
            if depth == 0:
                at = _next_tree(text, at)
        elif depth == 0:
            raise FormatError("sgf", reason="text outside a game tree")
        elif mark == ";":
            nodes += 1
            if nodes > MOST_NODES:
                raise FormatError("too_long", most=MOST_NODES)
            if not closed:
                found[-1].append({})
        else:
            at, values = _property(text, at, name, found[-1][-1] if found[-1] and not closed else None)
            kept += values
    if text[at:].strip() and depth:
        raise FormatError("sgf", reason=f"unexpected text at {at}")
    if depth:
        raise FormatError("sgf", reason="the text ends inside a game")
    return found, varied


def _next_tree(text: str, at: int) -> int:
    """The start of the next tree; text between two trees is ignored."""
    following = text.find("(", at)
    return len(text) if following < 0 else following


def _property(text: str, at: int, name: str, node: Node | None) -> tuple[int, int]:
    """Read the values of a property into `node`; the position after them, and the number of values that were read."""
    short = "".join(letter for letter in name if letter.isupper()) or name.upper()
    values = node.setdefault(short, []) if node is not None and short in KEPT else None
    before = len(values or ())
    while values is not None and len(values) < MOST_VALUES and (found := _VALUE.match(text, at)):
        at = found.end()
        values.append(found[1][:LONGEST_VALUE])
    if skipped := _VALUES.match(text, at):
        at = skipped.end()
    if at < len(text) and text[at : at + 1] == "[":
        raise FormatError("sgf", reason=f"the property {name[:20]} does not end")
    return at, len(values or ()) - before


def simple_text(value: str) -> str:
    """Parse a SimpleText value: without soft breaks and escapes, on one line."""
    return " ".join(_ESCAPE.sub(r"\1", _SOFT_BREAK.sub("", value)).split())


def escaped(text: str) -> str:
    """Escape a text for a property value; colons too, for composed values."""
    return re.sub(r"([\]\\:])", r"\\\1", text)
