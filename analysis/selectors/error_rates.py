"""A player's error rates by match, and the ranking of all players who show theirs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from accounts.models import User
from analysis import error_kinds, error_ranking
from analysis.error_rates import ErrorSum, add_parts
from analysis.models import AnalysisPreferences, MatchTally, Puzzle
from games.database import now
from games.models import Match, Seat

MOST_MATCHES = 300
"""More than these are a smear on a graph."""
ROLLING = 5
"""Matches over which the line of error rates is drawn: a single one jumps with its dice."""


@dataclass(frozen=True, slots=True)
class MatchRate:
    """The error rate of a player in one match, and that of the last matches up to it."""

    match: Match
    opponent: Seat | None
    ended_at: datetime
    sums: ErrorSum
    rolling: float


@dataclass(frozen=True, slots=True)
class PlayerErrors:
    """A player's error rates, the latest match last."""

    rows: list[MatchRate]
    parts: dict[str, ErrorSum]
    total: ErrorSum
    rate: error_ranking.KnownRate | None
    kinds: list[error_kinds.ErrorsOfKind]

    @property
    def matches(self) -> int:
        return len(self.rows)


def shows_error_rates(user: User) -> bool:
    """Whether a player shows their error rates to others."""
    return AnalysisPreferences.objects.filter(user=user, public=True).exists()


def player_errors(user: User) -> PlayerErrors:
    """A player's error rates, and the kinds of their errors. Five queries."""
    found = MatchTally.objects.filter(user=user).select_related("match").prefetch_related("match__seats__user")
    tallies = list(reversed(found.order_by("-ended_at", "-pk")[:MOST_MATCHES]))
    sums = [tally.sums for tally in tallies]
    rows = [
        MatchRate(
            match=tally.match,
            opponent=next((seat for seat in tally.match.seats.all() if seat.user_id != user.pk), None),
            ended_at=tally.ended_at,
            sums=sums[at],
            rolling=sum(sums[max(0, at + 1 - ROLLING) : at + 1], ErrorSum()).rate or 0.0,
        )
        for at, tally in enumerate(tallies)
    ]
    since = now() - timedelta(days=error_ranking.WINDOW_DAYS)
    recent = [match_sum for match_sum, tally in zip(sums, tallies, strict=True) if tally.ended_at >= since]
    erred = Puzzle.objects.filter(user=user, loss__gt=0, match__in=[tally.match_id for tally in tallies])
    return PlayerErrors(
        rows,
        add_parts(tally.parts for tally in tallies),
        sum(sums, ErrorSum()),
        error_ranking.known_rate(recent),
        error_kinds.by_kind(erred.values_list("words", "loss")),
    )


def ranked_players() -> list[error_ranking.RankedPlayer]:
    """The ranking of error rates in the rolling window: members who show theirs. One query."""
    found = (
        MatchTally.objects.filter(
            ended_at__gte=now() - timedelta(days=error_ranking.WINDOW_DAYS),
            user__analysis_wishes__public=True,
            user__is_guest=False,
            user__is_bot=False,
            user__is_active=True,
        )
        .select_related("user")
        .order_by("user_id")
    )
    people = groupby(found, key=lambda tally: tally.user)
    return error_ranking.rank_players([(user, [tally.sums for tally in tallies]) for user, tallies in people])
