"""The rows that follow from the events of a tournament: what pages and sweeps search, and nothing more.

Each projection compares the state before and after a transaction with the stored rows, and returns what is to be
written; `TournamentTransaction.commit` writes it. Whatever was undone, redone or corrected, the rows come to stand as
if the tournament had been played like that from the beginning.
"""

from tournaments.services.projections.match_results import result_corrections, side_of
from tournaments.services.projections.meeting_rows import MEETING_COLUMNS, NewMatch, meetings
from tournaments.services.projections.round_rows import rounds
from tournaments.services.projections.state_change import StateChange
from tournaments.services.projections.tournament_rows import ENTRANT_COLUMNS, entrant_columns, tournament_columns

__all__ = [
    "ENTRANT_COLUMNS",
    "MEETING_COLUMNS",
    "NewMatch",
    "StateChange",
    "entrant_columns",
    "meetings",
    "result_corrections",
    "rounds",
    "side_of",
    "tournament_columns",
]
