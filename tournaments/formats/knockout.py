"""Single elimination: who loses is out, or goes on in the consolation if there is one."""

from __future__ import annotations

from functools import lru_cache

from . import consolation
from .bracket import Graph, all_settled, check_size, finish, graph_of, onward, places_of, resolve, row
from .core import Config, History, Pairing, Round, Standing, once
from .seeding import seating


@lru_cache(maxsize=64)
def graph(config: Config, entrants: int, late: int = 0) -> Graph:
    """Sections `main`, `consolation` and `last`, the last two if they are wished and two can come there."""
    main = onward(row("main", 1, seating(entrants, config.byes, late)))
    rows = list(main)
    if config.consolation != "none":
        second = consolation.simple(main) if config.consolation == "simple" else consolation.progressive(main)
        rows += second
        if config.last_chance:
            rows += consolation.last_chance(second)
    return graph_of(rows)


class Knockout:
    """The format, with whatever consolation the director chose."""

    key = "knockout"
    sections = "bracket"

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many."""
        check_size(entrants)

    @once
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return resolve(graph(config, len(history.order), len(history.late)), history)

    def next_round(self, config: Config, history: History) -> Round | None:
        return None

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """By the round of the main bracket in which one lost: champion 1, final 2, semi-finals 3, quarter-finals 5.

        A consolation parts nobody who shares a place; it only lists its best first.
        """
        pairings = self.pairings(config, history)
        main = [pairing for pairing in pairings if pairing.section == "main"]
        return finish(pairings, places_of(main))

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))
