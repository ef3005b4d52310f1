"""The tables of tournaments, of weekends, which are several tournaments, and of copies at a venue."""

from tournaments.models.recurring import EventTemplate, Occurrence, RecurringEvent
from tournaments.models.tournament import (
    CalendarFeed,
    ClubRecords,
    Entrant,
    Meeting,
    Official,
    OutsideResult,
    Placing,
    Season,
    Team,
    Tournament,
    TournamentEvent,
    TournamentRound,
)
from tournaments.models.venue_copy import VenueCopy
from tournaments.models.weekend import Weekend, WeekendRecord

__all__ = [
    "CalendarFeed",
    "ClubRecords",
    "Entrant",
    "EventTemplate",
    "Meeting",
    "Occurrence",
    "Official",
    "OutsideResult",
    "Placing",
    "RecurringEvent",
    "Season",
    "Team",
    "Tournament",
    "TournamentEvent",
    "TournamentRound",
    "VenueCopy",
    "Weekend",
    "WeekendRecord",
]
