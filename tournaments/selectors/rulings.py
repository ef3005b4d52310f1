"""The rulings of directors, as the page of a tournament and its desk show them."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from tournaments.models import TournamentEvent
from tournaments.selectors import labels


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a director decided, and why; `about` is the short name of a pairing, or ""."""

    text: str
    why: str
    about: str
    by: str
    at: str


def ruling_of(event: TournamentEvent, zone: ZoneInfo) -> Ruling:
    """A ruling from its event."""
    key = event.data.get("key", "")
    return Ruling(
        event.data["text"],
        event.data["why"],
        labels.pairing_mark(key) if key else "",
        event.by.username if event.by else "",
        labels.format_moment(event.at, zone),
    )
