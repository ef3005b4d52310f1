"""The only writers of `games`. Each function is one transition in one transaction; the world is told after the commit.

All of them raise `games.errors.Refused` for what the player may not do, and then nothing was changed.
"""

from games.services import ladders
from games.services.absence import match_adjourn, match_claim, match_go_on
from games.services.archive import match_import
from games.services.arranged import (
    LONGEST_WHY,
    match_arrange,
    match_arrive,
    match_call_off,
    match_lead,
    match_pause,
    match_resume,
)
from games.services.bots import bot_act, bots_claim
from games.services.dice import dice_deposit, dice_give, dice_hand, dice_order, dice_reveal
from games.services.exports import archive_ask, archive_claim, archive_fail, archive_save, archives_sweep
from games.services.history import match_mark
from games.services.lobby import (
    challenges_end,
    match_cancel,
    match_create,
    match_decline,
    match_join,
    match_rematch,
)
from games.services.orders import match_order
from games.services.play import Answer, match_act, match_touch, reminders_send
from games.services.ratings import match_take_in, matches_missing, pool_rebuild
from games.services.results import arranged_correct, correctable, result_correct
from games.services.statistics import facts_make, facts_missing, statistics_rebuild
from games.services.vacations import days_left, vacation_begin, vacation_end

__all__ = [
    "LONGEST_WHY",
    "Answer",
    "archive_ask",
    "archive_claim",
    "archive_fail",
    "archive_save",
    "archives_sweep",
    "arranged_correct",
    "bot_act",
    "bots_claim",
    "challenges_end",
    "correctable",
    "days_left",
    "dice_deposit",
    "dice_give",
    "dice_hand",
    "dice_order",
    "dice_reveal",
    "facts_make",
    "facts_missing",
    "ladders",
    "match_act",
    "match_adjourn",
    "match_arrange",
    "match_arrive",
    "match_call_off",
    "match_cancel",
    "match_claim",
    "match_create",
    "match_decline",
    "match_go_on",
    "match_import",
    "match_join",
    "match_lead",
    "match_mark",
    "match_order",
    "match_pause",
    "match_rematch",
    "match_resume",
    "match_take_in",
    "match_touch",
    "matches_missing",
    "pool_rebuild",
    "reminders_send",
    "result_correct",
    "statistics_rebuild",
    "vacation_begin",
    "vacation_end",
]
