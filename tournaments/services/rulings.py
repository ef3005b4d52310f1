"""Rulings: what a referee decided in a dispute and why, in the log and on the tournament's page (ruling E17)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from tournaments.errors import Refused
from tournaments.formats.core import Key
from tournaments.roles import DeskAct
from tournaments.services.results import MAX_REASON
from tournaments.services.transaction import TournamentTransaction

LONGEST_RULING = 400


def ruling_record(*, tournament_id: str, user: User, text: str, why: str, key: Key = "") -> None:
    """Write down a ruling with its reason, as a referee: about a pairing, or about the tournament (no `key`).

    It changes nothing by itself: a result or a penalty that follows from it is entered as such.
    Raises Refused: not_referee, no_ruling, no_reason, no_pairing.
    """
    text, why = " ".join(text.split()), " ".join(why.split())
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.WRITE_RULINGS)
        if not 0 < len(text) <= LONGEST_RULING or not text.isprintable():
            raise Refused("no_ruling", params={"most": LONGEST_RULING})
        if not 0 < len(why) <= MAX_REASON or not why.isprintable():
            raise Refused("no_reason")
        about = {"key": key, "of": list(tx.pairing_or_series(key).entrants)} if key else {}
        tx.record("ruled", user, text=text, why=why, **about)
        tx.commit()
