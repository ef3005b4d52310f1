"""Write .mat exactly: two columns, White on the left; one checker's move at a time, as GNU Backgammon does.

`24/18*/13` becomes `24/18* 18/13`, `6/off(2)` becomes `6/off 6/off`. Dice are in the order in which they were rolled or
imported. A roll without a legal play is an empty cell after the dice; a player who was closed out and did not roll
(ruling B8) has an empty cell. A game that ended by an accepted resignation ends with the winner's line. A match lost on
time or resigned as a whole is noted, with the score so far, in the `Result` header, and its last game has no winner's
line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from games.engine import Side, opponent
from games.formats.decoding import plain
from games.formats.record import LOW_DIE_FIRST, Action, FormatLimits, Record, number

LEFT = 30
"""The start of the right column, counted from the end of ` 12) `."""

LIMITS = FormatLimits("backgammon", house_rules=("crawford", "cube_cap"))
"""The only game that all programs read the format as."""

ENDS = {
    "flag": "{name} wins on time",
    "resign": "{name} wins by resigning",
    "absent": "{name} wins by absence",
    "ended": "session ended",
}
"""The sentences of the `Result` header; reading.py parses them."""

_COUNT = re.compile(r"^(.*)\((\d)\)(\*?)$")
Cell = tuple[Side, str]


def write(record: Record) -> str:
    """Write the whole match, with line feeds. Raises FormatError (`wrong_game`, `not_standard`)."""
    LIMITS.check(record)
    lines = [*_headings(record), "", f" {record.length} point match", ""]
    left, right = (_name(record.players[side]) for side in ("white", "black"))
    stakes = 2 if record.options.get("auto_doubles") else 1
    for index, game in enumerate(record.games, 1):
        cells = _cells(game.actions, stakes, low_die_first=index in record.low_die_first)
        if not cells and not game.kind and len(record.games) > 1:
            continue  # a session ended, or a match was resigned, before the game's first roll
        white, black = (number(points) for points in game.score)
        lines += [f" Game {game.number}", f" {f'{left} : {white}':<{LEFT + 1}} {right} : {black}"]
        lines += _columns(cells)
        if game.winner:
            points = dict(zip(("white", "black"), game.score, strict=True))[game.winner] + game.points
            lines = _won(lines, cells, game.winner, int(game.points), last=0 < record.length <= points)
        lines.append("")
    return "\n".join(lines) + "\n"


def _headings(record: Record) -> Iterator[str]:
    """The headers of the match. Default options are left out, except those that programs expect."""
    options = record.options
    headers = {name: text for name, text in record.headers.items() if name != LOW_DIE_FIRST}
    facts: dict[str, Any] = {"Site": "Tablero", **headers}
    facts |= {"Player 1": record.players["white"], "Player 2": record.players["black"]}
    facts["Variation"] = LIMITS.variant.capitalize()
    if record.length:
        facts["Crawford"] = _switch(options.get("crawford", True))
    else:
        facts["Jacoby"] = _switch(options.get("jacoby", False))
        facts["Beaver"] = _switch(options.get("beavers", False))
    facts["CubeLimit"] = options["cube_cap"] if options.get("cube_cap", 64) != 64 else ""
    facts["Result"] = ending_text(record)
    for name, fact in facts.items():
        if text := plain(str(fact), 200).replace('"', "'"):
            yield f'; [{name} "{text}"]'


def ending_text(record: Record) -> str:
    """How a match ended that was not decided on points, with the score so far; else empty."""
    if record.by not in ENDS:
        return ""
    text = ENDS[record.by if record.winner else "ended"].format(name=_name(record.players.get(record.winner, "")))
    return f"{text}; score {record.standing}"


def _switch(on: bool) -> str:
    return "On" if on else "Off"


def _name(name: str) -> str:
    """A name in the form that a score line can hold."""
    return plain(name).replace('"', "'")


def _cells(actions: Sequence[Action], stakes: int, *, low_die_first: bool) -> list[Cell]:
    """(side, cell) for every play and cube action, in order. The first dice belong to who started (B3).

    `stakes` is the cube's value after a tie at the opening: 2 with automatic doubles (B16).
    """
    cells: list[Cell] = []
    turn: Side = "white"
    dice, value, opening = "", 1, True
    for actor, text in actions:
        word = text.split()[0] if text else ""
        if word == "dice":
            first, second = text[-2], text[-1]
            if opening and first == second:
                value = stakes
                continue
            if opening:
                turn = "white" if first > second else "black"
            dice = opening_dice(text, low_die_first=low_die_first) if opening else first + second
            opening = False
        elif word in ("double", "beaver"):
            turn = _side(actor) if word == "double" else turn
            value *= 2
            cells.append(
                (
                    turn if word == "double" else opponent(turn),
                    f" {'Doubles' if word == 'double' else 'Beavers'} => {value}",
                )
            )
        elif word == "take" and cells[-1][1].startswith(" Beavers"):
            continue  # as in GNU Backgammon: playing on implies the take
        elif word in ("take", "drop"):
            cells.append((_side(actor), " Takes" if word == "take" else " Drops"))
        elif word == "pass" or "/" in word:
            cells.append((turn, f"{dice}: {_play(text)}" if dice else ""))
            turn, dice = opponent(turn), ""
    if dice:
        cells.append((turn, f"{dice}:"))  # a roll without a play: the game was resigned or stopped there
    return cells


def opening_dice(text: str, *, low_die_first: bool) -> str:
    """The dice of an opening roll as the file of the match has them, else the higher first."""
    return "".join(sorted(text[-2:], reverse=not low_die_first))


def _side(actor: str) -> Side:
    return "white" if actor == "white" else "black"


def _play(text: str) -> str:
    if text == "pass":
        return ""
    return " ".join(move for word in text.split() for move in single_moves(word))


def single_moves(word: str) -> list[str]:
    """Split `6/off(2)` into two moves, `24/18*/13` into its two steps; a star of a counted move goes to the first."""
    count, star = 1, ""
    if found := _COUNT.match(word):
        word, count, star = found[1], int(found[2]), found[3]
    if word.endswith("*"):
        word, star = word[:-1], "*"
    stops = word.split("/")
    steps = [f"{a.rstrip('*')}/{b}" for a, b in pairwise(stops)]
    marked = [*steps[:-1], steps[-1] + star]
    return marked + steps * (count - 1)


def _columns(cells: Sequence[Cell]) -> list[str]:
    """Numbered lines, one cell a side; the first line's left half stays empty when Black began."""
    rows: list[tuple[str, str | None]] = []
    for side, cell in cells:
        if side == "white":
            rows.append((cell, None))
        elif rows and rows[-1][1] is None:
            rows[-1] = (rows[-1][0], cell)
        else:
            rows.append(("", cell))
    return [_line(f"{index:3d}) ", left, right or "") for index, (left, right) in enumerate(rows, 1)]


def _line(head: str, left: str, right: str) -> str:
    return f"{head}{left:<{LEFT}} {right}".rstrip() if left or right else head.rstrip()


def _won(lines: list[str], cells: Sequence[Cell], winner: str, points: int, *, last: bool) -> list[str]:
    """Add the winner's line in the winner's column: on the last line if that half is free, else below."""
    text = f" Wins {points} point{'' if points == 1 else 's'}{' and the match' if last else ''}"
    if winner == "white":
        return [*lines, f"     {text}"]
    if cells and cells[-1][0] == "white":
        return [*lines[:-1], f"{lines[-1]:<{LEFT + 5}} {text}"]
    return [*lines, f"{'':<{LEFT + 5}} {text}"]
