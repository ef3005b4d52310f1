"""Double elimination: who loses twice is out.

The first loss leads from the main bracket to the losers' bracket. Its odd rounds are between those left there; in the
even ones the losers of the next main round come in, one against each of them. The winners of both brackets play the
final, and once more if that was the main champion's first loss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from .bracket import (
    Feed,
    Graph,
    Node,
    Row,
    all_settled,
    beside,
    check_size,
    finish,
    graph_of,
    losers,
    onward,
    resolve,
    row,
    winners,
)
from .core import Config, Entrant, History, LoserOf, Pairing, Round, Standing, WinnerOf, key_of, once
from .seeding import seating

FINAL = key_of("final", 1, 1)


def dropped(feeds: Sequence[Feed], main_round: int) -> list[Feed]:
    """The losers of a main round (2 or later) in the order in which they come into the losers' bracket.

    By turns upside down, halves swapped, each half upside down, straight: whoever comes in finds those who lost in his
    own part of the main bracket in another part of the losers'. So two who met cannot meet again there before its
    round 3 (of 8 players), 4 (16), 5 (32), 7 (64) or 8 (128).
    """
    half = len(feeds) // 2
    upper, lower = list(feeds[:half]), list(feeds[half:])
    orders = (
        lower[::-1] + upper[::-1],
        lower + upper,
        upper[::-1] + lower[::-1],
        upper + lower,
    )
    return orders[(main_round - 2) % 4]


def losers_bracket(main: Sequence[Row]) -> list[Row]:
    """Its rounds; none for two entrants, of whom the loser goes to the final at once."""
    if len(main) == 1:
        return []
    rows = [row("losers", 1, losers(main[0]))]
    for later in main[1:]:
        main_round = later[0].round
        if main_round > 2:
            rows.append(row("losers", len(rows) + 1, winners(rows[-1])))
        dropping = dropped(losers(later), main_round)
        rows.append(row("losers", len(rows) + 1, beside(winners(rows[-1]), dropping)))
    return rows


@lru_cache(maxsize=64)
def graph(config: Config, entrants: int, late: int = 0) -> Graph:
    """Sections `main`, `losers` and `final`, which has a second round only for the case that it is needed."""
    main = onward(row("main", 1, seating(entrants, config.byes, late)))
    second = losers_bracket(main)
    rivals = [*winners(main[-1]), *(winners(second[-1]) if second else losers(main[-1]))]
    again = Node("final", 2, 1, LoserOf(FINAL), WinnerOf(FINAL), only_if=FINAL)
    return graph_of([*main, *second, row("final", 1, rivals), (again,)])


class Double:
    """The format of whoever may lose once."""

    key = "double"
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
        """Champion 1, the other of the final 2, then by the round of the losers' bracket: 3, 4, 5 (two), 7 (two), 9."""
        pairings = self.pairings(config, history)
        return finish(pairings, _places(pairings, len(history.order)))

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))


def _places(pairings: Sequence[Pairing], entrants: int) -> dict[Entrant, int]:
    """The places that are known; after a double walkover in the main bracket, that where the loser would have gone."""
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
    first, again = pairings[-2:]
    if all_settled((first, again)):
        champion = first.winner if again.state == "void" else again.winner
        places |= {entrant: 1 if entrant == champion else 2 for entrant in first.entrants}
    return places
