"""Groups, then a knock-out of the best of each group, in a bracket that keeps them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .bracket import (
    Feed,
    Graph,
    all_settled,
    bracket_places,
    check_size,
    finishing_order,
    graph_of,
    resolve,
    row,
    rows_to_final,
)
from .core import Bye, Config, Entrant, History, Invalid, Pairing, Placed, Round, Slot, Standing, cached_on_history
from .round_robin import MOST, check_table, table_pairings, table_standings
from .seeding import bracket_size, seats

MAIN = "main"
SMALLEST = 3  # two entrants are no group


class Groups:
    """Sections `group-1`, `group-2` ... and `main`."""

    key = "groups"
    sections = "both"
    takes_bye_requests = False
    at_once = False
    pairs_free_players = False
    needs_accounts = False

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many, groups (of 3 to 128), advance (not all of a group), legs, rounds,
        tie_breaks.
        """
        check_size(entrants)
        if entrants < SMALLEST:
            raise Invalid("too_few", least=SMALLEST)
        least, most = -(-entrants // MOST), entrants // SMALLEST
        if not least <= config.groups <= most:
            raise Invalid("groups", groups=config.groups, least=least, most=most)
        least, most = (2 if config.groups == 1 else 1), entrants // config.groups - 1
        if not least <= config.advance <= most:
            raise Invalid("advance", advance=config.advance, least=least, most=most)
        check_table(config, -(-entrants // config.groups))

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        tables = self._tables(config, history)
        played = (pairing for group in tables for pairing in group.pairings)
        return (*played, *_main(config, history, tables))

    def next_round(self, config: Config, history: History) -> Round | None:
        return None

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """The order of finish of the knock-out so far, then the tables of the groups."""
        tables = self._tables(config, history)
        main = _main(config, history, tables)
        return (*finishing_order(main, bracket_places(main)), *(line for group in tables for line in group.lines))

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))

    @cached_on_history
    def _tables(self, config: Config, history: History) -> list[_Table]:
        tables = []
        for number, group in enumerate(_groups(config, history), start=1):
            section = f"group-{number}"
            pairings = table_pairings(section, group, config, history)
            lines = table_standings(pairings, group, config, history)
            if settled := all_settled(pairings):
                # Entrants that no tie-break separates are listed, and so advance, in the order of the draw.
                notes = ["advances"] * config.advance + ["out"] * (len(lines) - config.advance)
                lines = tuple(replace(line, note=note) for line, note in zip(lines, notes, strict=True))
            tables.append(_Table(section, pairings, lines, settled))
        return tables


@dataclass(frozen=True, slots=True)
class _Table:
    """A group: its pairings and its lines; once it is played, their notes say who advances and who is out."""

    section: str
    pairings: tuple[Pairing, ...]
    lines: tuple[Standing, ...]
    settled: bool


def _main(config: Config, history: History, tables: Sequence[_Table]) -> tuple[Pairing, ...]:
    """The knock-out, as far as its entrants are known."""
    placed: dict[Placed, Slot] = {}
    for group in tables:
        if group.settled:
            for place, line in enumerate(group.lines[: config.advance], start=1):
                source = Placed(group.section, place)
                placed[source] = Slot(source, line.entrant)
    return resolve(bracket(config.groups, config.advance), history, placed)


def _groups(config: Config, history: History) -> list[list[Entrant]]:
    """The order dealt out from left to right, then from right to left, and so on (snake seeding)."""
    groups: list[list[Entrant]] = [[] for _ in range(config.groups)]
    for place, entrant in enumerate(history.order):
        turn, number = divmod(place, config.groups)
        groups[-1 - number if turn % 2 else number].append(entrant)
    return groups


@lru_cache(maxsize=64)
def bracket(groups: int, advance: int) -> Graph:
    """The knock-out of the best of each group; the group winners are the first seeds."""
    order = seats(bracket_size(groups * advance))
    sources = _seeded(groups, advance)
    feeds: list[Feed] = [sources.get(seed, Bye()) for seed in order]
    return graph_of(rows_to_final(row(MAIN, 1, feeds)))


def _seeded(groups: int, advance: int) -> dict[int, Feed]:
    """The entrants of the knock-out by seed: the group winners first, then the seconds, and so on.

    The places of each of these tiers are assigned so that as few entrants as possible meet opponents of their group
    early, the earliest round counting most: an assignment of least cost.
    """
    import networkx  # imported here, as it takes a quarter of a second

    order = seats(bracket_size(groups * advance))
    seat = {seed: place for place, seed in enumerate(order)}
    rounds = len(order).bit_length()
    seeds_of: dict[int, list[int]] = {group: [group] for group in range(1, groups + 1)}
    for tier in range(1, advance):
        graph = networkx.Graph()
        for group in seeds_of:
            for seed in range(tier * groups + 1, (tier + 1) * groups + 1):
                # Two seats meet in the round in which their numbers, halved in each round, become the same.
                meetings = ((seat[seed] ^ seat[other]).bit_length() for other in seeds_of[group])
                early = sum((groups * advance) ** (rounds - meeting) for meeting in meetings)
                displacement = (seed - tier * groups - group) ** 2
                graph.add_edge(group, -seed, weight=-(early * groups**3 + displacement))
        for pair in networkx.max_weight_matching(graph, maxcardinality=True):
            seeds_of[max(pair)].append(-min(pair))
    return {
        seed: Placed(f"group-{group}", place)
        for group, seeds in seeds_of.items()
        for place, seed in enumerate(seeds, start=1)
    }
