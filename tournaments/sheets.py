"""Results out of a spreadsheet: bytes to lines, and what is wrong with each. Pure; who is a member is asked elsewhere.

Columns are named in the first line, in any order and in English or Spanish: date, player, rival, length, score, winner
and, if wanted, event. The score is the player's points first: `5-3`.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

MOST_BYTES = 1024 * 1024
MOST_LINES = 5000
LONGEST_CELL = 80
LONGEST_LENGTH = 99  # points
SEPARATORS = (";", "\t", ",")
NAMES: Mapping[str, tuple[str, ...]] = {
    "date": ("date", "fecha", "day", "dia"),
    "player": ("player", "jugador", "jugadora", "player 1", "jugador 1"),
    "rival": ("rival", "opponent", "player 2", "jugador 2"),
    "length": ("length", "points", "puntos", "longitud"),
    "score": ("score", "result", "resultado", "marcador", "tanteo"),
    "winner": ("winner", "ganador", "ganadora"),
    "event": ("event", "evento", "tournament", "torneo"),
}
NEEDED = ("date", "player", "rival", "length", "score")
OLDEST = 1900
_SCORE = re.compile(r"(\d{1,3})\s*[-–—:/]\s*(\d{1,3})", re.ASCII)
_ISO = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})", re.ASCII)


class Unreadable(Exception):
    """The whole file is none: `sheet_large`, `sheet_long`, `sheet_empty`, `sheet_columns` (`missing`)."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file that can be read: `number` counts from 1 with the names of the columns.

    `points` are those of the player, then of the rival; `digest` is the same for the same line, however it is written.
    """

    number: int
    day: date
    player: str
    rival: str
    length: int
    points: tuple[int, int]
    event: str

    @property
    def first_won(self) -> bool:
        return self.points[0] > self.points[1]

    @property
    def digest(self) -> str:
        """A hash of what it says: what tells whether it was brought in before."""
        said = (self.day, fold(self.player), fold(self.rival), self.length, *self.points, fold(self.event))
        return hashlib.sha256("\x1f".join(map(str, said)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that cannot be read, and why: `line_short`, `line_date`, `line_names`, `line_same`, `line_length`,
    `line_score`, `line_winner`, `line_long`.
    """

    number: int
    code: str
    cells: tuple[str, ...]


def read(data: bytes) -> list[Line | Fault]:
    """The lines of a file in UTF-8 (with or without its mark) or Latin-1. Raises Unreadable."""
    if len(data) > MOST_BYTES:
        raise Unreadable("sheet_large", most=MOST_BYTES // 1024)
    text = decode(data)
    separator = _separator(text)
    rows = _rows(text, separator)
    head = next(rows, None)
    if head is None:
        raise Unreadable("sheet_empty")
    columns = _columns(head[1])
    if missing := [name for name in NEEDED if name not in columns]:
        raise Unreadable("sheet_columns", missing=", ".join(missing))
    found: list[Line | Fault] = []
    for number, cells in rows:
        if len(found) == MOST_LINES:
            raise Unreadable("sheet_long", most=MOST_LINES)
        found.append(_line(number, cells, columns))
    if not found:
        raise Unreadable("sheet_empty")
    return found


def decode(data: bytes) -> str:
    """The text of the file: every byte is a letter in Latin-1, so nothing is refused."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def fold(name: str) -> str:
    """A name as it is compared: case, white space and compatible forms make no difference."""
    return unicodedata.normalize("NFKC", " ".join(name.split()).casefold())


def _separator(text: str) -> str:
    """Of the three, the one that the line of the names has most of."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(SEPARATORS, key=first.count)


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number of its last line."""
    reader = csv.reader(io.StringIO(text.replace("\0", "")), delimiter=separator)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise Unreadable("sheet_empty") from error


def _columns(cells: list[str]) -> dict[str, int]:
    """Where each column stands."""
    found: dict[str, int] = {}
    for at, cell in enumerate(cells):
        said = "".join(c for c in unicodedata.normalize("NFKD", cell.casefold()) if not unicodedata.combining(c))
        name = next((name for name, words in NAMES.items() if said.strip() in words), None)
        if name is not None:
            found.setdefault(name, at)
    return found


def _line(number: int, cells: list[str], columns: Mapping[str, int]) -> Line | Fault:
    def cell(name: str) -> str:
        at = columns.get(name)
        return " ".join(cells[at].split()) if at is not None and at < len(cells) else ""

    def fault(code: str) -> Fault:
        return Fault(number, code, tuple(one[:LONGEST_CELL] for one in cells[: len(NAMES)]))

    if any(not cell(name) for name in NEEDED):
        return fault("line_short")
    if any(len(one) > LONGEST_CELL for one in cells):
        return fault("line_long")
    day = _day(cell("date"))
    if day is None:
        return fault("line_date")
    player, rival = cell("player"), cell("rival")
    if not (player.isprintable() and rival.isprintable()):
        return fault("line_names")
    if fold(player) == fold(rival):
        return fault("line_same")
    length = cell("length")
    if not (length.isascii() and length.isdecimal() and len(length) < 4 and 1 <= int(length) <= LONGEST_LENGTH):
        return fault("line_length")
    score = _SCORE.fullmatch(cell("score"))
    points = (int(score[1]), int(score[2])) if score else (0, 0)
    if not max(points) >= int(length) > min(points):
        return fault("line_score")
    winner = fold(cell("winner"))
    if winner and winner != fold(player if points[0] > points[1] else rival):
        return fault("line_winner")
    return Line(number, day, player, rival, int(length), points, cell("event"))


def _day(text: str) -> date | None:
    """`2026-11-20`, or with the day first `20/11/2026`."""
    for shape, order in ((_ISO, (1, 2, 3)), (_DAY_FIRST, (3, 2, 1))):
        if found := shape.fullmatch(text):
            try:
                day = date(*(int(found[part]) for part in order))
            except ValueError:
                return None
            return day if day.year >= OLDEST else None
    return None
