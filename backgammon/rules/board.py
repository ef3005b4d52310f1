"""The board: points, bar, off and stock of both players, always seen from the side to move, the mover (B1).

A board is one whole number: thirty places of eight bits, the first place the most significant, each holding its count
plus 128. So a half-move is one addition, equal boards are equal numbers, and sorting numbers sorts boards.
The places, in the order of the wire format:

- 0 the mover's checkers not entered yet (stock), 1 the mover's bar, 2 the mover's checkers borne off;
- 3..26 the points 1..24 in the mover's numbering: the mover's checkers count up, the opponent's count down;
- 27 the opponent's stock, 28 the opponent's bar, 29 the opponent's checkers borne off.
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
"""The count of an empty place in `Board.code`: above it the mover's checkers, below it the opponent's."""
BLOT = EMPTY - 1
"""The count of a single checker of the opponent on a point, which is hit by landing there (B6)."""

_SIGNS = int.from_bytes(bytes([EMPTY]) * PLACES, "big")
_WIRE = struct.Struct("30b")


class BoardError(ValueError):
    """Thirty numbers that are not a board of this game; `code` names the fault."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def wire_place(point: int) -> int:
    """The wire index of one of the mover's places: a point, `OFF`, `BAR` or `STOCK`."""
    return {BAR: 1, STOCK: 0}.get(point, point + 2)


def unit(place: int) -> int:
    """The change of `Board.code` by one more checker of the mover, or one fewer of the opponent, on a wire place."""
    return 1 << 8 * (PLACES - 1 - place)


CHECKER = tuple(unit(wire_place(place)) for place in range(STOCK + 1))
"""``CHECKER[place]``: what one more checker of the mover on one of the mover's places adds to `Board.code`."""


def _step(die: int, source: int) -> int:
    """The change of `Board.code` when a checker moves from `source` by `die`, without hits."""
    entry = BAR if source == STOCK else source
    return CHECKER[max(entry - die, OFF)] - CHECKER[source]


STEP = tuple(tuple(_step(die, source) for source in range(STOCK + 1)) for die in range(7))
"""``STEP[die][source]``: what moving one checker from `source` by `die` adds to `Board.code`, without hits."""

HIT = tuple(CHECKER[point] + unit(28) if point else 0 for point in range(BAR))
"""``HIT[point]``: what sending the opponent's blot from `point` to the bar adds to `Board.code` (B6)."""


@dataclass(frozen=True, slots=True, order=True)
class Board:
    """An immutable board seen from the mover; it has no colours (B1)."""

    code: int

    @classmethod
    def from_wire(cls, wire: Sequence[int], *, checkers: int | None = None, stock: bool = False) -> Board:
        """Build a board from thirty whole numbers. Raises `BoardError`.

        With `checkers`, both players must have that many. Without `stock` (every game but acey-deucey)
        no checker may be waiting to be entered.
        """
        if len(wire) != PLACES:
            raise BoardError("length", f"a board has {PLACES} numbers, not {len(wire)}")
        if any(type(count) is not int for count in wire):
            raise BoardError("type", "a board is made of whole numbers")
        if any(not -100 <= count <= 100 for count in wire):
            raise BoardError("range", "a place holds too many checkers")
        if min(*wire[:3], *wire[27:]) < 0:
            raise BoardError("negative", "stock, bar and off cannot be negative")
        if not stock and (wire[0] or wire[27]):
            raise BoardError("stock", "this game has no checkers waiting to be entered")
        if checkers is not None:
            counts = checker_counts(wire)
            if counts != (checkers, checkers):
                raise BoardError("checkers", f"each player has {checkers} checkers, not {counts[0]} and {counts[1]}")
        return cls(code_of(wire))

    @classmethod
    def setup(cls, checkers: Sequence[tuple[int, int]]) -> Board:
        """Build the board with `count` checkers of each player on `place`, for each (place, count) in `checkers`."""
        wire = [0] * PLACES
        for place, count in checkers:
            wire[wire_place(place)] += count
            if place in (OFF, BAR, STOCK):
                wire[27 + wire_place(place)] += count
            else:
                wire[29 - wire_place(place)] -= count
        return cls.from_wire(wire, stock=True)

    def to_wire(self) -> list[int]:
        """The thirty numbers of the wire format; `Board.from_wire` reads them back."""
        return list(self.wire)

    @property
    def wire(self) -> tuple[int, ...]:
        """The thirty numbers as an immutable tuple."""
        return wire_of(self.code)

    def flipped(self) -> Board:
        """The same board seen from the opponent, whose point n is the mover's 25-n (B1)."""
        return Board(_flipped(self.code))

    @property
    def points(self) -> tuple[int, ...]:
        """The points 1..24 of the mover's numbering: + the mover's checkers, - the opponent's."""
        return self.wire[3:27]

    @property
    def stock(self) -> int:
        """The mover's checkers not entered yet."""
        return self.wire[0]

    @property
    def bar(self) -> int:
        """The mover's checkers on the bar."""
        return self.wire[1]

    @property
    def off(self) -> int:
        """The mover's checkers borne off."""
        return self.wire[2]

    @property
    def opponent_stock(self) -> int:
        """The opponent's checkers not entered yet."""
        return self.wire[27]

    @property
    def opponent_bar(self) -> int:
        """The opponent's checkers on the bar."""
        return self.wire[28]

    @property
    def opponent_off(self) -> int:
        """The opponent's checkers borne off."""
        return self.wire[29]

    @property
    def checkers(self) -> tuple[int, int]:
        """The number of checkers of the mover and of the opponent, which never changes in a game."""
        return checker_counts(self.wire)

    @property
    def pips(self) -> tuple[int, int]:
        """The pip counts of the mover and of the opponent; a checker on the bar or in the stock counts 25."""
        wire = self.wire
        own = BAR * (wire[0] + wire[1]) + sum(n * count for n, count in enumerate(wire[3:27], 1) if count > 0)
        opposing = BAR * (wire[27] + wire[28]) - sum(
            (BAR - n) * count for n, count in enumerate(wire[3:27], 1) if count < 0
        )
        return own, opposing

    @property
    def closed_out(self) -> bool:
        """Whether a checker is on the bar and the opponent holds all six home points, so that no number enters (B8)."""
        wire = self.wire
        return wire[1] > 0 and all(count <= -2 for count in wire[21:27])

    @property
    def contact(self) -> bool:
        """Whether any checker can still be hit: some checker of the mover has yet to pass one of the opponent's."""
        wire = self.wire
        if wire[0] or wire[1] or wire[27] or wire[28]:
            return True
        own = [n for n in range(1, BAR) if wire[n + 2] > 0]
        opposing = [n for n in range(1, BAR) if wire[n + 2] < 0]
        return bool(own and opposing) and max(own) > min(opposing)


def code_of(wire: Sequence[int]) -> int:
    """Pack thirty numbers that are known to be valid."""
    return int.from_bytes(_WIRE.pack(*wire), "big") ^ _SIGNS


@lru_cache(maxsize=4096)  # drawing or describing a board reads many of its parts
def wire_of(code: int) -> tuple[int, ...]:
    """The thirty wire numbers of a packed board."""
    return _WIRE.unpack((code ^ _SIGNS).to_bytes(PLACES, "big"))


@lru_cache(maxsize=4096)  # both players look at each board
def _flipped(code: int) -> int:
    wire = wire_of(code)
    return code_of((*wire[27:], *[-count for count in wire[26:2:-1]], *wire[:3]))


def wires_of(codes: Iterable[int]) -> list[tuple[int, ...]]:
    """The thirty wire numbers of each of many packed boards, faster than one by one."""
    return list(_WIRE.iter_unpack(b"".join([(code ^ _SIGNS).to_bytes(PLACES, "big") for code in codes])))


def places_of(code: int) -> bytes:
    """The counts on the mover's places 0..26 (off, points 1..24, bar, stock), each plus `EMPTY`."""
    lanes = code.to_bytes(PLACES, "big")
    return lanes[2:27] + lanes[1::-1]


def checker_counts(wire: Sequence[int]) -> tuple[int, int]:
    own = sum(wire[:3]) + sum(count for count in wire[3:27] if count > 0)
    opposing = sum(wire[27:]) - sum(count for count in wire[3:27] if count < 0)
    return own, opposing
