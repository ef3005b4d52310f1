"""Entries: registering, checking in, withdrawing and walk-ins."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import count

from django.db import transaction

from accounts.models import User
from accounts.names.validation import fold
from tournaments import draw, notify
from tournaments.errors import Refused
from tournaments.models import Entrant, Team
from tournaments.roles import DeskAct
from tournaments.services.entry_conditions import check_conditions
from tournaments.services.transaction import TournamentTransaction

LONGEST_NAME = 80
NONCE = re.compile(r"[0-9a-fA-F]{64}")


def entrant_register(
    *, tournament_id: str, user: User, nonce: str = "", password: str = "", invitation: str = ""
) -> Entrant:
    """Register for a tournament, also after withdrawing; where no place is free, on the waiting list. An arena can be
    joined while it runs.

    `nonce`: 64 hex digits that the player adds to the draw; `invitation`: the secret of the link. Raises Refused:
    members_only, entry_closed, arena_full, entered, nonce, replaced, and those of `check_conditions`.
    """
    if user.is_guest:
        raise Refused("members_only")
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        if not tx.state.takes_players:
            check_open(tx)
        check_conditions(tx, user, password=password, invitation=invitation)
        return _enter(tx, user, player=user, name="", nonce=nonce)


def entrant_add(*, tournament_id: str, user: User, name: str = "", player: User | None = None) -> Entrant:
    """Enter an account or a person without one by name, as a director; where no place is free, on the waiting list.

    Raises Refused: not_director, entry_closed, entered, replaced, no_name, members_only.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        check_open(tx)
        check_person(player)
        return _enter(tx, user, player=player, name=name, nonce="")


def check_open(tx: TournamentTransaction) -> None:
    """Raises Refused("entry_closed")."""
    if tx.state.phase != "open":
        raise Refused("entry_closed")


def check_person(player: User | None) -> None:
    """Check that an account can play: a member or a bot. Raises Refused("members_only")."""
    if player is not None and (player.is_guest or not player.is_active):
        raise Refused("members_only")


def find_entrant(tx: TournamentTransaction, player: User | None) -> Entrant | None:
    """The withdrawn entrant of an account, if any.

    Raises Refused: entered (they play or wait), replaced (a substitute has their place).
    """
    if player is None:
        return None
    if any(person.user == player.pk for people in tx.state.people.values() for person in people[:-1]):
        raise Refused("replaced")
    known = next((entrant for entrant in tx.entrants.values() if entrant.user_id == player.pk), None)
    if known is not None and (known.team_id is not None or not known.withdrawn):
        raise Refused("entered")
    return known


def _enter(tx: TournamentTransaction, by: User, *, player: User | None, name: str, nonce: str) -> Entrant:
    entrant = find_entrant(tx, player) or entrant_create(tx, player=player, name=name, nonce=nonce)
    joins = tx.state.takes_players
    if joins and not tx.has_free_place():
        raise Refused("arena_full")
    if not tx.has_free_place():
        tx.record("waited", by, entrant=entrant.number, name=entrant.name)
    else:
        place_assign(tx, by, entrant)
    if joins and entrant.number not in tx.state.order:
        tx.record("late", by, entrant=entrant.number, missed=0, half=False)
    tx.commit()
    return entrant


def place_assign(tx: TournamentTransaction, by: User, entrant: Entrant) -> None:
    """Give a place to a new entrant, or to one who had withdrawn."""
    if entrant.number not in tx.state.entrants:
        tx.record("registered", by, entrant=entrant.number, name=entrant.name)
    if entrant.number in tx.state.withdrawn:
        tx.record("reinstated", by, entrant=entrant.number)


def entrant_create(tx: TournamentTransaction, *, player: User | None, name: str, nonce: str = "") -> Entrant:
    """Create the row of a new entrant who plays alone, an account or a name.

    Raises Refused: no_name, nonce, teams_only, arena_accounts (an arena is played online).
    """
    if tx.state.rules.config.boards:
        raise Refused("teams_only")
    if tx.state.format.needs_accounts and player is None:
        raise Refused("arena_accounts")
    return row_create(tx, player=player, name=name, nonce=nonce)


def row_create(
    tx: TournamentTransaction, *, player: User | None, name: str, nonce: str = "", team: Team | None = None
) -> Entrant:
    """Create the row of a player who plays alone or for a `team`, or of a team. Raises Refused: no_name, nonce."""
    name = distinct_name(tx, name) if player is None else ""
    if player is not None:
        _mark_walk_ins_named(tx, player)
    entrant = Entrant.objects.create(
        tournament=tx.tournament,
        number=len(tx.entrants) + 1,
        user=player,
        written_name=name,
        team=team,
        nonce=_nonce(nonce),
        entered_at=tx.moment,
    )
    tx.entrants[entrant.number] = entrant
    return entrant


def distinct_name(tx: TournamentTransaction, name: str) -> str:
    """A walk-in's name as it is stored: `Juan (2)` where another player of the tournament has it (ruling E9).

    Raises Refused("no_name").
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("no_name")
    earlier = (person.name for people in tx.state.people.values() for person in people)
    return _distinct(name, {fold(other) for other in (*(entrant.name for entrant in tx.entrants.values()), *earlier)})


def _distinct(name: str, in_use: Collection[str]) -> str:
    """The name, or with the first number from 2 on that makes it differ from the names `in_use` (folded)."""
    if fold(name) not in in_use:
        return name
    numbered = (f"{name[: LONGEST_NAME - len(mark)]}{mark}" for mark in map(" ({})".format, count(2)))
    return next(candidate for candidate in numbered if fold(candidate) not in in_use)


def _mark_walk_ins_named(tx: TournamentTransaction, player: User) -> None:
    """Mark the walk-in who was entered under the name of a member who enters now."""
    for entrant in tx.entrants.values():
        if entrant.user_id is None and fold(entrant.written_name) == player.name_key:
            entrant.written_name = distinct_name(tx, entrant.written_name)
            entrant.save(update_fields=["written_name"])


def _nonce(digits: str) -> bytes:
    """The nonce that the player chose for the draw, else a random one. Raises Refused("nonce")."""
    if not digits:
        return draw.new_seed()
    if not NONCE.fullmatch(digits):
        raise Refused("nonce")
    return bytes.fromhex(digits)


def entrant_link(*, tournament_id: str, user: User, number: int, player: User) -> Entrant:
    """Link a walk-in to an account, which plays the matches to come.

    Raises Refused: not_director, not_entered, is_team, has_account, entered, members_only.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        entrant = tx.person(number)
        if entrant.user_id is not None:
            raise Refused("has_account")
        check_person(player)
        if find_entrant(tx, player) is not None:
            raise Refused("entered")
        entrant.user = player
        entrant.save(update_fields=["user"])
        tx.record("linked", user, entrant=number, name=player.username, user=player.pk)
        tx.commit()
    return entrant


def entrant_withdraw(*, tournament_id: str, user: User, number: int) -> None:
    """Withdraw. Before the draw the place goes to the waiting list; after it, matches that are not played are lost.

    Raises Refused: not_yours, already_over, withdrawn.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        _check_own_or_director(tx, user, number)
        tx.check_phase("open", "drawn", "running")
        if number in tx.state.withdrawn:
            raise Refused("withdrawn")
        tx.record("withdrawn", user, entrant=number)
        tx.admit_waiting()
        tx.advance()
        tx.commit()


def entrant_reinstate(*, tournament_id: str, user: User, number: int) -> None:
    """Reinstate an entrant, as a director: matches that were not lost meanwhile can be played.

    Raises Refused: not_director, already_over.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        tx.check_phase("open", "drawn", "running")
        tx.competitor(number)
        if number in tx.state.withdrawn:
            if tx.state.phase == "open":
                place_assign(tx, user, tx.entrants[number])
            else:
                tx.record("reinstated", user, entrant=number)
            tx.advance()
            tx.commit()


def entrant_check_in(*, tournament_id: str, user: User, number: int, here: bool = True, nonce: str = "") -> None:
    """Check an entrant in, or (`here=False`) out. Raises Refused: not_yours, withdrawn, entry_closed, nonce."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        entrant = _check_own_or_director(tx, user, number)
        if tx.state.phase != "open":
            raise Refused("entry_closed")
        if number in tx.state.withdrawn:
            raise Refused("withdrawn")
        if nonce and entrant.user_id == user.pk:
            entrant.nonce = _nonce(nonce)
            entrant.save(update_fields=["nonce"])
        if here != (number in tx.state.checked_in):
            tx.record("checked_in" if here else "checked_out", user, entrant=number)
            tx.commit()


def entrants_check_in(*, tournament_id: str, user: User) -> None:
    """Check in everybody who plays, as a director, in one act. Raises Refused: not_director, entry_closed."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        check_open(tx)
        for number in tx.state.entrants:
            if number not in tx.state.checked_in and number not in tx.state.withdrawn:
                tx.record("checked_in", user, entrant=number)
        tx.commit()


def entrant_admit(*, tournament_id: str, user: User, number: int) -> None:
    """Admit an entrant from the waiting list, as a director, out of order and above the player limit if need be.

    Raises Refused: not_director, not_entered, entry_closed, not_waiting.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        check_open(tx)
        entrant = tx.competitor(number)
        if number not in tx.state.waiting:
            raise Refused("not_waiting")
        tx.record("admitted", user, entrant=number)
        notify.admitted(entrant, tx.tournament)
        tx.commit()


def entrant_paid(*, tournament_id: str, user: User, number: int, paid: bool = True) -> None:
    """Record that an entrant has paid, or (`paid=False`) has not. Raises Refused: not_director, not_entered."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
        tx.competitor(number)
        if paid != (number in tx.state.paid):
            tx.record("paid", user, entrant=number, paid=paid)
            tx.commit()


def _check_own_or_director(tx: TournamentTransaction, user: User, number: int) -> Entrant:
    """The entrant, if `user` is that player, the captain of that team or a director.

    Raises Refused: not_entered, in_team, not_yours.
    """
    entrant = tx.competitor(number)
    if not tx.is_own(user, entrant) and not tx.may(user, DeskAct.MANAGE_ENTRANTS):
        raise Refused("not_yours")
    return entrant
