"""The placings of finished tournaments: rows that follow from the state, so that corrections change them, too."""

from __future__ import annotations

from games.registry import RULES
from tournaments.final_ranking import FinalRank, final_ranks
from tournaments.masterpoints import Award, awards
from tournaments.models import Placing
from tournaments.prizes import Purse
from tournaments.services.transaction import TournamentTransaction
from tournaments.state import State

FAMILY = "points"  # the games with master points


def awards_of(state: State) -> tuple[Award, ...]:
    """The master points of a tournament: none outside backgammon and its variants, nor before it is over."""
    rules = RULES.get(state.rules.variant)
    if rules is None or rules.family != FAMILY:
        return ()
    purse = Purse.read(state.purse)
    return awards(state, weight=purse.weight, prizes=len(purse.shares), measure=rules.rating_weight)


def placings_update(tx: TournamentTransaction) -> None:
    """Write the placings of a tournament that is over; delete those of one that goes on again."""
    awarded = {award.entrant: award for award in awards_of(tx.state)}
    ranks = () if tx.state.teams.boards else final_ranks(tx.state)  # seasons and master points are of players
    fresh = {rank.entrant: _placing(tx, rank, awarded.get(rank.entrant)) for rank in ranks}
    stored = {row.number: row for row in tx.tournament.placings.all()}
    Placing.objects.filter(pk__in=[row.pk for number, row in stored.items() if number not in fresh]).delete()
    for number, row in fresh.items():
        row.pk = stored[number].pk if number in stored else None
    Placing.objects.bulk_create([row for row in fresh.values() if row.pk is None])
    columns = [field.name for field in Placing._meta.concrete_fields if not field.primary_key]
    Placing.objects.bulk_update([row for row in fresh.values() if row.pk is not None], columns, batch_size=200)


def _placing(tx: TournamentTransaction, rank: FinalRank, award: Award | None) -> Placing:
    entrant = tx.entrant(rank.entrant)
    award = award or Award(rank.entrant, 0, 0)
    return Placing(
        tournament=tx.tournament,
        number=rank.entrant,
        user=entrant.user,
        name=entrant.name,
        place=rank.place,
        sharing=rank.sharing,
        division=rank.division,
        wins=rank.wins,
        master_wins=award.wins,
        master_placement=award.placement,
    )
