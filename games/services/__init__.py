"""The only writers of `games`: each function is one transition in one transaction, announced after the commit.

They raise `games.errors.Refused` for what the player may not do, and then nothing was changed.
"""

from games.services.absence import match_adjourn, match_claim, match_go_on
from games.services.arranged import (
    MAX_PAUSE_REASON,
    match_arrange,
    match_arrive,
    match_call_off,
    match_change_lead,
    match_pause,
    match_resume,
)
from games.services.bots import bot_act, bots_claim
from games.services.corrections import arranged_correct, correctable, result_correct
from games.services.dice import dice_give
from games.services.exports import archive_claim, archive_fail, archive_request, archive_save, archives_sweep
from games.services.imports import match_import
from games.services.lobby import (
    challenges_end,
    match_cancel,
    match_create,
    match_decline,
    match_join,
    match_rematch,
)
from games.services.marks import match_mark
from games.services.orders import match_order
from games.services.play import Answer, match_act, match_touch, reminders_send
from games.services.quick_pairing import match_quick, match_while_waiting
from games.services.ratings import match_rate_late, matches_unrated, pool_rebuild
from games.services.statistics import facts_make, facts_missing, statistics_rebuild
from games.services.vacations import days_left, vacation_begin, vacation_end

__all__ = [
    "MAX_PAUSE_REASON",
    "Answer",
    "archive_claim",
    "archive_fail",
    "archive_request",
    "archive_save",
    "archives_sweep",
    "arranged_correct",
    "bot_act",
    "bots_claim",
    "challenges_end",
    "correctable",
    "days_left",
    "dice_give",
    "facts_make",
    "facts_missing",
    "match_act",
    "match_adjourn",
    "match_arrange",
    "match_arrive",
    "match_call_off",
    "match_cancel",
    "match_change_lead",
    "match_claim",
    "match_create",
    "match_decline",
    "match_go_on",
    "match_import",
    "match_join",
    "match_mark",
    "match_order",
    "match_pause",
    "match_quick",
    "match_rate_late",
    "match_rematch",
    "match_resume",
    "match_touch",
    "match_while_waiting",
    "matches_unrated",
    "pool_rebuild",
    "reminders_send",
    "result_correct",
    "statistics_rebuild",
    "vacation_begin",
    "vacation_end",
]
