"""Who ended where, as rows: they follow from the fold, so a correction that changes places changes them, too."""

from __future__ import annotations

from games.registry import RULES
from tournaments.finals import Final, finals
from tournaments.fold import State
from tournaments.masterpoints import Award, awards
from tournaments.models import Placing
from tournaments.prizes import Purse
from tournaments.services.desk import Desk

FAMILY = "points"  # the games that master points are made for


def awards_of(state: State) -> tuple[Award, ...]:
    """The master points of a tournament: none outside backgammon and its kin, nor before it is over."""
    rules = RULES.get(state.rules.variant)
    if rules is None or rules.family != FAMILY:
        return ()
    purse = Purse.read(state.purse)
    return awards(state, weight=purse.weight, prizes=len(purse.shares), measure=rules.rating_weight)


def placings_follow(desk: Desk) -> None:
    """Write the placings of a tournament that is over; one that goes on again has none."""
    master = {one.entrant: one for one in awards_of(desk.state)}
    fresh = {one.entrant: _placing(desk, one, master.get(one.entrant)) for one in finals(desk.state)}
    stored = {row.number: row for row in desk.tournament.placings.all()}
    Placing.objects.filter(pk__in=[row.pk for number, row in stored.items() if number not in fresh]).delete()
    for number, row in fresh.items():
        row.pk = stored[number].pk if number in stored else None
    Placing.objects.bulk_create([row for row in fresh.values() if row.pk is None])
    facts = [field.name for field in Placing._meta.concrete_fields if not field.primary_key]
    Placing.objects.bulk_update([row for row in fresh.values() if row.pk is not None], facts, batch_size=200)


def _placing(desk: Desk, one: Final, award: Award | None) -> Placing:
    entrant = desk.entrant(one.entrant)
    award = award or Award(one.entrant, 0, 0)
    return Placing(
        tournament=desk.tournament,
        number=one.entrant,
        user=entrant.user,
        name=entrant.name,
        place=one.place,
        sharing=one.sharing,
        division=one.division,
        wins=one.wins,
        master_wins=award.wins,
        master_placement=award.placement,
    )
