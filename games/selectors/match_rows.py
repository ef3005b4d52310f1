"""Rows of match lists: a match as a list shows it to one viewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone

from accounts.models import User
from games import absence, clocks, events, labels
from games.engine import SIDES
from games.models import Match, Rating, Seat
from games.selectors import match_files
from games.selectors.ratings import Stakes

MOST_ROWS = 30


@dataclass(frozen=True, slots=True)
class MatchMarks:
    """A player's private marks on a match."""

    favourite: bool = False
    note: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as a list shows it to one viewer: their own seat and the opponent's, or both seats for a stranger.

    `mark` is set only in the viewer's own lists. In open games `rating` is that of their player in the pool of the
    game, `stakes` what a rated one is about for the viewer, and `online` whether its player has a page open.
    """

    match: Match
    seats: list[Seat]
    own_seat: Seat | None = None
    opponent: Seat | None = None
    my_turn: bool = False
    turn: frozenset[str] = frozenset()
    mark: MatchMarks | None = None
    left: str = ""  # time left for the viewer's turn in a correspondence match
    rating: Rating | None = None
    stakes: Stakes | None = None
    online: bool = False

    @property
    def variant(self) -> str:
        return labels.variant(self.match.variant)

    @property
    def length(self) -> str:
        return labels.length(self.match.length)

    @property
    def clock(self) -> str:
        return labels.clock(self.match.clock_preset)

    @property
    def waits(self) -> bool:
        """Whether this is an arranged match that the viewer has not joined yet."""
        return self.match.status == Match.Status.OPEN and self.own_seat is not None and self.own_seat.arrived_at is None

    @property
    def adjourned(self) -> bool:
        """Whether the match is adjourned."""
        return bool(self.match.pause and self.match.pause.get("adjourned"))

    @property
    def opponent_waits(self) -> bool:
        """Whether only the viewer's opponent has asked to resume an adjourned match."""
        if not self.match.pause or not self.adjourned or self.opponent is None or self.own_seat is None:
            return False
        ready = absence.ready_sides(self.match.pause["ready"], timezone.now())
        return self.opponent.side in ready and self.own_seat.side not in ready

    @property
    def ending(self) -> str:
        return labels.ending(self.match.ended_by)

    @property
    def score(self) -> str:
        """`3–1`: the viewer's points first, or White's first for a stranger."""
        return "–".join(labels.points(seat.points) for seat in self.seats)

    @property
    def download(self) -> str:
        """The most widely supported format of a finished match; "" if it cannot be downloaded."""
        return next(iter(match_files.available_formats(self.match)), "")

    @property
    def terms(self) -> list[str]:
        """The options of the match besides length and clock."""
        return labels.terms(self.match.variant, self.match.length, self.match.options)


def match_rows(matches: Iterable[Match], user: User | None, *, turns: bool = False) -> list[MatchRow]:
    """Build the rows of matches whose seats are fetched, the viewer's own seat first; with `turns`, set the turn."""
    return [_row(match, user, turns=turns) for match in matches]


def _row(match: Match, user: User | None, *, turns: bool) -> MatchRow:
    seats = list(match.seats.all())
    own_seat = next((seat for seat in seats if user is not None and seat.user_id == user.pk), None)
    opponent = next((seat for seat in seats if seat is not own_seat), None) if own_seat else None
    turn = sides_to_act(match) if turns else frozenset()
    ordered = [seat for seat in (own_seat, opponent) if seat is not None] if own_seat else seats
    my_turn = bool(own_seat and own_seat.side in turn)
    return MatchRow(
        match, ordered, own_seat, opponent, my_turn=my_turn, turn=turn, left=_left(match) if my_turn else ""
    )


def _left(match: Match) -> str:
    """The time left for a correspondence turn, without the days of a vacation of its player."""
    if match.flag_at is None or match.clock_at is None or clocks.pace_of(match.clock_preset) != "correspondence":
        return ""
    return labels.time_left(match.flag_at - max(match.clock_at, timezone.now()))


def sides_to_act(match: Match) -> frozenset[str]:
    """The sides that have to act: both at an opening roll, none in a match that is not live."""
    if match.status != Match.Status.LIVE or not match.snapshot:
        return frozenset()
    return frozenset(side for side in SIDES if events.awaits(match, side))
