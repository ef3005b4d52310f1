"""A match as .mat text (Jellyfish), the form that GNU Backgammon, XG and every other program read.

Exact in what is written: two columns, White's left; hops written out one man at a time (`24/18*/13` becomes
`24/18* 18/13`, `6/off(2)` becomes `6/off 6/off`); `Cannot Move` never, an empty cell after the dice instead, as GNU
Backgammon does. A player who was closed out and did not roll (ruling B8) has an empty cell without dice. A game that
ended by an accepted resignation ends with the winner's line; a match lost on time or given up whole says so in the
`Result` heading, and its last game has no winner's line, because nobody won it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

LEFT = 30
"""Where the right column begins, counted from the end of ` 12) `."""

_COUNT = re.compile(r"^(.*)\((\d)\)(\*?)$")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: the score before it, its actions as (actor, text), and how it ended (`winner` empty: it did not)."""

    number: int
    white: int
    black: int
    actions: Sequence[tuple[str, str]]
    winner: str = ""
    points: int = 0


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match: White's and Black's names, its terms and its games. `result` is a sentence for an end without score."""

    key: str
    white: str
    black: str
    length: int
    variation: str
    games: Sequence[GameRecord]
    played: datetime | None = None
    rated: bool = False
    result: str = ""


def export(match: MatchRecord) -> str:
    """The whole match, lines ended by a line feed."""
    lines = [*_headings(match), "", f" {match.length} point match", ""]
    left, right = match.white, match.black
    points = {"white": 0, "black": 0}
    for game in match.games:
        lines.append(f" Game {game.number}")
        lines.append(f" {f'{left} : {game.white}':<{LEFT + 1}} {right} : {game.black}")
        points = {"white": game.white, "black": game.black}
        cells = list(_cells(game.actions))
        lines += _columns(cells)
        if game.winner:
            last = points[game.winner] + game.points >= match.length
            lines = _won(lines, cells, game, last=last)
        lines.append("")
    return "\n".join(lines) + "\n"


def _headings(match: MatchRecord) -> Iterator[str]:
    facts = {
        "Site": "Tablero",
        "Match ID": match.key,
        "Player 1": match.white,
        "Player 2": match.black,
        "EventDate": match.played.strftime("%Y.%m.%d") if match.played else "",
        "EventTime": match.played.strftime("%H.%M") if match.played else "",
        "Variation": match.variation,
        "Unrated": "Off" if match.rated else "On",
        "Crawford": "On",
        "Result": match.result,
    }
    return (f'; [{name} "{fact}"]' for name, fact in facts.items() if fact)


def _cells(actions: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """(side, cell) for every play and cube action, in order. Who rolled at the opening is told by the dice (B3)."""
    turn, dice, value, opening = "", "", 1, True
    for actor, text in actions:
        word = text.split()[0] if text else ""
        if word == "dice":
            first, second = text[-2], text[-1]
            if opening and first == second:
                continue
            if opening:
                turn = "white" if first > second else "black"
            opening = False
            dice = max(first, second) + min(first, second)
        elif word == "double":
            turn = actor
            value *= 2
            yield actor, f" Doubles => {value}"
        elif word in ("take", "drop"):
            yield actor, " Takes" if word == "take" else " Drops"
        elif word == "pass" or "/" in word:
            yield turn, f"{dice}: {_play(text)}" if dice else ""
            turn, dice = _other(turn), ""


def _play(text: str) -> str:
    if text == "pass":
        return ""
    return " ".join(hop for word in text.split() for hop in _hops(word))


def _hops(word: str) -> list[str]:
    """`6/off(2)` as two hops, `24/18*/13` as its two steps. The star of a counted hop belongs to the first man."""
    count, star = 1, ""
    if found := _COUNT.match(word):
        word, count, star = found[1], int(found[2]), found[3]
    if word.endswith("*"):
        word, star = word[:-1], "*"
    stops = word.split("/")
    steps = [f"{a.rstrip('*')}/{b}" for a, b in pairwise(stops)]
    marked = [*steps[:-1], steps[-1] + star]
    return marked + steps * (count - 1)


def _columns(cells: list[tuple[str, str]]) -> list[str]:
    """Numbered lines, one cell a side; the first line's left half stays empty when Black began."""
    rows: list[list[str]] = []
    for side, cell in cells:
        if side == "white" or not rows or rows[-1][1] is not None:
            rows.append(["", None] if side == "black" else [cell, None])  # type: ignore[list-item]
        if side == "black":
            rows[-1][1] = cell
    return [_line(f"{number:3d}) ", row[0], row[1] or "") for number, row in enumerate(rows, 1)]


def _line(head: str, left: str, right: str) -> str:
    return f"{head}{left:<{LEFT}} {right}".rstrip() if left or right else head.rstrip()


def _won(lines: list[str], cells: list[tuple[str, str]], game: GameRecord, *, last: bool) -> list[str]:
    """The winner's line in his column: on the loser's line when his half of it is still free, else below."""
    text = f" Wins {game.points} point{'' if game.points == 1 else 's'}{' and the match' if last else ''}"
    if game.winner == "white":
        return [*lines, f"     {text}"]
    if cells and cells[-1][0] == "white":
        return [*lines[:-1], f"{lines[-1]:<{LEFT + 5}} {text}"]
    return [*lines, f"{'':<{LEFT + 5}} {text}"]


def _other(side: str) -> str:
    return "black" if side == "white" else "white"
