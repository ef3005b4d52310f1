"""The Position ID and Match ID of GNU Backgammon, both ways; White is player 0."""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple

from backgammon.rules.position_fields import Phase, PositionFields, PositionLike, ensure_writable, score_from_id

from .board import BAR, Board
from .cube import DEFAULT_CAP, Cube
from .house import NO_MONEY, Money
from .sides import SIDES, Side

_CENTRED = 3
_PLAYING, _OVER = 1, 2
_POSITION_BYTES, _MATCH_BYTES = 10, 9


class _Field(NamedTuple):
    name: str
    bits: int


_MATCH = tuple(
    _Field(name, bits)
    for name, bits in (
        ("cube", 4),
        ("owner", 2),
        ("on_roll", 1),
        ("crawford", 1),
        ("state", 3),
        ("turn", 1),
        ("doubled", 1),
        ("resigned", 2),
        ("high", 3),
        ("low", 3),
        ("length", 15),
        ("white", 15),
        ("black", 15),
        ("no_jacoby", 1),
    )
)


def position_id(board: Board) -> str:
    """The 14 characters of a board: the opponent's checkers, then the mover's, from their ace point to the bar."""
    bits, at = 0, 0
    for seen in (board.flipped(), board):
        for count in (*seen.points, seen.bar):
            checkers = max(count, 0)
            bits |= ((1 << checkers) - 1) << at
            at += checkers + 1
    if at > 8 * _POSITION_BYTES:
        raise ValueError("too many checkers for a Position ID")
    return _encoded(bits, _POSITION_BYTES)


def board_of(text: str, *, checkers: int) -> Board:
    """The mover's board of a Position ID, for a game with `checkers` a side. Raises `ValueError`."""
    bits = _decoded(text, _POSITION_BYTES)
    counts: list[list[int]] = []
    for _ in range(2):
        side = []
        for _ in range(BAR):
            count = 0
            while bits & 1:
                count, bits = count + 1, bits >> 1
            bits >>= 1
            side.append(count)
        counts.append(side)
    opposing, own = counts
    if bits or sum(opposing) > checkers or sum(own) > checkers:
        raise ValueError("a Position ID with too many checkers")
    if any(own[n] and opposing[23 - n] for n in range(24)):
        raise ValueError("a Position ID with both players on one point")
    points = [own[n] - opposing[23 - n] for n in range(24)]
    return Board.from_wire((0, own[24], checkers - sum(own), *points, 0, opposing[24], checkers - sum(opposing)))


def match_id(shown: PositionLike) -> str:
    """The 12 characters of score, cube, dice and turn. Dice not rolled yet, the opening included, are 0.

    GNU Backgammon turns the cube when a double is beavered, and gives the doubler the turn again; the switch for
    beavers itself is not written. Raises `ValueError` for a position that an id cannot express.
    """
    ensure_writable(shown)
    mover = SIDES.index(shown.mover)
    doubled = shown.phase == "doubled"
    over = shown.phase == "over"
    high, low = sorted(shown.dice or (0, 0), reverse=True)
    values = {
        "cube": shown.cube.stake.bit_length() - 1,
        "owner": _CENTRED if shown.cube.owner is None else SIDES.index(shown.cube.owner),
        "on_roll": mover,
        "crawford": int(shown.score.crawford),
        "state": _OVER if over else _PLAYING,
        "turn": 1 - mover if doubled and not shown.cube.beavered else mover,
        "doubled": int(doubled),
        "high": high,
        "low": low,
        "length": shown.score.length,
        "white": shown.score.white,
        "black": shown.score.black,
        "no_jacoby": int(not shown.money.jacoby),
    }
    bits, at = 0, 0
    for name, size in _MATCH:
        value = values.get(name, 0)
        if value >> size:
            raise ValueError(f"{name} {value} does not fit a Match ID")
        bits |= value << at
        at += size
    return _encoded(bits, _MATCH_BYTES)


def read(position: str, match: str, *, checkers: int) -> PositionFields:
    """Parse a Position ID with its Match ID. Raises `ValueError`; a Match ID does not contain the cube's cap."""
    bits = _decoded(match, _MATCH_BYTES)
    values: dict[str, int] = {}
    for name, size in _MATCH:
        values[name] = bits & ((1 << size) - 1)
        bits >>= size
    if bits or max(values["high"], values["low"]) > 6 or bool(values["high"]) != bool(values["low"]):
        raise ValueError("not a Match ID")
    if values["state"] != _PLAYING:
        raise ValueError("a Match ID of a game that is not in progress")
    score = score_from_id(
        values["length"], white=values["white"], black=values["black"], crawford=bool(values["crawford"])
    )
    mover: Side = SIDES[values["on_roll"]]
    owner = SIDES[values["owner"]] if values["owner"] < len(SIDES) else None
    beavered = bool(values["doubled"] and values["turn"] == values["on_roll"] and not score.length and values["cube"])
    value = 1 << values["cube"]
    cap = max(DEFAULT_CAP, value)
    cube = Cube(value >> beavered, owner, cap, in_play=score.length != 1, beavered=beavered)
    money = NO_MONEY if score.length else Money(jacoby=not values["no_jacoby"], beavers=beavered)
    phase: Phase = "doubled" if values["doubled"] else "move" if values["high"] else "roll"
    dice = (values["high"], values["low"]) if phase == "move" else None
    return PositionFields(board_of(position, checkers=checkers), mover, phase, dice, cube, score, money)


def _encoded(bits: int, size: int) -> str:
    return base64.b64encode(bits.to_bytes(size, "little")).decode("ascii").rstrip("=")


def _decoded(text: str, size: int) -> int:
    """The bits of an id of `size` bytes. Raises `ValueError`."""
    text = text.strip()
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        raise ValueError("not a GNU Backgammon id") from None
    if len(raw) != size:
        raise ValueError("not a GNU Backgammon id")
    return int.from_bytes(raw, "little")
