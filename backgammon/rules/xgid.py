"""XGID, the position id of eXtreme Gammon, both ways; White is the bottom player."""

from __future__ import annotations

import re

from backgammon.rules.half_moves import Dice
from backgammon.rules.position_fields import Phase, PositionFields, PositionLike, ensure_writable, score_from_id

from .board import BAR, Board
from .cube import Cube
from .house import NO_MONEY, Money
from .sides import Side, opponent

_FORM = re.compile(
    r"(?:XGID=)?(?P<checkers>[-A-Pa-p]{26}):(?P<cube>\d{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1):(?P<dice>[DBR]|00|[1-6][1-6])"
    r":(?P<bottom>\d{1,5}):(?P<top>\d{1,5}):(?P<flag>[0-3]):(?P<length>\d{1,5}):(?P<cap>\d{1,2})",
    re.ASCII,
)
_SIDES: dict[str, Side] = {"1": "white", "-1": "black"}
_SIGN = {"white": "1", "black": "-1", None: "0"}


def write(shown: PositionLike) -> str:
    """Format the XGID of a position. Dice not rolled yet, the opening included, are ``00``.

    The third field from the end marks the Crawford game in a match; in a money session it says whether Jacoby (1) and
    beavers (2) are played. Raises `ValueError` for a position that an id cannot express.
    """
    ensure_writable(shown)
    white = shown.board if shown.mover == "white" else shown.board.flipped()
    checkers = "".join(_letter(count) for count in (-white.opponent_bar, *white.points, white.bar))
    cube, score = shown.cube, shown.score
    money = shown.money
    dice = "{}{}".format(*shown.dice) if shown.dice else "00"
    if shown.phase == "doubled":
        dice = "B" if cube.beavered else "D"
    fields = [
        checkers,
        _log2(cube.value),
        _SIGN[cube.owner],
        _SIGN[shown.mover],
        dice,
        score.white,
        score.black,
        int(score.crawford) if score.length else money.jacoby + 2 * money.beavers,
        score.length,
        _log2(cube.cap) if cube.in_play else 0,
    ]
    return "XGID=" + ":".join(map(str, fields))


def read(text: str, *, checkers: int) -> PositionFields:
    """Parse an XGID, for a game with `checkers` a side; those not on the board are off.

    Raises `ValueError` for a text that is no XGID, or has too many checkers, a raccoon, or a beaver in a match.
    """
    found = _FORM.fullmatch(text.strip())
    if not found:
        raise ValueError("not an XGID")
    counts = [_count(letter) for letter in found["checkers"]]
    if counts[0] > 0 or counts[BAR] < 0:
        raise ValueError("a bar holds a checker of the wrong player")
    own = sum(count for count in counts if count > 0)
    opposing = -sum(count for count in counts if count < 0)
    white = Board.from_wire((0, counts[BAR], checkers - own, *counts[1:BAR], 0, -counts[0], checkers - opposing))
    mover = _SIDES[found["turn"]]
    length = int(found["length"])
    crawford = length > 0 and found["flag"] == "1"
    score = score_from_id(length, white=int(found["bottom"]), black=int(found["top"]), crawford=crawford)
    flag = int(found["flag"])
    beavered = found["dice"] == "B"
    if beavered and length:
        raise ValueError("beavers belong to money sessions")
    money = NO_MONEY if length else Money(jacoby=bool(flag & 1), beavers=bool(flag & 2) or beavered)
    phase, dice = _phase(found["dice"])
    cap = 1 << int(found["cap"])
    in_play = cap > 1 and length != 1
    cube = Cube(1 << int(found["cube"]), _SIDES.get(found["owner"]), max(cap, 2), in_play, beavered)
    if phase == "doubled" and cube.owner == opponent(mover):
        raise ValueError("the cube is doubled by a player who does not own it")
    return PositionFields(white if mover == "white" else white.flipped(), mover, phase, dice, cube, score, money)


def _phase(dice: str) -> tuple[Phase, Dice | None]:
    if dice == "R":
        raise ValueError("raccoons are not supported")
    if dice in "BD":
        return "doubled", None
    return ("roll", None) if dice == "00" else ("move", (int(dice[0]), int(dice[1])))


def _letter(count: int) -> str:
    """The letter of a count: A..P for the bottom player, a..p for the top one, - for an empty place."""
    return "-" if not count else chr(ord("@") + count) if count > 0 else chr(ord("`") - count)


def _count(letter: str) -> int:
    return 0 if letter == "-" else ord(letter) - ord("@") if letter.isupper() else ord("`") - ord(letter)


def _log2(value: int) -> int:
    return value.bit_length() - 1
