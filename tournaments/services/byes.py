"""Byes at a player's request: rounds that a player asks not to play (ruling E15)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tournaments.errors import Refused
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction


def bye_request(*, tournament_id: str, user: User, number: int, round: int, asked: bool = True) -> None:
    """Ask for a bye in a round that is not paired yet, as the player or a director, or (`asked=False`) take it back.

    Raises Refused: not_entered, not_yours, already_over, no_byes, withdrawn, bye_round.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        entrant, state = tx.competitor(number), tx.state
        if not tx.is_own(user, entrant) and not tx.may(user, DeskAct.RUN_ROUNDS):
            raise Refused("not_yours")
        tx.check_phase("open", "drawn", "running")
        if not state.format.takes_bye_requests:
            raise Refused("no_byes")
        if number in state.withdrawn:
            raise Refused("withdrawn")
        least, most = len(state.rounds) + 1, state.rules.config.rounds
        if not least <= round <= most:
            raise Refused("bye_round", params={"least": least, "most": most})
        if asked != (round in state.byes.get(number, ())):
            tx.record("bye_requested", user, entrant=number, round=round, asked=asked)
            tx.commit()
