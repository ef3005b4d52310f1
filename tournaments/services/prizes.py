"""The sheet of prizes of a tournament. The site moves no money: it writes down what the club does."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tournaments.errors import Refused
from tournaments.prizes import Purse
from tournaments.services.desk import Desk

LONGEST_NAME, LONGEST_CURRENCY = 40, 8


def purse_set(*, tournament_id: str, user: User, purse: Purse) -> None:
    """Say what is paid and how it is shared out; at any time. What is said again changes nothing.

    Raises Refused: not_director, purse (amounts, or shares of more than all of it), pool.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        if not purse.good or len(purse.currency) > LONGEST_CURRENCY:
            raise Refused("purse")
        for pool in purse.pools:
            known = set(pool.entrants) <= set(desk.entrants)
            if not pool.name or len(pool.name) > LONGEST_NAME or not known:
                raise Refused("pool")
        if purse != Purse.read(desk.state.purse):
            desk.record("prized", user, **purse.as_json())
            desk.commit()
