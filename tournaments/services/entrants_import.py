"""Entering a whole list: a dry run that says what each line would do, and the import that does what was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from django.db import transaction

from accounts.models import User
from accounts.names.validation import fold
from tournaments.entrants_list import ListedEntrant, UnreadableList, parse
from tournaments.errors import Refused
from tournaments.models import Entrant
from tournaments.roles import DeskAct
from tournaments.services.entries import check_open, entrant_create, place_assign
from tournaments.services.transaction import TournamentTransaction

Choice: TypeAlias = Literal["member", "walk-in", "skip"]
Status: TypeAlias = Literal["new", "member", "known", "twice", "error"]


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """A line of the list and what it is: `new` name, a `member`, `known` (entered already), `twice`, or an `error`.

    `choice` is what is done unless the director chooses otherwise.
    """

    listed: ListedEntrant
    status: Status
    choice: Choice
    member: User | None = None


def entrants_check(*, tournament_id: str, user: User, text: str) -> list[EntrantLine]:
    """What each line of a list would do; nothing is written. Raises Refused: not_director, entry_closed, list_*."""
    with transaction.atomic():
        return _lines(_lock(tournament_id, user), text)


def entrants_import(*, tournament_id: str, user: User, text: str, choices: Mapping[int, Choice]) -> int:
    """Enter the lines of a list as chosen, in one act, and return how many; a name that is there gets a number (E9).

    Where no place is free they wait, in the order of the list. Raises Refused: not_director, entry_closed, list_*.
    """
    with transaction.atomic():
        tx = _lock(tournament_id, user)
        entered = 0
        for line in _lines(tx, text):
            choice = choices.get(line.listed.number, line.choice)
            if choice == "skip" or line.status == "error":
                continue
            member = line.member if choice == "member" else None
            if member is not None and any(entrant.user_id == member.pk for entrant in tx.entrants.values()):
                continue
            _enter(tx, user, line.listed, member)
            entered += 1
        tx.commit()
    return entered


def _lock(tournament_id: str, user: User) -> TournamentTransaction:
    tx = TournamentTransaction.lock(tournament_id)
    tx.check_act(user, DeskAct.MANAGE_ENTRANTS)
    check_open(tx)
    return tx


def _lines(tx: TournamentTransaction, text: str) -> list[EntrantLine]:
    try:
        listed = parse(text)
    except UnreadableList as error:
        raise Refused(error.code, params=error.params) from error
    members = _members(listed)
    there = {fold(entrant.name) for entrant in tx.entrants.values()}
    seen: set[str] = set()
    found = []
    for line in listed:
        key = fold(line.username or line.name)
        found.append(_line(line, members.get(key), there=key in there, twice=key in seen))
        seen.add(key)
    return found


def _members(listed: Sequence[ListedEntrant]) -> dict[str, User]:
    """The members and bots by the name that a line has; one query."""
    keys = {fold(line.username or line.name) for line in listed}
    return {user.name_key: user for user in User.objects.filter(name_key__in=keys, is_active=True, is_guest=False)}


def _line(line: ListedEntrant, member: User | None, *, there: bool, twice: bool) -> EntrantLine:
    if line.fault or (line.username and member is None):
        return EntrantLine(line, "error", "skip")
    if there or twice:
        return EntrantLine(line, "known" if there else "twice", "skip", member)
    return EntrantLine(line, "member" if member else "new", "member" if member else "walk-in", member)


def _enter(tx: TournamentTransaction, by: User, line: ListedEntrant, member: User | None) -> Entrant:
    entrant = entrant_create(tx, player=member, name="" if member else line.name)
    if line.seed is not None and all(other.seed_rank != line.seed for other in tx.entrants.values()):
        entrant.seed_rank = line.seed
        entrant.save(update_fields=["seed_rank"])
    if tx.has_free_place():
        place_assign(tx, by, entrant)
    else:
        tx.record("waited", by, entrant=entrant.number, name=entrant.name)
    if line.paid:
        tx.record("paid", by, entrant=entrant.number, paid=True)
    if line.here:
        tx.record("checked_in", by, entrant=entrant.number)
    return entrant
