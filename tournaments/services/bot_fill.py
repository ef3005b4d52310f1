"""Filling a field with bots, so that nobody has a bye in the first round."""

from __future__ import annotations

from itertools import islice

from django.db import transaction

from accounts.models import User
from accounts.users.services import house_bots_at
from games import bots
from tournaments.errors import Refused
from tournaments.field_size import MOST, FieldEntry, field_count, full_field_size
from tournaments.models import Entrant
from tournaments.roles import DeskAct
from tournaments.services.entries import check_open, entrant_create, find_entrant, place_assign
from tournaments.services.match_options import match_options
from tournaments.services.transaction import TournamentTransaction
from tournaments.terms import Terms


def entrants_fill(*, tournament_id: str, user: User, level: int, to: int | None = None) -> int:
    """Add bots of one strength, as a director, until there are `to` players, and return how many were added.

    Without `to`, until nobody has a bye in the first round (`tournaments.field_size.full_field_size`). One act, which
    can be undone. The bots are checked in where that is needed. Their matches are never rated.

    Raises Refused: not_director, entry_closed, fill_board, engine_*, fill_enough, fill_most, fill_places.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        check_open(tx)
        if code := bot_refusal(tx.state.rules):
            raise Refused(code)
        missing = _missing(tx, to)
        tx.record("filled", user, level=level, count=missing)
        for bot in _free_bots(tx, level, missing):
            entrant = find_entrant(tx, bot) or entrant_create(tx, player=bot, name="")
            place_assign(tx, user, entrant)
            if tx.state.rules.check_in:
                tx.record("checked_in", user, entrant=entrant.number)
        tx.commit()
    return missing


def bot_refusal(terms: Terms) -> str | None:
    """The code that says why bots cannot play in a tournament of these terms; None where they can."""
    if terms.venue == "board":
        return "fill_board"
    if terms.config.boards:
        return "teams_only"
    codes = (bots.why_unavailable(terms.variant, match_options(terms, length)) for length in terms.lengths)
    return next((code for code in codes if code), None)


def _missing(tx: TournamentTransaction, to: int | None) -> int:
    """How many players are missing. Raises Refused: fill_enough, fill_most, fill_places."""
    playing = [entrant for number, entrant in tx.entrants.items() if _plays(tx, number)]
    entries = [field_entry_of(entrant) for entrant in playing]
    count = field_count(entries, check_in=tx.state.rules.check_in)
    missing = (full_field_size(tx.state.format.sections, count) if to is None else to) - count
    if missing <= 0:
        raise Refused("fill_enough", params={"count": count})
    if missing > MOST:
        raise Refused("fill_most", params={"most": MOST})
    capacity = tx.tournament.capacity
    if capacity is not None and len(playing) + missing > capacity:
        raise Refused("fill_places", params={"free": max(0, capacity - len(playing)), "missing": missing})
    return missing


def field_entry_of(entrant: Entrant) -> FieldEntry:
    """An entrant who has not withdrawn, as `tournaments.field_size` counts them."""
    return FieldEntry(entrant.checked_in, entrant.user is not None and entrant.user.is_bot)


def _plays(tx: TournamentTransaction, number: int) -> bool:
    return number in tx.state.entrants and number not in tx.state.withdrawn


def _free_bots(tx: TournamentTransaction, level: int, count: int) -> list[User]:
    """Bot accounts of a strength that are not in the tournament, and whose place no substitute has."""
    known = sum(entrant.user is not None and entrant.user.strength == level for entrant in tx.entrants.values())
    free = (bot for bot in house_bots_at(level, count + known + len(tx.state.people)) if _may_enter(tx, bot))
    return list(islice(free, count))


def _may_enter(tx: TournamentTransaction, bot: User) -> bool:
    try:
        find_entrant(tx, bot)
    except Refused:
        return False
    return True
