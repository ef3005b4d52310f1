"""Who plays: entering, checking in, withdrawing, walk-ins and seeded places."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from tournaments import draw, notify
from tournaments.errors import Refused
from tournaments.models import Entrant
from tournaments.services.conditions import check_conditions
from tournaments.services.desk import Desk

LONGEST_NAME = 80
NONCE = re.compile(r"[0-9a-fA-F]{64}")


def entrant_register(
    *, tournament_id: str, user: User, nonce: str = "", password: str = "", invitation: str = ""
) -> Entrant:
    """Enter a tournament that is open for entries, or wait for a place; who had left comes back.

    `nonce`: 64 hex digits that the player adds to the draw; `invitation`: what the link said. Raises Refused:
    members_only, entry_closed, entered, nonce, replaced, and those of `check_conditions`.
    """
    if user.is_guest:
        raise Refused("members_only")
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        need_open(desk)
        check_conditions(desk, user, password=password, invitation=invitation)
        return _enter(desk, user, player=user, name="", nonce=nonce)


def entrant_add(*, tournament_id: str, user: User, name: str = "", player: User | None = None) -> Entrant:
    """A director enters a member or the computer, or somebody without an account by name; in a full one they wait.

    Raises Refused: not_director, entry_closed, entered, replaced, no_name, members_only.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        need_open(desk)
        need_person(player)
        return _enter(desk, user, player=player, name=name, nonce="")


def need_open(desk: Desk) -> None:
    """Raises Refused("entry_closed")."""
    if desk.state.phase != "open":
        raise Refused("entry_closed")


def need_person(player: User | None) -> None:
    """A member, the computer, or a name. Raises Refused("members_only")."""
    if player is not None and (player.is_guest or not player.is_active):
        raise Refused("members_only")


def known_as(desk: Desk, player: User | None) -> Entrant | None:
    """The entrant of an account. Raises Refused: entered (he plays or waits), replaced (another has his place)."""
    if player is None:
        return None
    if any(person.user == player.pk for people in desk.state.people.values() for person in people[:-1]):
        raise Refused("replaced")
    known = next((one for one in desk.entrants.values() if one.user_id == player.pk), None)
    if known is not None and not known.withdrawn:
        raise Refused("entered")
    return known


def _enter(desk: Desk, by: User, *, player: User | None, name: str, nonce: str) -> Entrant:
    one = known_as(desk, player) or entrant_new(desk, player=player, name=name, nonce=nonce)
    if not desk.free():
        desk.record("waited", by, entrant=one.number, name=one.name)
    else:
        take_place(desk, by, one)
    desk.commit()
    return one


def take_place(desk: Desk, by: User, one: Entrant) -> None:
    """The place of somebody new, or of one who had left."""
    if one.number not in desk.state.entrants:
        desk.record("registered", by, entrant=one.number, name=one.name)
    if one.number in desk.state.withdrawn:
        desk.record("reinstated", by, entrant=one.number)


def entrant_new(desk: Desk, *, player: User | None, name: str, nonce: str = "") -> Entrant:
    """The row of an account or a name that was not there before. Raises Refused: no_name, nonce."""
    name = written_name(name) if player is None else ""
    one = Entrant.objects.create(
        tournament=desk.tournament,
        number=len(desk.entrants) + 1,
        user=player,
        written_name=name,
        nonce=_nonce(nonce),
        entered_at=desk.moment,
    )
    desk.entrants[one.number] = one
    return one


def written_name(name: str) -> str:
    """A name as it is kept. Raises Refused("no_name")."""
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("no_name")
    return name


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
        need_person(player)
        if known_as(desk, player) is not None:
            raise Refused("entered")
        one.user = player
        one.save(update_fields=["user"])
        desk.record("linked", user, entrant=number, name=player.username, user=player.pk)
        desk.commit()
    return one


def entrant_withdraw(*, tournament_id: str, user: User, number: int) -> None:
    """Leave. Before the draw the place is free again, for who waits first; after it, what is not played is lost.

    Raises Refused: not_yours, already_over, withdrawn.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        _need_himself(desk, user, number)
        desk.need_phase("open", "drawn", "running")
        if number in desk.state.withdrawn:
            raise Refused("withdrawn")
        desk.record("withdrawn", user, entrant=number)
        desk.admit()
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
            if desk.state.phase == "open":
                take_place(desk, user, desk.entrants[number])
            else:
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


def entrant_admit(*, tournament_id: str, user: User, number: int) -> None:
    """A director lets in one who waits, whoever waits before him and however many there are.

    Raises Refused: not_director, not_entered, entry_closed, not_waiting.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        need_open(desk)
        one = desk.entrant(number)
        if number not in desk.state.waiting:
            raise Refused("not_waiting")
        desk.record("admitted", user, entrant=number)
        notify.admitted(one, desk.tournament)
        desk.commit()


def entrant_paid(*, tournament_id: str, user: User, number: int, paid: bool = True) -> None:
    """Note that an entrant paid (or did not, after all): a record only. Raises Refused: not_director, not_entered."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.entrant(number)
        if paid != (number in desk.state.paid):
            desk.record("paid", user, entrant=number, paid=paid)
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
