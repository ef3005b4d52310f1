"""The only writers of ladders. Each function is one transition in one transaction, with the ladder's row locked.

What happened is a `LadderEvent`, numbered without gaps; its payload holds what `games.ladders.fold` reads and what the
pages tell: `challenge` (key of the row), `challenger`, `defender`, `winner` and `loser` (keys of users, or None),
`player`, `days`, `places`, `to`, `reason`, `undone` (the number of the event that an undo or redo names), `seconds` of
an outage, `itself` where the line of a hill moved on, `points` that a result brought ({user: points}), and `moves`
({user: [place before, place after]}, None outside the ladder) whenever somebody changes his place.
"""

from games.services.ladders.challenges import (
    calls_end,
    challenge_accept,
    challenge_decide,
    challenge_decline,
    challenge_make,
    challenge_withdraw,
)
from games.services.ladders.desk import config_of, refusal, state_of
from games.services.ladders.places import (
    can_be_undone,
    ladder_away,
    ladder_back,
    ladder_join,
    ladder_leave,
    ladder_place,
    ladder_redo,
    ladder_undo,
)
from games.services.ladders.results import match_over
from games.services.ladders.setup import (
    ladder_change,
    ladder_close,
    ladder_create,
    ladder_open,
    ladders_ensure_default,
    season_close,
)
from games.services.ladders.sweeps import sweep

__all__ = [
    "calls_end",
    "can_be_undone",
    "challenge_accept",
    "challenge_decide",
    "challenge_decline",
    "challenge_make",
    "challenge_withdraw",
    "config_of",
    "ladder_away",
    "ladder_back",
    "ladder_change",
    "ladder_close",
    "ladder_create",
    "ladder_join",
    "ladder_leave",
    "ladder_open",
    "ladder_place",
    "ladder_redo",
    "ladder_undo",
    "ladders_ensure_default",
    "match_over",
    "refusal",
    "season_close",
    "state_of",
    "sweep",
]
