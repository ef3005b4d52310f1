"""Where a tournament is that was taken to a venue (ruling E27)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from tournaments.models import Tournament, VenueCopy
from tournaments.selectors import labels
from tournaments.state import State


@dataclass(frozen=True, slots=True)
class VenueStatus:
    """Where a tournament is that has been taken to a venue: `here`, if this site is the venue's."""

    here: bool
    since: str
    since_iso: str
    club: str = ""


def venue_status(tournament: Tournament, state: State) -> VenueStatus | None:
    """Where a tournament is; None for one that is played on its own site. One query for a tournament at a venue."""
    if state.venue_stay is None:
        return None
    zone = ZoneInfo(tournament.timezone)
    since = datetime.fromisoformat(state.venue_stay.since)
    club = VenueCopy.objects.filter(tournament=tournament, here=True).values_list("club", flat=True).first()
    moment = labels.format_moment(since, zone), labels.iso_moment(since, zone)
    return VenueStatus(club is not None, *moment, club or "")
