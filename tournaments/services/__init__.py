"""The only writers of tournaments. Each function is one transition in one transaction; pages are notified afterwards.

All of them raise `tournaments.errors.Refused` for a request that is not possible, and then change nothing.
"""

from tournaments.services.absences import absence_change_record, absence_changes_unrecorded
from tournaments.services.arena import arena_due, arena_pause, arena_stop, arenas_running
from tournaments.services.boards import boards_set, pairing_call
from tournaments.services.bot_fill import entrants_fill
from tournaments.services.breaks import break_due, break_end, break_start
from tournaments.services.byes import bye_request
from tournaments.services.corrections import act_redo, act_undo
from tournaments.services.entrants_import import entrants_check, entrants_import
from tournaments.services.entries import (
    entrant_add,
    entrant_admit,
    entrant_check_in,
    entrant_link,
    entrant_paid,
    entrant_register,
    entrant_reinstate,
    entrant_withdraw,
    entrants_check_in,
)
from tournaments.services.entry_conditions import invitation_renew, password_set
from tournaments.services.federation_numbers import federation_numbers_set
from tournaments.services.late_entries import entrant_late, entrant_substitute, penalty_give
from tournaments.services.lifecycle import (
    pairing_preferences_set,
    round_open,
    round_pair,
    round_set_time,
    tournament_cancel,
    tournament_draw,
    tournament_start,
)
from tournaments.services.officials import (
    director_add,
    director_remove,
    director_take_over,
    official_appoint,
    official_dismiss,
)
from tournaments.services.outages import outage_ended
from tournaments.services.pauses import matches_pause, matches_resume
from tournaments.services.results import (
    alert_dismiss,
    match_result_record,
    result_confirm,
    result_correct,
    result_dispute,
    result_enter,
    result_report,
)
from tournaments.services.rulings import ruling_record
from tournaments.services.seeding import entrants_seed, seeding_set
from tournaments.services.setup import (
    announcement_post,
    tournament_create,
    tournament_update,
)
from tournaments.services.sweeps import meeting_due, round_due, round_stalled, tournament_due, unrecorded_match_ids
from tournaments.services.teams import lineup_set, team_change, team_enter, team_leave
from tournaments.services.venue.arrival import check_may_bring_here, venue_bring_here, venue_file_back
from tournaments.services.venue.home import venue_file_out, venue_give_up, venue_take_out
from tournaments.services.venue.returning import venue_results_bring, venue_results_check

__all__ = [
    "absence_change_record",
    "absence_changes_unrecorded",
    "act_redo",
    "act_undo",
    "alert_dismiss",
    "announcement_post",
    "arena_due",
    "arena_pause",
    "arena_stop",
    "arenas_running",
    "boards_set",
    "break_due",
    "break_end",
    "break_start",
    "bye_request",
    "check_may_bring_here",
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
    "entrants_check",
    "entrants_check_in",
    "entrants_fill",
    "entrants_import",
    "entrants_seed",
    "federation_numbers_set",
    "invitation_renew",
    "lineup_set",
    "match_result_record",
    "matches_pause",
    "matches_resume",
    "meeting_due",
    "official_appoint",
    "official_dismiss",
    "outage_ended",
    "pairing_call",
    "pairing_preferences_set",
    "password_set",
    "penalty_give",
    "result_confirm",
    "result_correct",
    "result_dispute",
    "result_enter",
    "result_report",
    "round_due",
    "round_open",
    "round_pair",
    "round_set_time",
    "round_stalled",
    "ruling_record",
    "seeding_set",
    "team_change",
    "team_enter",
    "team_leave",
    "tournament_cancel",
    "tournament_create",
    "tournament_draw",
    "tournament_due",
    "tournament_start",
    "tournament_update",
    "unrecorded_match_ids",
    "venue_bring_here",
    "venue_file_back",
    "venue_file_out",
    "venue_give_up",
    "venue_results_bring",
    "venue_results_check",
    "venue_take_out",
]
