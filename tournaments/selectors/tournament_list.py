"""The tournaments that the list of all tournaments and the page of a club show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from games import labels as game_labels
from tournaments.models import Tournament
from tournaments.selectors import labels
from tournaments.terms import Terms

MOST_FINISHED = 20
PHASES = Tournament.Phase


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament as the list shows it to one viewer."""

    tournament: Tournament
    terms: Terms
    players: int
    entered: bool

    @property
    def format(self) -> str:
        return labels.format_label(self.terms.config)

    @property
    def size(self) -> str:
        return labels.size_label(self.players, self.tournament.capacity, self.terms.config)

    @property
    def lengths(self) -> str:
        return labels.lengths_label(self.terms.lengths)

    @property
    def variant(self) -> str:
        return game_labels.variant(self.terms.variant)

    @property
    def starts(self) -> str:
        return labels.format_moment(self.tournament.starts_at, ZoneInfo(self.tournament.timezone))

    @property
    def starts_iso(self) -> str:
        return labels.iso_moment(self.tournament.starts_at, ZoneInfo(self.tournament.timezone))

    @property
    def ended(self) -> str:
        return labels.format_moment(self.tournament.ended_at, ZoneInfo(self.tournament.timezone))


@dataclass(frozen=True, slots=True)
class TournamentLists:
    """The three lists of the page."""

    running: list[TournamentRow]
    open: list[TournamentRow]
    over: list[TournamentRow]


def tournament_lists(user: User | None) -> TournamentLists:
    """The tournaments in progress, those open for registration, and the last finished ones."""
    found = counted(user)
    ahead = found.filter(phase__in=(PHASES.OPEN, PHASES.DRAWN)).order_by("starts_at", "created_at")
    return TournamentLists(
        running=tournament_rows(found.filter(phase=PHASES.RUNNING).order_by("-begun_at")),
        open=tournament_rows(ahead),
        over=tournament_rows(found.filter(phase=PHASES.OVER).order_by("-ended_at")[:MOST_FINISHED]),
    )


def counted(user: User | None) -> QuerySet[Any]:
    """All tournaments with their number of `players`, and `own`: how often the viewer has entered, 0 or 1."""
    plays = Q(entrants__withdrawn=False, entrants__waiting=False, entrants__team=None)
    own = Q(entrants__user=user.pk if user else 0, entrants__withdrawn=False)
    return Tournament.objects.annotate(players=Count("entrants", filter=plays), own=Count("entrants", filter=own))


def tournament_rows(found: QuerySet[Any]) -> list[TournamentRow]:
    """The rows of some tournaments of `counted`."""
    return [TournamentRow(row, Terms.read(row.terms), row.players, row.own > 0) for row in found]
