"""Parsing a list of entrants that a director pastes or uploads: names a line each, or a table with headings. Pure.

A line is a name, perhaps with a number before it (`3. Ana Pérez`), as programs of messages copy it. A table has the
names of its columns in the first line, in English or Spanish: name, username, seed, paid, here.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.without_accents import without_accents

MOST_LINES = 512
MOST_CHARACTERS = 64 * 1024
LONGEST_NAME = 80
SEPARATORS = (";", "\t", ",")
COLUMN_NAMES: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "nombre", "player", "jugador", "jugadora"),
    "username": ("username", "user", "account", "usuario", "cuenta"),
    "seed": ("seed", "cabeza de serie", "cabeza", "serie"),
    "paid": ("paid", "pagado", "pago"),
    "here": ("here", "present", "presente"),
}
YES = ("1", "x", "y", "yes", "s", "si", "true", "✓", "✔")
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}\s*[.)\]:-]|[-*•·])\s*", re.ASCII)


class UnreadableList(Exception):
    """The list cannot be read: `list_empty`, `list_long` (`most`)."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class ListedEntrant:
    """A line of a list: `number` counts from 1. `fault` says what is wrong with it: `name`, `seed` or ""."""

    number: int
    name: str
    username: str = ""
    seed: int | None = None
    paid: bool = False
    here: bool = False
    fault: str = ""


def parse(text: str) -> list[ListedEntrant]:
    """The entrants of a list, in its order. Raises UnreadableList."""
    text = text.replace("\0", "").removeprefix("\ufeff")
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise UnreadableList("list_empty")
    columns = _columns(lines[0][1])
    found = _table(lines, columns) if columns else [_read(number, [line], {"name": 0}) for number, line in lines]
    if not found:
        raise UnreadableList("list_empty")
    if len(found) > MOST_LINES or len(text) > MOST_CHARACTERS:
        raise UnreadableList("list_long", most=MOST_LINES)
    return found


def _columns(line: str) -> dict[str, int]:
    """The index of each column by name; empty where the first line is not that of a table."""
    cells = _cells(line, _separator(line))
    found: dict[str, int] = {}
    for index, cell in enumerate(cells):
        name = next((name for name, words in COLUMN_NAMES.items() if _plain(cell) in words), None)
        if name is not None:
            found.setdefault(name, index)
    return found if "name" in found or "username" in found else {}


def _table(lines: Iterable[tuple[int, str]], columns: Mapping[str, int]) -> list[ListedEntrant]:
    (_first, head), *rows = lines
    separator = _separator(head)
    return [_read(number, _cells(line, separator), columns) for number, line in rows]


def _separator(line: str) -> str:
    return max(SEPARATORS, key=line.count)


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(line), delimiter=separator), [])
    except csv.Error:
        return [line]


def _plain(text: str) -> str:
    return without_accents(text).strip()


def _read(number: int, cells: list[str], columns: Mapping[str, int]) -> ListedEntrant:
    def cell(column: str) -> str:
        index = columns.get(column)
        return " ".join(cells[index].split()) if index is not None and index < len(cells) else ""

    username, seed = cell("username").removeprefix("@"), cell("seed")
    name = _NUMBERED.sub("", cell("name")).strip() or username
    fault = "" if 0 < len(name) <= LONGEST_NAME and name.isprintable() else "name"
    if seed and not (seed.isascii() and seed.isdecimal() and len(seed) <= 3 and int(seed) > 0):
        seed, fault = "", fault or "seed"
    paid, here = (_plain(cell(column)) in YES for column in ("paid", "here"))
    return ListedEntrant(
        number, name[:LONGEST_NAME], username[:LONGEST_NAME], int(seed) if seed else None, paid, here, fault
    )
