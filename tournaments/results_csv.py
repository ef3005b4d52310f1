"""Parsing results from a spreadsheet: bytes to lines, and what is wrong with each. Pure; knows no members.

Columns are named in the first line, in any order and in English or Spanish: date, player, opponent, length, score,
winner and, optionally, event. The score is the player's points first: `5-3`.
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

from tournaments.without_accents import without_accents

MOST_BYTES = 1024 * 1024
MOST_LINES = 5000
LONGEST_CELL = 80
LONGEST_LENGTH = 99  # points
SEPARATORS = (";", "\t", ",")
COLUMN_NAMES: Mapping[str, tuple[str, ...]] = {
    "date": ("date", "fecha", "day", "dia"),
    "player": ("player", "jugador", "jugadora", "player 1", "jugador 1"),
    "opponent": ("opponent", "rival", "player 2", "jugador 2"),
    "length": ("length", "points", "puntos", "longitud"),
    "score": ("score", "result", "resultado", "marcador", "tanteo"),
    "winner": ("winner", "ganador", "ganadora"),
    "event": ("event", "evento", "tournament", "torneo"),
}
REQUIRED_COLUMNS = ("date", "player", "opponent", "length", "score")
OLDEST = 1900
_SCORE = re.compile(r"(\d{1,3})\s*[-–—:/]\s*(\d{1,3})", re.ASCII)
_ISO = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})", re.ASCII)


class UnreadableFile(Exception):
    """The file cannot be read: `sheet_large`, `sheet_long`, `sheet_empty`, `sheet_columns` (`missing`)."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A line of the file that can be read: `number` counts from 1 with the names of the columns.

    `points` are those of the player, then of the opponent; `digest` does not depend on how the line is written.
    """

    number: int
    day: date
    player: str
    opponent: str
    length: int
    points: tuple[int, int]
    event: str

    @property
    def first_won(self) -> bool:
        return self.points[0] > self.points[1]

    @property
    def digest(self) -> str:
        """A hash of the content, by which a line that was imported before is recognised."""
        content = (
            self.day,
            folded_name(self.player),
            folded_name(self.opponent),
            self.length,
            *self.points,
            folded_name(self.event),
        )
        return hashlib.sha256("\x1f".join(map(str, content)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class LineError:
    """A line that cannot be read, and why: `line_short`, `line_date`, `line_names`, `line_same`, `line_length`,
    `line_score`, `line_winner`, `line_long`.
    """

    number: int
    code: str
    cells: tuple[str, ...]


def parse(data: bytes) -> list[ResultLine | LineError]:
    """The lines of a file in UTF-8 (with or without its mark) or Latin-1. Raises Unreadable."""
    if len(data) > MOST_BYTES:
        raise UnreadableFile("sheet_large", most=MOST_BYTES // 1024)
    text = decode(data)
    separator = _separator(text)
    rows = _rows(text, separator)
    head = next(rows, None)
    if head is None:
        raise UnreadableFile("sheet_empty")
    columns = _columns(head[1])
    if missing := [name for name in REQUIRED_COLUMNS if name not in columns]:
        raise UnreadableFile("sheet_columns", missing=", ".join(missing))
    found: list[ResultLine | LineError] = []
    for number, cells in rows:
        if len(found) == MOST_LINES:
            raise UnreadableFile("sheet_long", most=MOST_LINES)
        found.append(_line(number, cells, columns))
    if not found:
        raise UnreadableFile("sheet_empty")
    return found


def decode(data: bytes) -> str:
    """The text of the file: every byte is a character in Latin-1, so nothing is refused."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def folded_name(name: str) -> str:
    """A name for comparison: case, white space and compatible forms make no difference."""
    return unicodedata.normalize("NFKC", " ".join(name.split()).casefold())


def _separator(text: str) -> str:
    """The separator that is most frequent in the header line."""
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
        raise UnreadableFile("sheet_empty") from error


def _columns(cells: list[str]) -> dict[str, int]:
    """The index of each column, by name."""
    found: dict[str, int] = {}
    for index, cell in enumerate(cells):
        header = without_accents(cell).strip()
        name = next((name for name, words in COLUMN_NAMES.items() if header in words), None)
        if name is not None:
            found.setdefault(name, index)
    return found


def _line(number: int, cells: list[str], columns: Mapping[str, int]) -> ResultLine | LineError:
    def cell(name: str) -> str:
        index = columns.get(name)
        return " ".join(cells[index].split()) if index is not None and index < len(cells) else ""

    def error(code: str) -> LineError:
        return LineError(number, code, tuple(cell[:LONGEST_CELL] for cell in cells[: len(COLUMN_NAMES)]))

    if any(not cell(name) for name in REQUIRED_COLUMNS):
        return error("line_short")
    if any(len(cell) > LONGEST_CELL for cell in cells):
        return error("line_long")
    day = _day(cell("date"))
    if day is None:
        return error("line_date")
    player, opponent = cell("player"), cell("opponent")
    if not (player.isprintable() and opponent.isprintable()):
        return error("line_names")
    if folded_name(player) == folded_name(opponent):
        return error("line_same")
    length = cell("length")
    if not (length.isascii() and length.isdecimal() and len(length) < 4 and 1 <= int(length) <= LONGEST_LENGTH):
        return error("line_length")
    score = _SCORE.fullmatch(cell("score"))
    points = (int(score[1]), int(score[2])) if score else (0, 0)
    if not max(points) >= int(length) > min(points):
        return error("line_score")
    winner = folded_name(cell("winner"))
    if winner and winner != folded_name(player if points[0] > points[1] else opponent):
        return error("line_winner")
    return ResultLine(number, day, player, opponent, int(length), points, cell("event"))


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
