"""The computer takes the places that are missing for a whole field."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.services import bots_at
from games import bots
from tournaments.errors import Refused
from tournaments.filling import MOST, Place, players, whole
from tournaments.models import Entrant
from tournaments.services.desk import Desk
from tournaments.services.entry import entrant_new, known_as, need_open, take_place
from tournaments.services.follow import options_at
from tournaments.terms import Terms


def entrants_fill(*, tournament_id: str, user: User, level: int, to: int | None = None) -> int:
    """A director lets the computer in at one strength until there are `to` players, and says how many came.

    Without `to` until nobody has a bye in the first round (`tournaments.filling.whole`). One act, which can be undone:
    each of them is there, and checked in where that is asked for. Their matches are never rated.

    Raises Refused: not_director, entry_closed, fill_board, engine_*, fill_enough, fill_most, fill_places.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        need_open(desk)
        if code := why_not(desk.state.rules):
            raise Refused(code)
        missing = _missing(desk, to)
        desk.record("filled", user, level=level, count=missing)
        for bot in _computers(desk, level, missing):
            one = known_as(desk, bot) or entrant_new(desk, player=bot, name="")
            take_place(desk, user, one)
            if desk.state.rules.check_in:
                desk.record("checked_in", user, entrant=one.number)
        desk.commit()
    return missing


def why_not(terms: Terms) -> str | None:
    """Why the computer cannot play in a tournament of these terms, as a code; None when it can."""
    if terms.venue == "board":
        return "fill_board"
    codes = (bots.why_not(terms.variant, options_at(terms, length)) for length in terms.lengths)
    return next((code for code in codes if code), None)


def _missing(desk: Desk, to: int | None) -> int:
    """Raises Refused: fill_enough, fill_most, fill_places."""
    there = [one for number, one in desk.entrants.items() if _plays(desk, number)]
    places = [place_of(one) for one in there]
    count = players(places, check_in=desk.state.rules.check_in)
    missing = (whole(desk.state.format.sections, count) if to is None else to) - count
    if missing <= 0:
        raise Refused("fill_enough", params={"count": count})
    if missing > MOST:
        raise Refused("fill_most", params={"most": MOST})
    capacity = desk.tournament.capacity
    if capacity is not None and len(there) + missing > capacity:
        raise Refused("fill_places", params={"free": max(0, capacity - len(there)), "missing": missing})
    return missing


def place_of(one: Entrant) -> Place:
    """An entrant who has not left, as `tournaments.filling` counts him."""
    return Place(one.checked_in, one.user is not None and one.user.is_bot)


def _plays(desk: Desk, number: int) -> bool:
    return number in desk.state.entrants and number not in desk.state.withdrawn


def _computers(desk: Desk, level: int, count: int) -> list[User]:
    """So many accounts of the computer that have no place here, and have given none to somebody else."""
    known = sum(one.user is not None and one.user.strength == level for one in desk.entrants.values())
    free = (bot for bot in bots_at(level, count + known + len(desk.state.people)) if _may_come(desk, bot))
    return [bot for bot, _one in zip(free, range(count), strict=False)]


def _may_come(desk: Desk, bot: User) -> bool:
    try:
        known_as(desk, bot)
    except Refused:
        return False
    return True
