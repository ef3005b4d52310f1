"""Who plays: entering, checking in, withdrawing, walk-ins and seeded places."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from tournaments import draw
from tournaments.errors import Refused
from tournaments.models import Entrant
from tournaments.services.desk import Desk

LONGEST_NAME = 80
NONCE = re.compile(r"[0-9a-fA-F]{64}")


def entrant_register(*, tournament_id: str, user: User, nonce: str = "") -> Entrant:
    """Enter a tournament that is open for entries; who had left comes back to his place.

    `nonce`: 64 hex digits that the player adds to the draw. Raises Refused: members_only, entry_closed, entered, full,
    nonce.
    """
    if user.is_guest:
        raise Refused("members_only")
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        return _enter(desk, user, player=user, name="", nonce=nonce)


def entrant_add(*, tournament_id: str, user: User, name: str = "", player: User | None = None) -> Entrant:
    """A director enters a member or the computer, or somebody without an account by name.

    Raises Refused: not_director, entry_closed, entered, full, no_name, members_only.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        if player is not None and (player.is_guest or not player.is_active):
            raise Refused("members_only")
        return _enter(desk, user, player=player, name=name, nonce="")


def _enter(desk: Desk, by: User, *, player: User | None, name: str, nonce: str) -> Entrant:
    if desk.state.phase != "open":
        raise Refused("entry_closed")
    name = " ".join(name.split())
    known = next((one for one in desk.entrants.values() if player is not None and one.user_id == player.pk), None)
    if known is not None:
        if not known.withdrawn:
            raise Refused("entered")
        desk.record("reinstated", by, entrant=known.number)
        desk.commit()
        return known
    if player is None and not 0 < len(name) <= LONGEST_NAME:
        raise Refused("no_name")
    here = sum(not one.withdrawn for one in desk.entrants.values())
    if desk.tournament.capacity is not None and here >= desk.tournament.capacity:
        raise Refused("full")
    one = Entrant.objects.create(
        tournament=desk.tournament,
        number=len(desk.entrants) + 1,
        user=player,
        written_name="" if player else name,
        nonce=_nonce(nonce),
        entered_at=desk.moment,
    )
    desk.entrants[one.number] = one
    desk.record("registered", by, entrant=one.number, name=one.name)
    desk.commit()
    return one


def _nonce(told: str) -> bytes:
    """The player's own number for the draw, or one from this server. Raises Refused("nonce")."""
    if not told:
        return draw.new_seed()
    if not NONCE.fullmatch(told):
        raise Refused("nonce")
    return bytes.fromhex(told)


def entrant_link(*, tournament_id: str, user: User, number: int, player: User) -> Entrant:
    """Give a walk-in his account: the matches to come are his.

    Raises Refused: not_director, has_account, entered, members_only.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        one = desk.entrant(number)
        if one.user_id is not None:
            raise Refused("has_account")
        if player.is_guest or not player.is_active:
            raise Refused("members_only")
        if any(other.user_id == player.pk for other in desk.entrants.values()):
            raise Refused("entered")
        one.user = player
        one.save(update_fields=["user"])
        desk.record("linked", user, entrant=number, name=player.username)
        desk.commit()
    return one


def entrant_withdraw(*, tournament_id: str, user: User, number: int) -> None:
    """Leave. Before the draw the place is free again; after it, what is not played is lost by walkover.

    Raises Refused: not_yours, already_over, withdrawn.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        _need_himself(desk, user, number)
        desk.need_phase("open", "drawn", "running")
        if number in desk.state.withdrawn:
            raise Refused("withdrawn")
        desk.record("withdrawn", user, entrant=number)
        desk.advance()
        desk.commit()


def entrant_reinstate(*, tournament_id: str, user: User, number: int) -> None:
    """A director takes a withdrawal back: what was not passed by meanwhile can be played.

    Raises Refused: not_director, already_over.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open", "drawn", "running")
        desk.entrant(number)
        if number in desk.state.withdrawn:
            desk.record("reinstated", user, entrant=number)
            desk.advance()
            desk.commit()


def entrant_check_in(*, tournament_id: str, user: User, number: int, here: bool = True, nonce: str = "") -> None:
    """Say that a player is there (or is not, after all). Raises Refused: not_yours, withdrawn, entry_closed, nonce."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        one = _need_himself(desk, user, number)
        if desk.state.phase != "open":
            raise Refused("entry_closed")
        if number in desk.state.withdrawn:
            raise Refused("withdrawn")
        if nonce and one.user_id == user.pk:
            one.nonce = _nonce(nonce)
            one.save(update_fields=["nonce"])
        if here != (number in desk.state.checked_in):
            desk.record("checked_in" if here else "checked_out", user, entrant=number)
            desk.commit()


def entrants_seed(*, tournament_id: str, user: User, ranks: Mapping[int, int | None]) -> None:
    """Give entrants seeded places (None takes one back). Raises Refused: not_director, already_drawn, ranks."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open")
        after = {number: one.seed_rank for number, one in desk.entrants.items()} | dict(ranks)
        given = [rank for rank in after.values() if rank is not None]
        if set(after) - set(desk.entrants) or len(set(given)) < len(given) or any(rank < 1 for rank in given):
            raise Refused("ranks")
        for number, one in desk.entrants.items():
            one.seed_rank = after[number]
        Entrant.objects.bulk_update(desk.entrants.values(), ["seed_rank"])
        desk.record("seeded", user, ranks={str(number): rank for number, rank in after.items() if rank is not None})
        desk.commit()


def _need_himself(desk: Desk, user: User, number: int) -> Entrant:
    """The entrant, when `user` is he or a director. Raises Refused: not_entered, not_yours."""
    one = desk.entrant(number)
    if one.user_id != user.pk and not desk.directed_by(user):
        raise Refused("not_yours")
    return one
