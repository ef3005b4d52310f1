"""The desk of a weekend: its tournaments as its officials see them."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import F

from tournaments.models import Weekend
from tournaments.selectors import labels
from tournaments.selectors.tournament_list import TournamentRow, counted, tournament_rows
from tournaments.selectors.weekends.conflicts import Clash, Conflict, clashes_ahead, conflicts_now
from tournaments.selectors.weekends.lookups import SeenWeekend
from tournaments.weekend_roles import WeekendAct


@dataclass(frozen=True)
class WeekendDesk:
    """The desk of a weekend for one viewer."""

    weekend: Weekend
    may: frozenset[WeekendAct]
    tournaments: list[TournamentRow]
    conflicts: list[Conflict]
    clashes: list[Clash]

    @property
    def rows(self) -> list[tuple[TournamentRow, str]]:
        """The tournaments with their starts, in the time zone of the club."""
        zone = ZoneInfo(self.weekend.club.timezone)
        return [(row, labels.format_moment(row.tournament.starts_at, zone)) for row in self.tournaments]


def weekend_desk(seen: SeenWeekend) -> WeekendDesk:
    """The desk of a weekend that was looked up."""
    found = counted(None).filter(weekend=seen.weekend)
    ordered = found.order_by(F("starts_at").asc(nulls_last=True), "created_at", "pk")
    return WeekendDesk(
        seen.weekend, seen.may, tournament_rows(ordered), conflicts_now(seen.weekend), clashes_ahead(seen.weekend)
    )
