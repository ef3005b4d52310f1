"""Double elimination: entrants who lose twice are out.

The first loss leads from the main bracket to the losers' bracket. In its odd rounds the entrants left there meet; in
the even ones the losers of the next main round come in, one against each of them. The winners of both brackets play
the final, and a second one if the main champion lost the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from .bracket import (
    Feed,
    Graph,
    Node,
    Row,
    all_settled,
    check_size,
    finishing_order,
    graph_of,
    interleave,
    losers,
    resolve,
    row,
    rows_to_final,
    winners,
)
from .core import Config, Entrant, History, LoserOf, Pairing, Round, Standing, WinnerOf, cached_on_history
from .resolve import pairing_key
from .seeding import seating

FINAL = pairing_key("final", 1, 1)


ROUTES: Mapping[int, tuple[int, ...]] = {
    4: (0,),
    8: (1, 0),
    16: (2, 0, 0),
    32: (2, 2, 0, 0),
    64: (8, 6, 1, 1, 0),
    128: (6, 8, 6, 1, 1, 0),
    256: (22, 12, 8, 6, 0, 1, 0),
    512: (16, 22, 12, 8, 6, 0, 1, 0),
}
"""Where the losers of main rounds 2, 3 ... come into the losers' bracket, by the size of the bracket: see `dropped`.

Of all routes of this kind these have the fewest expected rematches there if all entrants are equally strong: 0.63 with
8 seats, 0.70 to 0.75 with more. `make bench-rematches` computes them, and searches.
"""


def dropped(feeds: Sequence[Feed], route: int) -> list[Feed]:
    """The losers of a main round in the order in which they come into the losers' bracket.

    Each bit of `route` swaps the neighbouring blocks of that many feeds: with 4 feeds 0 is their order, 2 swaps the
    halves, 1 swaps the feeds of each half, and 3 reverses them. So an entrant comes in where those who lost in their
    own part of the main bracket are in another part of the losers'.
    """
    return [feeds[place ^ route] for place in range(len(feeds))]


def losers_bracket(main: Sequence[Row]) -> list[Row]:
    """The rounds of the losers' bracket; none for two entrants, of whom the loser goes to the final directly."""
    if len(main) == 1:
        return []
    rows = [row("losers", 1, losers(main[0]))]
    for later, route in zip(main[1:], ROUTES[2 * len(main[0])], strict=True):
        if len(rows) > 1:
            rows.append(row("losers", len(rows) + 1, winners(rows[-1])))
        dropping = dropped(losers(later), route)
        rows.append(row("losers", len(rows) + 1, interleave(winners(rows[-1]), dropping)))
    return rows


@lru_cache(maxsize=64)
def graph(config: Config, entrants: int, late: int = 0) -> Graph:
    """Sections `main`, `losers` and `final`, with a second final that is played only if it is needed."""
    main = rows_to_final(row("main", 1, seating(entrants, config.byes, late)))
    second = losers_bracket(main)
    finalists = [*winners(main[-1]), *(winners(second[-1]) if second else losers(main[-1]))]
    rematch = Node("final", 2, 1, LoserOf(FINAL), WinnerOf(FINAL), only_if=FINAL)
    return graph_of([*main, *second, row("final", 1, finalists), (rematch,)])


class Double:
    """The double elimination format."""

    key = "double"
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
        """Champion 1, the loser of the final 2, then by the round of the losers' bracket: 3, 4, 5 (two), 7 (two), 9."""
        pairings = self.pairings(config, history)
        return finishing_order(pairings, _places(pairings, len(history.order)))

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))


def _places(pairings: Sequence[Pairing], entrants: int) -> dict[Entrant, int]:
    """The places that are known; after a double walkover in the main bracket, that of the next losers' round."""
    sizes = Counter(pairing.round for pairing in pairings if pairing.section == "losers")

    def place(losers_round: int) -> int:
        return min(entrants, 3 + sum(size for round_, size in sizes.items() if round_ > losers_round))

    places: dict[Entrant, int] = {}
    for pairing in pairings:
        out = [entrant for entrant in pairing.entrants if pairing.state == "done" and entrant != pairing.winner]
        if pairing.section == "losers":
            places |= dict.fromkeys(out, place(pairing.round))
        elif pairing.section == "main" and len(out) == 2:
            places |= dict.fromkeys(out, place(max(1, 2 * pairing.round - 2)))
    first, rematch = pairings[-2:]
    if all_settled((first, rematch)):
        champion = first.winner if rematch.state == "void" else rematch.winner
        places |= {entrant: 1 if entrant == champion else 2 for entrant in first.entrants}
    return places
