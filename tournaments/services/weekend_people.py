"""What directors do for several tournaments of a weekend at once: enter a person, check them in, set boards, record
fees.

Each is one transaction over the services of the single tournaments: all of it is done, or nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import transaction

from accounts.models import User
from games.errors import Refused as PlayRefused
from tournaments import weekend_roles
from tournaments.boards import Boards
from tournaments.errors import Refused
from tournaments.models import Entrant, Tournament
from tournaments.player_keys import player_key
from tournaments.services.boards import boards_set
from tournaments.services.entries import entrant_add, entrant_check_in, entrant_paid
from tournaments.services.weekends import lock_tournaments, weekend_lock
from tournaments.weekend_roles import WeekendAct


def weekend_person_add(
    *, weekend_id: str, user: User, tournament_ids: Collection[str], name: str = "", player: User | None = None
) -> None:
    """Enter an account or a name in some tournaments of a weekend, in all of them or in none.

    Raises WeekendNotFound, Refused: not_weekend_director, no_tournament_chosen, in_tournament (what `entrant_add`
    refuses, with the name of the tournament).
    """
    with transaction.atomic():
        for tournament in _chosen(weekend_id, user, tournament_ids):
            with _named(tournament):
                entrant_add(tournament_id=tournament.pk, user=user, name=name, player=player)


def weekend_boards_set(*, weekend_id: str, user: User, tournament_ids: Collection[str], boards: Boards) -> None:
    """Set the same rooms and boards for some tournaments of a weekend, in all of them or in none.

    Raises WeekendNotFound, Refused: not_weekend_director, no_tournament_chosen, in_tournament (what `boards_set`
    refuses, with the name of the tournament).
    """
    with transaction.atomic():
        for tournament in _chosen(weekend_id, user, tournament_ids):
            with _named(tournament):
                boards_set(tournament_id=tournament.pk, user=user, boards=boards)


def weekend_fees_paid(
    *, weekend_id: str, user: User, entrant_id: int, tournament_id: str | None = None, paid: bool = True
) -> None:
    """Record that a person has paid what they owe in a weekend, or in one of its tournaments; or has not.

    `entrant_id` is any entry of the person. Raises WeekendNotFound, Refused: not_weekend_director, no_person,
    in_tournament (what `entrant_paid` refuses, with the name of the tournament).
    """
    with transaction.atomic():
        for row, tournament in _entries(weekend_id, user, entrant_id, tournament_id):
            if row.paid != paid and (row.plays or row.paid):
                with _named(tournament):
                    entrant_paid(tournament_id=tournament.pk, user=user, number=row.number, paid=paid)


def weekend_check_in(
    *, weekend_id: str, user: User, entrant_id: int, tournament_id: str | None = None, here: bool = True
) -> None:
    """Check a person in or out in one tournament of a weekend, or in all that are open for registration.

    `entrant_id` is any entry of the person. Raises WeekendNotFound, Refused: not_weekend_director, no_person,
    in_tournament (what `entrant_check_in` refuses, with the name of the tournament).
    """
    with transaction.atomic():
        entries = _entries(weekend_id, user, entrant_id, tournament_id)
        are_open = [(row, each) for row, each in entries if each.phase == Tournament.Phase.OPEN and not row.withdrawn]
        for row, tournament in are_open or entries:
            with _named(tournament):
                entrant_check_in(tournament_id=tournament.pk, user=user, number=row.number, here=here)


def _entries(
    weekend_id: str, user: User, entrant_id: int, tournament_id: str | None
) -> list[tuple[Entrant, Tournament]]:
    """The entries of a person in a weekend, or in one of its tournaments, all of which are locked.

    Raises WeekendNotFound, Refused: not_weekend_director, no_person.
    """
    tournaments = {tournament.pk: tournament for tournament in lock_tournaments(weekend_id)}
    weekend_roles.check(user, weekend_lock(weekend_id), WeekendAct.MANAGE_PEOPLE)
    rows = list(Entrant.objects.filter(tournament__in=tournaments, team=None).select_related("user"))
    person = next((row for row in rows if row.pk == entrant_id), None)
    if person is None:
        raise Refused("no_person")
    key = player_key(person.user_id, person.name)
    found = [
        row
        for row in sorted(rows, key=lambda row: (row.tournament_id, row.number))
        if player_key(row.user_id, row.name) == key and tournament_id in (None, row.tournament_id)
    ]
    if not found:
        raise Refused("no_person")
    return [(row, tournaments[row.tournament_id]) for row in found]


def _chosen(weekend_id: str, user: User, tournament_ids: Collection[str]) -> list[Tournament]:
    """The chosen tournaments of a weekend, locked with all others of it. Raises as the services above."""
    tournaments = lock_tournaments(weekend_id)
    weekend_roles.check(user, weekend_lock(weekend_id), WeekendAct.MANAGE_PEOPLE)
    chosen = [tournament for tournament in tournaments if tournament.pk in tournament_ids]
    if not chosen or len(chosen) < len(set(tournament_ids)):
        raise Refused("no_tournament_chosen")
    return chosen


@contextmanager
def _named(tournament: Tournament) -> Iterator[None]:
    """Put the name of the tournament before the reason of a refusal."""
    try:
        yield
    except PlayRefused as refused:
        params = {"tournament": tournament.name, "reason": refused.text}
        raise Refused("in_tournament", params=params) from refused
