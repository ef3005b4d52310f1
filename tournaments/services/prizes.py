"""The prizes of a tournament. The site moves no money: it records what the club does."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tournaments.errors import Refused
from tournaments.prizes import Purse
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction

LONGEST_NAME, LONGEST_CURRENCY = 40, 8


def purse_set(*, tournament_id: str, user: User, purse: Purse) -> None:
    """Set the entry fee, the prizes and the side pools, at any time. Setting the same again changes nothing.

    Raises Refused: not_director, purse (amounts, or shares of more than all of it), pool.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.SET_PRIZES)
        if not purse.is_valid or len(purse.currency) > LONGEST_CURRENCY:
            raise Refused("purse")
        for pool in purse.pools:
            known = set(pool.entrants) <= set(tx.entrants)
            if not pool.name or len(pool.name) > LONGEST_NAME or not known:
                raise Refused("pool")
        if purse != Purse.read(tx.state.purse):
            tx.record("prized", user, **purse.as_json())
            tx.commit()
