"""Read .mat: lines and cells first, then the rules (`rebuild`).

A line is split at the words that begin a cell - dice and a colon, `Doubles`, `Takes`, `Wins` ... - and not at a column,
because programs pad differently. Of two cells the first is the left player's; a single cell belongs to the player whose
name in the score line is closer to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.engine import SIDES, Side, opponent
from games.formats.decoding import plain
from games.formats.errors import FormatError
from games.formats.parsed import Kind, ParsedGame, ParsedMatch, Step
from games.formats.rebuild import rebuild
from games.formats.rebuild_base import MOST_PLAYS
from games.formats.record import Fault, Reading

LONGEST_LINE = 1000
"""Longer lines are cut."""
MOST_HEADERS = 60
MOST_GAMES = 1000
MOST_NOTES = 20
USUAL_RIGHT = 34
"""The start of the right column without a score line."""

_HEADER = re.compile(r';?\s*\[\s*([^"\]]{1,60}?)\s*"(.*)"\s*\]', re.ASCII)
_LENGTH = re.compile(r"(\d{1,9})[ -]*points?[ -]+match\b", re.IGNORECASE | re.ASCII)
_MONEY = re.compile(r"(?:unlimited|money) (?:match|game|session)", re.IGNORECASE)
_GAME = re.compile(r"Game\s+(\d{1,6})\s*[:.]?$", re.IGNORECASE | re.ASCII)
_SCORE = re.compile(r"(?P<left>\S.*?) ?: ?(?P<white>\d{1,6})\s+(?P<right>\S.*?) ?: ?(?P<black>\d{1,6})$", re.ASCII)
_NUMBER = re.compile(r"\s*(\d{1,6})\)", re.ASCII)
_CELL = re.compile(
    r"(?P<dice>\b[0-6]{2}) ?:"
    r"|(?P<word>\b(?:re)?doubles?\b|\bbeavers?\b|\btakes?\b|\baccepts?\b|\bdrops?\b|\bpass(?:es)?\b|\brejects?\b"
    r"|\bcannot move\b|\bcan't move\b|\bno move\b|\bconcedes?\b|\bresigns?\b"
    r"|\bwins?\b|\bloss(?:es)?\b|\bloses?\b|\?{2,4})",
    re.IGNORECASE | re.ASCII,
)
_VALUE = re.compile(r"\s*(?:=>|to|at)?\s*(\d{1,4})\b", re.ASCII)
_POINTS = re.compile(r"\s*(\d{1,9})\s*points?|\s*(\d{1,9})\b", re.IGNORECASE | re.ASCII)
_MATCH_WON = re.compile(r"\bmatch\b", re.IGNORECASE)

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("double", "doubles", "redouble", "redoubles"), "double"),
    **dict.fromkeys(("beaver", "beavers"), "beaver"),
    **dict.fromkeys(("take", "takes", "accept", "accepts"), "take"),
    **dict.fromkeys(("drop", "drops", "pass", "passes", "reject", "rejects"), "drop"),
    **dict.fromkeys(("concede", "concedes", "resign", "resigns", "??", "???", "????"), "resign"),
    **dict.fromkeys(("cannot move", "can't move", "no move"), "play"),
}
_INSIDE_DICE_CELL = ("resign", "play")
"""Kinds that belong to a cell that began with dice: `62: Concedes`, `31: Cannot Move`."""


def read(text: str) -> Reading:
    """Read the match of a .mat text. Raises FormatError."""
    return rebuild(parse(text))


def parse(text: str) -> ParsedMatch:
    """Parse a .mat text without applying any rule. Raises FormatError."""
    reader = _Reader()
    for line in text.split("\n"):
        reader.line(line[:LONGEST_LINE].expandtabs())
    return reader.parsed_match()


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of a line: its start, the word or dice that begins it, and the rest."""

    start: int
    dice: str
    word: str
    rest: str


class _Reader:
    """Collects the headers and games of the lines read so far."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.heads = 0
        self.length: int | None = None
        self.names: dict[str, str] = {}
        self.games: list[ParsedGame] = []
        self.right = USUAL_RIGHT
        self.move = 0
        self.notes: list[Fault] = []

    def line(self, line: str) -> None:
        bare = line.strip()
        if not bare:
            return
        if bare[0] in ";[":
            self._header(bare)
        elif found := _GAME.fullmatch(bare):
            if len(self.games) >= MOST_GAMES:
                raise FormatError("too_long", most=MOST_PLAYS)
            self.games.append(ParsedGame(int(found[1])))
            self.move = 0
        elif not self.games:
            self._length(bare)
        elif self._awaits_score() and (found := _SCORE.fullmatch(bare)):
            self._score(found, len(line) - len(line.lstrip()))
        else:
            self._cells(line)

    def _header(self, bare: str) -> None:
        self.heads += 1
        if self.heads <= MOST_HEADERS and (found := _HEADER.match(bare)):
            self.headers.setdefault(plain(found[1], 40), plain(found[2], 200))

    def _length(self, bare: str) -> None:
        if found := _LENGTH.search(bare):
            self.length = int(found[1])
        elif _MONEY.search(bare):
            self.length = 0

    def _awaits_score(self) -> bool:
        game = self.games[-1]
        return game.score is None and not game.steps

    def _score(self, found: re.Match[str], indent: int) -> None:
        self.games[-1].score = (int(found["white"]), int(found["black"]))
        self.right = indent + found.start("right")
        names = {"white": plain(found["left"]), "black": plain(found["right"])}
        self.names = self.names or names

    def _cells(self, line: str) -> None:
        if len(self.games[-1].steps) > MOST_PLAYS:
            raise FormatError("too_long", most=MOST_PLAYS)
        numbered = _NUMBER.match(line)
        at = 0
        if numbered:
            self.move, at = int(numbered[1]), numbered.end()
        cells = _split(line, at)
        if not cells:
            if line[at:].strip():
                self._note(line)
            return
        if at and line[at : cells[0].start].strip():
            self._unreadable(line[at : cells[0].start], self._side(cells[0].start if len(cells) == 1 else at))
        plays = [cell for cell in cells if not _result(cell.word)]
        for cell in cells:
            if _result(cell.word):
                self._won(cell, alone=len(cells) == 1, after=plays)
            elif len(plays) > 2:
                self._unreadable(line[cell.start :], self._side(cell.start))
                return
            else:
                side = SIDES[plays.index(cell)] if len(plays) == 2 else self._side(cell.start)
                self.games[-1].steps.append(_step(cell, side, self.move))

    def _side(self, start: int) -> Side:
        """The side whose column a single cell stands in, by the closer name."""
        return "white" if start < (self.right + 6) // 2 + 2 else "black"

    def _won(self, cell: _Cell, *, alone: bool, after: list[_Cell]) -> None:
        game = self.games[-1]
        if game.winner is not None:
            return
        side = self._side(cell.start) if alone or not after else "black"
        points = _POINTS.match(cell.rest)
        game.winner = side if cell.word.startswith("win") else opponent(side)
        game.points = int(points[1] or points[2]) if points else None
        game.match_won = bool(_MATCH_WON.search(cell.rest))

    def _unreadable(self, text: str, side: Side) -> None:
        self.games[-1].steps.append(Step("unreadable", side, self.move, text=plain(text)))

    def _note(self, line: str) -> None:
        if len(self.notes) < MOST_NOTES:
            text = plain(line)
            self.notes.append(Fault(self.games[-1].number, self.move, "line_ignored", "", {"line": text}, text))

    # The result

    def parsed_match(self) -> ParsedMatch:
        """The parsed match. Raises FormatError (`no_games`, `unknown_format`)."""
        if not self.games:
            raise FormatError("no_games")
        if self.length is None:
            raise FormatError("unknown_format")
        players: dict[str, str] = {
            side: self.headers.get(f"Player {index}") or self.names.get(side) or f"Player {index}"
            for index, side in enumerate(SIDES, 1)
        }
        match = ParsedMatch("mat", self._variant(), self.length, players, self.games)
        match.options = dict(_declared(self.headers, self.length))
        match.headers = {key: value for key, value in self.headers.items() if key not in _NOT_KEPT}
        match.by, match.winner = _ended(self.headers.get("Result", ""), players)
        match.warnings = self.notes
        return match

    def _variant(self) -> str:
        variation = self.headers.get("Variation", "").lower()
        return "backgammon" if variation in ("", "standard", "backgammon") else variation


_NOT_KEPT = ("Player 1", "Player 2", "Variation", "Crawford", "Jacoby", "Beaver", "CubeLimit", "Result")


def _split(line: str, at: int) -> list[_Cell]:
    """The cells of a line. Words like `Cannot Move` belong to the dice right before them."""
    cells: list[_Cell] = []
    marks = []
    for found in _CELL.finditer(line, at):
        marks.append(found)
        if len(marks) > 6:
            break
    for index, found in enumerate(marks):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(line)
        word = " ".join((found["word"] or "").lower().split())
        rest = line[found.end() : end]
        if word and cells and _KINDS.get(word) in _INSIDE_DICE_CELL and cells[-1].dice and not cells[-1].word:
            gap = cells[-1].rest
            if not gap.strip() and len(gap) <= 3:
                cells[-1] = _Cell(cells[-1].start, cells[-1].dice, word, rest)
                continue
        cells.append(_Cell(found.start(), found["dice"] or "", word, rest))
    return cells


def _result(word: str) -> bool:
    return word.startswith(("win", "los"))


def _step(cell: _Cell, side: Side, move: int) -> Step:
    """Convert a cell to a step. Dice with a 0 were never rolled."""
    text = plain(f"{cell.dice}:{cell.rest}" if cell.dice and not cell.word else f"{cell.word} {cell.rest}")
    dice = "" if "0" in cell.dice else cell.dice
    if not cell.word:
        moves = " ".join(cell.rest.split())
        if "0" in cell.dice:
            return Step("unreadable", side, move, text=text) if moves else Step("resign", side, move, text=text)
        return Step("play", side, move, dice, moves.replace("-", "/") or None, text=text)
    kind = _KINDS[cell.word]
    value = _VALUE.match(cell.rest)
    moves_given = "" if kind == "play" else None
    return Step(kind, side, move, dice, moves_given, int(value[1]) if value and kind in _CUBE else 0, text)


_CUBE = ("double", "beaver")


def _declared(headers: dict[str, str], length: int) -> Iterator[tuple[str, Any]]:
    """The options that the headers of a file declare."""
    switches = {"Crawford": "crawford"} if length else {"Jacoby": "jacoby", "Beaver": "beavers"}
    for name, option in switches.items():
        value = headers.get(name, "").lower()
        if value in ("on", "yes", "true", "1", "off", "no", "false", "0"):
            yield option, value in ("on", "yes", "true", "1")
    limit = headers.get("CubeLimit", "")
    if limit.isascii() and limit.isdecimal() and len(limit) < 6 and int(limit) in (2**power for power in range(1, 13)):
        yield "cube_cap", int(limit)


WORDS_OF_ENDS = {
    "flag": "wins on time",
    "resign": "wins by resigning",
    "absent": "wins by absence",
    "ended": "session ended",
}


def _ended(result: str, players: dict[str, str]) -> tuple[str, Side | None]:
    """How the match ended without a final score, by our own `Result` header."""
    for by in ("flag", "resign", "absent"):
        for side in SIDES:
            if result.startswith(f"{players[side]} {WORDS_OF_ENDS[by]}"):
                return by, side
    return ("ended", None) if result.startswith(WORDS_OF_ENDS["ended"]) else ("", None)
