"""The only writers of ladders. Each function is one transition in one transaction, with the ladder's row locked.

What happened is a `LadderEvent`, numbered without gaps; its payload holds what `ladders.rules.fold` reads and what the
pages tell: `challenge` (key of the row), `challenger`, `defender`, `winner` and `loser` (keys of users, or None),
`player`, `days`, `places`, `to`, `reason`, `undone` (the number of the event that an undo or redo names), `seconds` of
an outage, `itself` where the queue of a hill moved on, `points` that a result brought ({user: points}), and `moves`
({user: [place before, place after]}, None outside the ladder) whenever somebody changes places.
"""

from ladders.services.challenges import (
    challenge_accept,
    challenge_decide,
    challenge_decline,
    challenge_make,
    challenge_withdraw,
    challenges_end,
)
from ladders.services.leaving import ladders_leave
from ladders.services.results import match_over
from ladders.services.rungs import (
    can_be_undone,
    ladder_away,
    ladder_back,
    ladder_join,
    ladder_leave,
    ladder_place,
    ladder_redo,
    ladder_undo,
)
from ladders.services.setup import (
    ladder_change,
    ladder_close,
    ladder_create,
    ladder_open,
    ladders_ensure_default,
    season_close,
)
from ladders.services.sweeps import sweep
from ladders.services.transaction import config_of, refusal, state_of

__all__ = [
    "can_be_undone",
    "challenge_accept",
    "challenge_decide",
    "challenge_decline",
    "challenge_make",
    "challenge_withdraw",
    "challenges_end",
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
    "ladders_leave",
    "match_over",
    "refusal",
    "season_close",
    "state_of",
    "sweep",
]
