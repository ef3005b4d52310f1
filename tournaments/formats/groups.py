"""Groups, then a knock-out: the best of each group go on, to a bracket that keeps them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .bracket import Feed, Graph, all_settled, check_size, finish, graph_of, onward, places_of, resolve, row
from .core import Bye, Config, Entrant, History, Invalid, Pairing, Placed, Round, Slot, Standing, once
from .round_robin import MOST, check_table, table_pairings, table_standings
from .seeding import seats, size_for

MAIN = "main"
SMALLEST = 3  # two who meet once and go on are no group


class Groups:
    """Sections `group-1`, `group-2` ... and `main`."""

    key = "groups"
    sections = "both"

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

    @once
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        tables = self._tables(config, history)
        played = (pairing for one in tables for pairing in one.pairings)
        return (*played, *_main(config, history, tables))

    def next_round(self, config: Config, history: History) -> Round | None:
        return None

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        """The order of finish of the knock-out so far, then the tables of the groups."""
        tables = self._tables(config, history)
        main = _main(config, history, tables)
        return (*finish(main, places_of(main)), *(line for one in tables for line in one.lines))

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))

    @once
    def _tables(self, config: Config, history: History) -> list[_Table]:
        tables = []
        for number, group in enumerate(_groups(config, history), start=1):
            section = f"group-{number}"
            pairings = table_pairings(section, group, config, history)
            lines = table_standings(pairings, group, config, history)
            if settled := all_settled(pairings):
                # Whom no tie-break parts the draw does: the table lists them in its order.
                notes = ["advances"] * config.advance + ["out"] * (len(lines) - config.advance)
                lines = tuple(replace(line, note=note) for line, note in zip(lines, notes, strict=True))
            tables.append(_Table(section, pairings, lines, settled))
        return tables


@dataclass(frozen=True, slots=True)
class _Table:
    """A group: its pairings and its lines; once it is played, these say who advances and who is out."""

    section: str
    pairings: tuple[Pairing, ...]
    lines: tuple[Standing, ...]
    settled: bool


def _main(config: Config, history: History, tables: Sequence[_Table]) -> tuple[Pairing, ...]:
    """The knock-out, as far as it is known who comes from the groups."""
    placed: dict[Placed, Slot] = {}
    for one in tables:
        if one.settled:
            for place, line in enumerate(one.lines[: config.advance], start=1):
                source = Placed(one.section, place)
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
    """The knock-out of the best of each group, from the winners as its first seeds."""
    order = seats(size_for(groups * advance))
    sources = _seeded(groups, advance)
    feeds: list[Feed] = [sources.get(seed, Bye()) for seed in order]
    return graph_of(onward(row(MAIN, 1, feeds)))


def _seeded(groups: int, advance: int) -> dict[int, Feed]:
    """Who has which seed: the winners the first ones, then the seconds, and so on.

    Each of these tiers is dealt to its seeds so that as few as possible meet early whom they met in their group, the
    earliest round counting first: an assignment of least cost.
    """
    import networkx  # here: every process of the site would wait a quarter of a second for it

    order = seats(size_for(groups * advance))
    seat = {seed: place for place, seed in enumerate(order)}
    rounds = len(order).bit_length()
    taken: dict[int, list[int]] = {group: [group] for group in range(1, groups + 1)}
    for tier in range(1, advance):
        graph = networkx.Graph()
        for group in taken:
            for seed in range(tier * groups + 1, (tier + 1) * groups + 1):
                # Two seats meet in the round in which their numbers, halved each time, are the same.
                meetings = ((seat[seed] ^ seat[other]).bit_length() for other in taken[group])
                early = sum((groups * advance) ** (rounds - meeting) for meeting in meetings)
                astray = (seed - tier * groups - group) ** 2
                graph.add_edge(group, -seed, weight=-(early * groups**3 + astray))
        for pair in networkx.max_weight_matching(graph, maxcardinality=True):
            taken[max(pair)].append(-min(pair))
    return {
        seed: Placed(f"group-{group}", place)
        for group, seeds in taken.items()
        for place, seed in enumerate(seeds, start=1)
    }
