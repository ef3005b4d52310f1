"""The tables. Constraints hold the truth; behaviour is in `games.services`, the only writer."""

from games.models.dice import DiceSecret
from games.models.history import ArchiveExport, MatchMark, MatchTag
from games.models.ladders import Ladder, LadderChallenge, LadderEvent, LadderPlayer, LadderPulse, LadderSeason
from games.models.play import BOARD, FROM_FILE, Action, Game, Match, Seat, new_match_id, seat_of
from games.models.ratings import RatedMatch, Rating, RatingEvent, RatingPool, ResultCorrection
from games.models.statistics import RollCount, SeatFacts
from games.models.time import Alive, Vacation

__all__ = [
    "BOARD",
    "FROM_FILE",
    "Action",
    "Alive",
    "ArchiveExport",
    "DiceSecret",
    "Game",
    "Ladder",
    "LadderChallenge",
    "LadderEvent",
    "LadderPlayer",
    "LadderPulse",
    "LadderSeason",
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
    "Vacation",
    "new_match_id",
    "seat_of",
]
