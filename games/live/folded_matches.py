"""A cache of matches in play, folded: nothing of a match is decoded again while its row is as this process left it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from games import clocks, orders, replay
from games.dice import match_dice
from games.dice.match_dice import MatchDice
from games.events import state_of
from games.models import Match, Seat

MAX_MATCHES = 1024
"""Some KiB each; the plays of their latest rolls are kept apart (`backgammon.rules.plays`)."""

Stamp = object
"""What the database says of the version of a row: equal stamps, equal rows."""
SeatRows = tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class FoldedMatch:
    """A match and what its columns decode to. `match` and `seats` are shared: nobody may change them.

    The column `snapshot` is the largest, and is left out: `state` is what it says.
    """

    stamp: Stamp
    match: Match
    state: replay.State
    clock: clocks.Clock | None
    dice: MatchDice | None
    orders: orders.MatchOrders
    seat_rows: SeatRows
    seats: list[Seat]

    def __post_init__(self) -> None:
        self.match.snapshot = None

    def row(self) -> Match:
        """A copy of the match whose columns may be changed."""
        row = Match.__new__(Match)
        row.__dict__.update(self.match.__dict__)
        return row


def fold(stamp: Stamp, match: Match, seat_rows: SeatRows, seats: list[Seat]) -> FoldedMatch:
    """Decode the columns of a match that has been played."""
    clock = clocks.restore(match.clock) if match.clock else None
    dice = match_dice.restore(match.dice) if match.dice else None
    return FoldedMatch(stamp, match, state_of(match), clock, dice, orders.restore(match.orders), seat_rows, seats)


class FoldedMatches:
    """The folded matches of a process, those of the latest acts. Changed by one thread at a time."""

    def __init__(self, most: int = MAX_MATCHES) -> None:
        self._most = most
        self._matches: OrderedDict[str, FoldedMatch] = OrderedDict()

    def __len__(self) -> int:
        return len(self._matches)

    def get(self, match_id: str, stamp: Stamp, seat_rows: SeatRows, read: Callable[[str], FoldedMatch]) -> FoldedMatch:
        """The match as its rows are now: the one kept, where they are unchanged, or what `read` returns."""
        return self._matches[match_id] if self.knows(match_id, stamp, seat_rows) else read(match_id)

    def kept(self, match_id: str) -> FoldedMatch | None:
        """The match as this process left it, whatever its rows are now."""
        return self._matches.get(match_id)

    def knows(self, match_id: str, stamp: Stamp, seat_rows: SeatRows) -> bool:
        """Whether the match is kept as its rows are now."""
        folded = self._matches.get(match_id)
        return folded is not None and folded.stamp == stamp and folded.seat_rows == seat_rows

    def keep(self, folded: FoldedMatch) -> None:
        """Keep a match, and forget the one whose last act is the longest ago."""
        self._matches[folded.match.pk] = folded
        self._matches.move_to_end(folded.match.pk)
        if len(self._matches) > self._most:
            self._matches.popitem(last=False)

    def clear(self) -> None:
        self._matches.clear()
