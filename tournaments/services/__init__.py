"""The only writers of tournaments. Each function is one transition in one transaction; pages are told after the commit.

All of them raise `tournaments.errors.Refused` for what may not be, and then nothing was changed.
"""

from tournaments.services.absences import absence_tell, absences_untold
from tournaments.services.conditions import invitation_renew, password_set
from tournaments.services.entry import (
    entrant_add,
    entrant_admit,
    entrant_check_in,
    entrant_link,
    entrant_paid,
    entrant_register,
    entrant_reinstate,
    entrant_withdraw,
    entrants_seed,
)
from tournaments.services.filling import entrants_fill
from tournaments.services.late import entrant_late, entrant_substitute, penalty_give
from tournaments.services.mending import act_redo, act_undo
from tournaments.services.outages import outage_ended
from tournaments.services.pauses import matches_pause, matches_resume
from tournaments.services.recess import recess_begin, recess_due, recess_end
from tournaments.services.results import (
    alert_settle,
    match_over,
    result_confirm,
    result_correct,
    result_dispute,
    result_enter,
    result_report,
)
from tournaments.services.running import (
    pairs_wish,
    round_open,
    round_pair,
    round_time,
    tournament_cancel,
    tournament_draw,
    tournament_start,
)
from tournaments.services.setup import (
    announce,
    director_add,
    director_remove,
    director_take_over,
    tournament_change,
    tournament_create,
)
from tournaments.services.sweeps import lost_results, meeting_due, round_due, round_stalled, tournament_due

__all__ = [
    "absence_tell",
    "absences_untold",
    "act_redo",
    "act_undo",
    "alert_settle",
    "announce",
    "director_add",
    "director_remove",
    "director_take_over",
    "entrant_add",
    "entrant_admit",
    "entrant_check_in",
    "entrant_late",
    "entrant_link",
    "entrant_paid",
    "entrant_register",
    "entrant_reinstate",
    "entrant_substitute",
    "entrant_withdraw",
    "entrants_fill",
    "entrants_seed",
    "invitation_renew",
    "lost_results",
    "match_over",
    "matches_pause",
    "matches_resume",
    "meeting_due",
    "outage_ended",
    "pairs_wish",
    "password_set",
    "penalty_give",
    "recess_begin",
    "recess_due",
    "recess_end",
    "result_confirm",
    "result_correct",
    "result_dispute",
    "result_enter",
    "result_report",
    "round_due",
    "round_open",
    "round_pair",
    "round_stalled",
    "round_time",
    "tournament_cancel",
    "tournament_change",
    "tournament_create",
    "tournament_draw",
    "tournament_due",
    "tournament_start",
]
