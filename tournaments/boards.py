"""The boards of an event: rooms with numbered boards, which pairing is called to which, and how late its players are.

Pure: no Django, no clock, no chance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tournaments.formats.core import Entrant, Invalid

MOST_BOARDS, MOST_ROOMS, LONGEST_ROOM = 512, 20, 40


@dataclass(frozen=True, slots=True)
class Room:
    """A room with the boards `first` to `last`; the name may be empty."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of an event. A board number is in one room at most.

    `reserved` and `streamed` boards are given by hand only; all others by themselves, if `automatic`.
    """

    rooms: tuple[Room, ...] = ()
    reserved: frozenset[int] = frozenset()
    streamed: frozenset[int] = frozenset()
    automatic: bool = True

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Boards:
        """The boards in `value`, as `as_json` writes them. Raises Invalid("boards")."""
        rooms = tuple(Room(room["name"], room["first"], room["last"]) for room in value.get("rooms", ()))
        boards = cls(
            rooms,
            frozenset(value.get("reserved", ())),
            frozenset(value.get("streamed", ())),
            bool(value.get("automatic", True)),
        )
        numbers = [number for room in rooms for number in range(room.first, room.last + 1)]
        if (
            len(rooms) > MOST_ROOMS
            or len(numbers) > MOST_BOARDS
            or len(set(numbers)) < len(numbers)
            or any(not 1 <= room.first <= room.last <= 999 or len(room.name) > LONGEST_ROOM for room in rooms)
            or not boards.reserved | boards.streamed <= set(numbers)
        ):
            raise Invalid("boards", most=MOST_BOARDS)
        return boards

    def as_json(self) -> dict[str, Any]:
        """The boards as JSON."""
        return {
            "rooms": [{"name": room.name, "first": room.first, "last": room.last} for room in self.rooms],
            "reserved": sorted(self.reserved),
            "streamed": sorted(self.streamed),
            "automatic": self.automatic,
        }

    @property
    def numbers(self) -> tuple[int, ...]:
        """All board numbers, room by room."""
        return tuple(number for room in self.rooms for number in range(room.first, room.last + 1))

    def free(self, occupied: Collection[int]) -> list[int]:
        """The boards that pairings may be given by themselves, without those that are occupied."""
        by_hand = self.reserved | self.streamed
        return [number for number in self.numbers if number not in by_hand and number not in occupied]

    def room_of(self, number: int) -> str:
        """The name of a board's room; "" where it has none, or there is no such board."""
        return next((room.name for room in self.rooms if room.first <= number <= room.last), "")


@dataclass(frozen=True, slots=True)
class Call:
    """Two entrants who were called to a board, and when (ISO)."""

    board: int
    at: str
    of: tuple[Entrant, ...]

    def minutes(self, moment: datetime) -> int:
        """The whole minutes since the call."""
        return max(0, (moment - datetime.fromisoformat(self.at)) // timedelta(minutes=1))


def penalty_points(minutes_late: int, *, grace: int, step: int) -> int:
    """The penalty points of a player who came that late: one after `grace` minutes, one more for each `step`.

    Without a grace period (0) lateness costs nothing.
    """
    return 0 if not grace or minutes_late < grace else (minutes_late - grace) // step + 1


def latest_by_board(calls: Iterable[tuple[str, Call]]) -> dict[str, Call]:
    """By key, the calls that hold: of two to the same board the later one."""
    by_board: dict[int, str] = {}
    found = dict(calls)
    for key, call in found.items():
        by_board[call.board] = key
    return {key: call for key, call in found.items() if by_board[call.board] == key}
