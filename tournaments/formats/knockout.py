"""Single elimination: entrants who lose are out, or go on in the consolation if there is one."""

from __future__ import annotations

from functools import lru_cache

from . import consolation
from .bracket import (
    THIRD_PLACE,
    Graph,
    all_settled,
    bracket_places,
    check_size,
    finishing_order,
    graph_of,
    losers,
    resolve,
    row,
    rows_to_final,
)
from .core import Bye, Config, History, Pairing, Round, Standing, cached_on_history
from .seeding import seating


@lru_cache(maxsize=64)
def graph(config: Config, entrants: int, late: int = 0) -> Graph:
    """Sections `main`, and if they are chosen and two entrants can come there `third`, `consolation` and `last`."""
    main = rows_to_final(row("main", 1, seating(entrants, config.byes, late)))
    rows = list(main)
    if config.consolation != "none":
        second = consolation.simple(main) if config.consolation == "simple" else consolation.progressive(main)
        rows += second
        if config.last_chance:
            rows += consolation.last_chance(second)
    elif config.third_place and len(main) > 1 and (feeds := losers(main[-2])).count(Bye()) == 0:
        rows.append(row(THIRD_PLACE, 1, feeds))
    return graph_of(rows)


class Knockout:
    """The single elimination format, with the chosen consolation."""

    key = "knockout"
    sections = "bracket"
    takes_bye_requests = False
    at_once = False
    pairs_free_players = False
    needs_accounts = False

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many."""
        check_size(entrants)

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return resolve(graph(config, len(history.order), len(history.late)), history)

    def next_round(self, config: Config, history: History) -> Round | None:
        return None

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """By the round of the main bracket of the loss: champion 1, final 2, semi-finals 3, quarter-finals 5.

        A consolation separates nobody who shares a place; it only lists the best first. A third-place match separates
        the losers of the semi-finals.
        """
        pairings = self.pairings(config, history)
        main = [pairing for pairing in pairings if pairing.section == "main"]
        third = next((pairing for pairing in pairings if pairing.section == THIRD_PLACE), None)
        return finishing_order(pairings, bracket_places(main, third))

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))
