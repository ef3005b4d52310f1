"""A player's error rates over his matches, and the ladder of all who show theirs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from accounts.models import User
from analysis import kinds, ladder
from analysis.models import Puzzle, Tally, Wishes
from analysis.rates import Sum, added
from games.database import now
from games.models import Match, Seat

MOST_MATCHES = 300
"""More than these are a smear on a graph."""
ROLLING = 5
"""Matches over which the line of error rates is drawn: a single one jumps with its dice."""


@dataclass(frozen=True, slots=True)
class Row:
    """The error rate of a player in one match, and that of the last matches up to it."""

    match: Match
    rival: Seat | None
    ended_at: datetime
    sums: Sum
    rolling: float


@dataclass(frozen=True, slots=True)
class Errors:
    """A player's error rates, the latest match last."""

    rows: list[Row]
    parts: dict[str, Sum]
    total: Sum
    rate: ladder.Rate | None
    kinds: list[kinds.Errors]

    @property
    def matches(self) -> int:
        return len(self.rows)


def shown(user: User) -> bool:
    """Whether a player lets others see his error rates."""
    return Wishes.objects.filter(user=user, public=True).exists()


def errors_of(user: User) -> Errors:
    """A player's error rates, and what his errors are. Five queries."""
    found = Tally.objects.filter(user=user).select_related("match").prefetch_related("match__seats__user")
    tallies = list(reversed(found.order_by("-ended_at", "-pk")[:MOST_MATCHES]))
    sums = [tally.sums for tally in tallies]
    rows = [
        Row(
            match=tally.match,
            rival=next((seat for seat in tally.match.seats.all() if seat.user_id != user.pk), None),
            ended_at=tally.ended_at,
            sums=sums[at],
            rolling=sum(sums[max(0, at + 1 - ROLLING) : at + 1], Sum()).rate or 0.0,
        )
        for at, tally in enumerate(tallies)
    ]
    since = now() - timedelta(days=ladder.WINDOW_DAYS)
    recent = [one for one, tally in zip(sums, tallies, strict=True) if tally.ended_at >= since]
    erred = Puzzle.objects.filter(user=user, loss__gt=0, match__in=[tally.match_id for tally in tallies])
    return Errors(
        rows,
        added(tally.parts for tally in tallies),
        sum(sums, Sum()),
        ladder.rate(recent),
        kinds.by_kind(erred.values_list("words", "loss")),
    )


def rungs() -> list[ladder.Rung]:
    """The ladder of error rates in the rolling window: members who show theirs. One query."""
    found = (
        Tally.objects.filter(
            ended_at__gte=now() - timedelta(days=ladder.WINDOW_DAYS),
            user__analysis_wishes__public=True,
            user__is_guest=False,
            user__is_bot=False,
            user__is_active=True,
        )
        .select_related("user")
        .order_by("user_id")
    )
    people = groupby(found, key=lambda tally: tally.user)
    return ladder.ladder([(user, [tally.sums for tally in tallies]) for user, tallies in people])
