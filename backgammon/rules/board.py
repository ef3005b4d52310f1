"""The board: points, bar, off and stock of both players, always seen from the one who moves (B1).

A board is one whole number: thirty places of eight bits, the first place the most significant, each holding its count
plus 128. So a half-move is one addition, equal boards are equal numbers, and sorting numbers sorts boards.
The places, in the order of the wire format:

- 0 the mover's men not entered yet (stock), 1 his bar, 2 his men borne off;
- 3..26 the points 1..24 in his own numbering: his men count up, his rival's count down;
- 27 the rival's stock, 28 the rival's bar, 29 the rival's men borne off.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

OFF, BAR, STOCK = 0, 25, 26
"""Where a half-move may begin or end besides the points 1..24: borne off, on the bar, not entered."""

HOME = 6
"""The highest point of the home board (B9)."""

PLACES = 30
EMPTY = 128
"""The count of an empty place in `Board.code`: above it the mover's men, below it his rival's."""
BLOT = EMPTY - 1
"""One rival man alone on a point: open, and hit by whoever lands there (B6)."""

_SIGNS = int.from_bytes(bytes([EMPTY]) * PLACES, "big")
_WIRE = struct.Struct("30b")


class BoardError(ValueError):
    """Thirty numbers that are no board of this game; `code` says what is wrong with them."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def _place(point: int) -> int:
    """The wire index of one of the mover's places: a point, `OFF`, `BAR` or `STOCK`."""
    return {BAR: 1, STOCK: 0}.get(point, point + 2)


def unit(place: int) -> int:
    """What one more man of the mover, or one fewer of his rival, on a wire place adds to `Board.code`."""
    return 1 << 8 * (PLACES - 1 - place)


MAN = tuple(unit(_place(place)) for place in range(STOCK + 1))
"""``MAN[place]``: what one more man of the mover on one of his places adds to `Board.code`."""


def _step(die: int, source: int) -> int:
    entry = BAR if source == STOCK else source
    return MAN[max(entry - die, OFF)] - MAN[source]


STEP = tuple(tuple(_step(die, source) if source else 0 for source in range(STOCK + 1)) for die in range(7))
"""``STEP[die][source]``: what moving one man from `source` by `die` adds to `Board.code`, hits aside."""

HIT = tuple(MAN[point] + unit(28) if 0 < point < BAR else 0 for point in range(STOCK + 1))
"""``HIT[point]``: what sending the rival's blot from `point` to his bar adds to `Board.code` (B6)."""


@dataclass(frozen=True, slots=True, order=True)
class Board:
    """A frozen board seen from the mover; there is no colour in it, and no branch for one (B1)."""

    code: int

    @classmethod
    def from_wire(cls, wire: Sequence[int], *, men: int | None = None, stock: bool = False) -> Board:
        """The board of thirty whole numbers; with `men`, both players must have that many. Raises `BoardError`.

        Without `stock` (every game but acey-deucey) no man may wait to be entered.
        """
        if len(wire) != PLACES:
            raise BoardError("length", f"a board has {PLACES} numbers, not {len(wire)}")
        if any(type(count) is not int for count in wire):
            raise BoardError("type", "a board is made of whole numbers")
        if any(not -100 <= count <= 100 for count in wire):
            raise BoardError("range", "a place holds too many men")
        if min(*wire[:3], *wire[27:]) < 0:
            raise BoardError("negative", "stock, bar and off cannot be negative")
        if not stock and (wire[0] or wire[27]):
            raise BoardError("stock", "this game has no men waiting to be entered")
        if men is not None:
            counts = _men(wire)
            if counts != (men, men):
                raise BoardError("men", f"each player has {men} men, not {counts[0]} and {counts[1]}")
        return cls(code_of(wire))

    @classmethod
    def setup(cls, men: Sequence[tuple[int, int]]) -> Board:
        """The board on which each player has `count` men on his own `place`, for each (place, count) of `men`."""
        wire = [0] * PLACES
        for place, count in men:
            wire[_place(place)] += count
            if place in (OFF, BAR, STOCK):
                wire[27 + _place(place)] += count
            else:
                wire[29 - _place(place)] -= count
        return cls.from_wire(wire, stock=True)

    def to_wire(self) -> list[int]:
        """The thirty numbers of the wire format; `Board.from_wire` reads them back."""
        return list(self.wire)

    @property
    def wire(self) -> tuple[int, ...]:
        """The thirty numbers as an immutable tuple."""
        return wire_of(self.code)

    def flipped(self) -> Board:
        """The same board seen from the rival: his n is my 25-n (B1)."""
        wire = self.wire
        return Board(code_of((*wire[27:], *[-count for count in wire[26:2:-1]], *wire[:3])))

    @property
    def points(self) -> tuple[int, ...]:
        """The points 1..24 of the mover's numbering: + his men, - his rival's."""
        return self.wire[3:27]

    def men_on(self, place: int) -> int:
        """How many of the mover's men are on a point, `OFF`, `BAR` or `STOCK`; rival men count as none."""
        return max(self.wire[_place(place)], 0)

    @property
    def stock(self) -> int:
        """The mover's men not entered yet."""
        return self.wire[0]

    @property
    def bar(self) -> int:
        """The mover's men on the bar."""
        return self.wire[1]

    @property
    def off(self) -> int:
        """The mover's men borne off."""
        return self.wire[2]

    @property
    def rival_stock(self) -> int:
        """The rival's men not entered yet."""
        return self.wire[27]

    @property
    def rival_bar(self) -> int:
        """The rival's men on the bar."""
        return self.wire[28]

    @property
    def rival_off(self) -> int:
        """The rival's men borne off."""
        return self.wire[29]

    @property
    def men(self) -> tuple[int, int]:
        """All men of the mover and of his rival; neither ever changes in a game."""
        return _men(self.wire)

    @property
    def pips(self) -> tuple[int, int]:
        """The pip counts of the mover and of his rival; a man on the bar or in the stock counts 25."""
        wire = self.wire
        mine = BAR * (wire[0] + wire[1]) + sum(n * count for n, count in enumerate(wire[3:27], 1) if count > 0)
        his = BAR * (wire[27] + wire[28]) - sum((BAR - n) * count for n, count in enumerate(wire[3:27], 1) if count < 0)
        return mine, his

    @property
    def closed_out(self) -> bool:
        """A man on the bar, and the rival holds all six points of his home: no number enters (B8)."""
        wire = self.wire
        return wire[1] > 0 and all(count <= -2 for count in wire[21:27])

    @property
    def contact(self) -> bool:
        """Whether any man can still be hit: some man of mine has yet to pass one of my rival's."""
        wire = self.wire
        if wire[0] or wire[1] or wire[27] or wire[28]:
            return True
        mine = [n for n in range(1, BAR) if wire[n + 2] > 0]
        his = [n for n in range(1, BAR) if wire[n + 2] < 0]
        return bool(mine and his) and max(mine) > min(his)


def code_of(wire: Sequence[int]) -> int:
    """The packed board of thirty numbers that are known to be right."""
    return int.from_bytes(_WIRE.pack(*wire), "big") ^ _SIGNS


@lru_cache(maxsize=4096)  # whoever draws or describes a board asks for many of its parts
def wire_of(code: int) -> tuple[int, ...]:
    """The thirty wire numbers of a packed board."""
    return _WIRE.unpack((code ^ _SIGNS).to_bytes(PLACES, "big"))


def wires_of(codes: Iterable[int]) -> list[tuple[int, ...]]:
    """The thirty wire numbers of each of many packed boards, faster than one by one."""
    return list(_WIRE.iter_unpack(b"".join([(code ^ _SIGNS).to_bytes(PLACES, "big") for code in codes])))


def places_of(code: int) -> bytes:
    """What lies on each of the mover's places 0..26 (off, points 1..24, bar, stock), each count plus `EMPTY`."""
    lanes = code.to_bytes(PLACES, "big")
    return lanes[2:27] + lanes[1::-1]


def _men(wire: Sequence[int]) -> tuple[int, int]:
    mine = sum(wire[:3]) + sum(count for count in wire[3:27] if count > 0)
    his = sum(wire[27:]) - sum(count for count in wire[3:27] if count < 0)
    return mine, his
