"""The prizes of a weekend: those of all its tournaments, and of what it has records about."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments import undo
from tournaments.models import Entrant, Tournament, TournamentEvent, Weekend
from tournaments.selectors.pairing_cards import TournamentSnapshot
from tournaments.selectors.prizes import PrizeSheet, prize_sheet_of
from tournaments.selectors.weekends.people import tournaments_of
from tournaments.state import Event


@dataclass(frozen=True, slots=True)
class TournamentPrizes:
    """The prizes of a tournament of the weekend."""

    tournament: Tournament
    sheet: PrizeSheet


def weekend_prizes(weekend: Weekend, *, everything: bool) -> list[TournamentPrizes]:
    """The prizes of each tournament that shows them to everybody (`everything`: of all that have any).

    Three queries, whatever the number of tournaments.
    """
    tournaments = tournaments_of(weekend)
    ids = [tournament.pk for tournament in tournaments]
    events: dict[str, list[Event]] = {pk: [] for pk in ids}
    rows = TournamentEvent.objects.filter(tournament__in=ids).order_by("tournament", "n")
    for pk, *event in rows.values_list("tournament_id", "kind", "data", "act"):
        events[pk].append(Event(*event))
    entrants: dict[str, dict[int, Entrant]] = {pk: {} for pk in ids}
    for entrant in Entrant.objects.filter(tournament__in=ids).select_related("user"):
        entrants[entrant.tournament_id][entrant.number] = entrant
    sheets = [
        TournamentPrizes(
            each, prize_sheet_of(TournamentSnapshot(each, undo.replay(events[each.pk]), entrants[each.pk], {}))
        )
        for each in tournaments
    ]
    return [found for found in sheets if not found.sheet.purse.is_empty and (everything or found.sheet.purse.shown)]
