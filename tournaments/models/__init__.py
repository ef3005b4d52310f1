"""The tables of tournaments, and of weekends, which are several tournaments."""

from tournaments.models.tournament import (
    CalendarFeed,
    ClubRecords,
    Entrant,
    EventTemplate,
    Meeting,
    Occurrence,
    Official,
    OutsideResult,
    Placing,
    RecurringEvent,
    Season,
    Team,
    Tournament,
    TournamentEvent,
    TournamentRound,
)
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
    "Weekend",
    "WeekendRecord",
]
