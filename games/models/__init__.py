"""The tables of games. Constraints guard the data; behaviour is in `games.services`, the only writer."""

from games.models.dice import DiceSecret
from games.models.exports import ArchiveExport
from games.models.marks import MatchMark, MatchTag
from games.models.match import (
    FROM_FILE,
    OVER_THE_BOARD,
    Action,
    Game,
    Match,
    Seat,
    new_match_id,
    practice_side,
    seat_of,
)
from games.models.ratings import RatedMatch, Rating, RatingEvent, RatingPool, ResultCorrection
from games.models.site_heartbeat import SiteHeartbeat, WebProcess
from games.models.statistics import RollCount, SeatFacts
from games.models.vacation import Vacation

__all__ = [
    "FROM_FILE",
    "OVER_THE_BOARD",
    "Action",
    "ArchiveExport",
    "DiceSecret",
    "Game",
    "Match",
    "MatchMark",
    "MatchTag",
    "RatedMatch",
    "Rating",
    "RatingEvent",
    "RatingPool",
    "ResultCorrection",
    "RollCount",
    "Seat",
    "SeatFacts",
    "SiteHeartbeat",
    "Vacation",
    "WebProcess",
    "new_match_id",
    "practice_side",
    "seat_of",
]
