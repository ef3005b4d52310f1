"""Writing .mat, exactly: two columns, White's left; hops one man at a time, as GNU Backgammon does.

`24/18*/13` becomes `24/18* 18/13`, `6/off(2)` becomes `6/off 6/off`; a dance is an empty cell after the dice; a player
who was closed out and did not roll (ruling B8) has an empty cell. A game that ended by an accepted resignation ends
with the winner's line. A match lost on time or given up whole says so, with the score so far, in the `Result` heading,
and its last game has no winner's line, because nobody won it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from games.engine import Side, rival
from games.formats.record import Action, Holds, Record, number
from games.formats.text import plain

LEFT = 30
"""Where the right column begins, counted from the end of ` 12) `."""

HOLDS = Holds("backgammon", told=("crawford", "cube_cap"))
"""The only game that the format is read as everywhere."""

ENDS = {
    "flag": "{name} wins on time",
    "resign": "{name} wins by resigning",
    "absent": "{name} wins by absence",
    "ended": "session ended",
}
"""The sentences of the `Result` heading; reading.py knows them."""

_COUNT = re.compile(r"^(.*)\((\d)\)(\*?)$")
Cell = tuple[Side, str]


def write(record: Record) -> str:
    """The whole match, lines ended by a line feed. Raises FormatError (`wrong_game`, `not_standard`)."""
    HOLDS.check(record)
    lines = [*_headings(record), "", f" {record.length} point match", ""]
    left, right = (_name(record.players[side]) for side in ("white", "black"))
    stakes = 2 if record.options.get("auto_doubles") else 1
    for game in record.games:
        cells = _cells(game.actions, stakes)
        if not cells and not game.kind and len(record.games) > 1:
            continue  # a session that ended, or a match given up, before the game's first roll
        white, black = (number(points) for points in game.score)
        lines += [f" Game {game.number}", f" {f'{left} : {white}':<{LEFT + 1}} {right} : {black}"]
        lines += _columns(cells)
        if game.winner:
            points = dict(zip(("white", "black"), game.score, strict=True))[game.winner] + game.points
            lines = _won(lines, cells, game.winner, int(game.points), last=0 < record.length <= points)
        lines.append("")
    return "\n".join(lines) + "\n"


def _headings(record: Record) -> Iterator[str]:
    """What is known of the match. Options that are as usual go unsaid, save those that programs ask for."""
    options = record.options
    facts: dict[str, Any] = {"Site": "Tablero", **record.headers}
    facts |= {"Player 1": record.players["white"], "Player 2": record.players["black"]}
    facts["Variation"] = HOLDS.variant.capitalize()
    if record.length:
        facts["Crawford"] = _switch(options.get("crawford", True))
    else:
        facts["Jacoby"] = _switch(options.get("jacoby", False))
        facts["Beaver"] = _switch(options.get("beavers", False))
    facts["CubeLimit"] = options["cube_cap"] if options.get("cube_cap", 64) != 64 else ""
    facts["Result"] = ending(record)
    for name, fact in facts.items():
        if said := plain(str(fact), 200).replace('"', "'"):
            yield f'; [{name} "{said}"]'


def ending(record: Record) -> str:
    """How a match ended that was not decided on points, with the score so far; empty for every other one."""
    if record.by not in ENDS:
        return ""
    said = ENDS[record.by if record.winner else "ended"].format(name=_name(record.players.get(record.winner, "")))
    return f"{said}; score {record.standing}"


def _switch(on: bool) -> str:
    return "On" if on else "Off"


def _name(name: str) -> str:
    """A name as a score line can hold it."""
    return plain(name).replace('"', "'")


def _cells(actions: Sequence[Action], stakes: int) -> list[Cell]:
    """(side, cell) for every play and cube action, in order. Who rolled at the opening is told by the dice (B3).

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
            opening = False
            dice = max(first, second) + min(first, second)
        elif word in ("double", "beaver"):
            turn = _side(actor) if word == "double" else turn
            value *= 2
            cells.append(
                (
                    turn if word == "double" else rival(turn),
                    f" {'Doubles' if word == 'double' else 'Beavers'} => {value}",
                )
            )
        elif word == "take" and cells[-1][1].startswith(" Beavers"):
            continue  # as GNU Backgammon has it: whoever plays on has taken
        elif word in ("take", "drop"):
            cells.append((_side(actor), " Takes" if word == "take" else " Drops"))
        elif word == "pass" or "/" in word:
            cells.append((turn, f"{dice}: {_play(text)}" if dice else ""))
            turn, dice = rival(turn), ""
    if dice:
        cells.append((turn, f"{dice}:"))  # a roll that was not played: the game was given up, or stopped there
    return cells


def _side(actor: str) -> Side:
    return "white" if actor == "white" else "black"


def _play(text: str) -> str:
    if text == "pass":
        return ""
    return " ".join(hop for word in text.split() for hop in hops(word))


def hops(word: str) -> list[str]:
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
    """The winner's line in his column: on the loser's line when his half of it is still free, else below."""
    text = f" Wins {points} point{'' if points == 1 else 's'}{' and the match' if last else ''}"
    if winner == "white":
        return [*lines, f"     {text}"]
    if cells and cells[-1][0] == "white":
        return [*lines[:-1], f"{lines[-1]:<{LEFT + 5}} {text}"]
    return [*lines, f"{'':<{LEFT + 5}} {text}"]
