"""Seeds: by rating, by hand or by lot, and how everybody without a seed is placed in the draw (ruling E14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal, get_args

from django.db import transaction

from accounts.models import User
from games.clocks import pace_of
from games.models import Rating
from tournaments.errors import Refused
from tournaments.models import Entrant, VenueCopy
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction
from tournaments.terms import SEEDINGS, Seeding, Terms

SeedingMethod = Literal["rating", "hand", "lot"]
METHODS = get_args(SeedingMethod)


def entrants_seed(*, tournament_id: str, user: User, ranks: Mapping[int, int | None]) -> None:
    """Set the seeds of entrants (None: unseeded). Raises Refused: not_director, already_drawn, ranks."""
    seeding_set(tournament_id=tournament_id, user=user, method="hand", ranks=ranks)


def seeding_set(
    *,
    tournament_id: str,
    user: User,
    method: SeedingMethod,
    ranks: Mapping[int, int | None] | None = None,
    most: int | None = None,
    rest: Seeding | None = None,
) -> None:
    """Seed the entrants, as a director, in place of the seeds that they had.

    `rating`: those who have a rating of the game, the highest first, at most `most` of them (None: all); of equal
    ratings the earlier entry. `hand`: these `ranks`; entrants who are not named keep theirs. `lot`: nobody has a seed.
    `rest` says how everybody without a seed is placed: by the draw, or in the order of entry (None: as before; after
    `lot` by the draw).

    Raises Refused: not_director, already_drawn, ranks, config.
    """
    if method not in METHODS or (rest is not None and rest not in SEEDINGS):
        raise Refused("config")
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.SEED)
        tx.check_phase("open")
        after = _ranks(tx, method, ranks or {}, most)
        _check_ranks(tx, after)
        for number, entrant in tx.entrants.items():
            entrant.seed_rank = after.get(number)
        Entrant.objects.bulk_update(tx.entrants.values(), ["seed_rank"])
        given = {str(number): rank for number, rank in after.items() if rank is not None}
        tx.record("seeded", user, ranks=given, method=method)
        seeding = rest or ("drawn" if method == "lot" else tx.state.rules.seeding)
        if seeding != tx.state.rules.seeding:
            tx.record("configured", user, terms=replace(tx.state.rules, seeding=seeding).as_json())
        tx.commit()


def _ranks(
    tx: TournamentTransaction, method: SeedingMethod, ranks: Mapping[int, int | None], most: int | None
) -> dict[int, int | None]:
    if method == "hand":
        return {number: entrant.seed_rank for number, entrant in tx.entrants.items()} | dict(ranks)
    if method == "lot":
        return {}
    rating = entrant_ratings(tx.entrants.values(), tx.state.rules)
    rated = [number for number in tx.state.entrants if number in rating and number not in tx.state.withdrawn]
    rated.sort(key=lambda number: (-rating[number], number))
    return {number: place for place, number in enumerate(rated[:most], 1)}


def _check_ranks(tx: TournamentTransaction, ranks: Mapping[int, int | None]) -> None:
    """Check that the entrants exist, and that no seed is given twice. Raises Refused("ranks")."""
    given = [rank for rank in ranks.values() if rank is not None]
    if set(ranks) - set(tx.entrants) or len(set(given)) < len(given) or any(rank < 1 for rank in given):
        raise Refused("ranks")


def entrant_ratings(entrants: Iterable[Entrant], terms: Terms) -> dict[int, int]:
    """The rating of each entrant who has one, by number: in the game of the tournament, at the pace of its clock.

    At a venue it is that of the club's site, which came with the copy (ruling E27).
    """
    rows = list(entrants)
    numbers = {entrant.user_id: entrant.number for entrant in rows if entrant.user_id is not None}
    found = Rating.objects.filter(user__in=numbers, pool__variant=terms.variant, pool__pace=pace_of(terms.clock))
    here = {numbers[user]: round(rating) for user, rating in found.values_list("user", "rating")}
    copies = VenueCopy.objects.filter(here=True, tournament__in={entrant.tournament_id for entrant in rows})
    at_home = {
        int(number): rating
        for ratings in copies.values_list("ratings", flat=True)
        for number, rating in ratings.items()
    }
    return here | at_home
