"""Round robin: all entrants meet all others, or as many of them as there are rounds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from .bracket import FEWEST, all_settled
from .core import (
    Bye,
    Config,
    Entrant,
    History,
    Invalid,
    Pairing,
    PairingReason,
    Round,
    Seed,
    Slot,
    Standing,
    cached_on_history,
)
from .resolve import resolve_pairing
from .standings import check_tie_breaks, separating_tie_breaks, struck_entrants, table

MOST = 128  # in one table
MOST_LEGS = 4
MOST_ROUNDS = 160  # of one table, all legs together: 40 may meet four times, 128 once

Rounds: TypeAlias = tuple[tuple[tuple[int, int | None], ...], ...]


class RoundRobin:
    """The round robin format, one table for all. With an odd number of entrants, one has a bye in each round."""

    key = "round-robin"
    sections = "cross"
    takes_bye_requests = False
    at_once = False
    pairs_free_players = False
    needs_accounts = False
    section = "league"

    def check(self, config: Config, entrants: int) -> None:
        """Raises Invalid: too_few, too_many, legs, rounds (0: all of them), tie_breaks."""
        check_table(config, entrants)

    @cached_on_history
    def pairings(self, config: Config, history: History) -> tuple[Pairing, ...]:
        return table_pairings(self.section, history.order, config, history)

    def next_round(self, config: Config, history: History) -> Round | None:
        return None

    def standings(self, config: Config, history: History) -> tuple[Standing, ...]:
        return table_standings(self.pairings(config, history), history.order, config, history)

    def over(self, config: Config, history: History) -> bool:
        return all_settled(self.pairings(config, history))


@lru_cache(maxsize=MOST)
def berger_rounds(entrants: int) -> Rounds:
    """The Berger tables (FIDE Handbook, C.05, annex 1): rounds of pairs of numbers from 1; None is a bye.

    The last number stays in place and the others rotate by half of the table in each round. With an odd number of
    entrants the last number is the bye, in the last pair of the round.
    """
    last = entrants + entrants % 2
    turning = last - 1
    rounds = []
    for number in range(turning):
        first = number * (last // 2) % turning
        pairs: list[tuple[int, int | None]] = [
            ((first + step) % turning + 1, (first - step) % turning + 1) for step in range(1, last // 2)
        ]
        if entrants % 2:
            pairs.append((first + 1, None))
        else:
            pairs.insert(0, (last, first + 1) if number % 2 else (first + 1, last))
        rounds.append(tuple(pairs))
    return tuple(rounds)


def check_table(config: Config, entrants: int) -> None:
    """Raises Invalid: too_few, too_many, legs, rounds, tie_breaks, tie_breaks_all_meet."""
    if entrants < FEWEST:
        raise Invalid("too_few", least=FEWEST)
    if entrants > MOST:
        raise Invalid("too_many", most=MOST)
    rounds_per_leg = len(berger_rounds(entrants))
    most = min(MOST_LEGS, MOST_ROUNDS // rounds_per_leg)
    if not 1 <= config.legs <= most:
        raise Invalid("legs", legs=config.legs, least=1, most=most)
    most = rounds_per_leg * config.legs
    if not 0 <= config.rounds <= most:
        raise Invalid("rounds", rounds=config.rounds, least=0, most=most)
    check_tie_breaks(config, all_meet=_all_meet(config, entrants))


def table_pairings(section: str, entrants: Sequence[Entrant], config: Config, history: History) -> tuple[Pairing, ...]:
    """All pairings of a table of these entrants; sides are swapped in every second leg."""
    seed = {entrant: place for place, entrant in enumerate(history.order, start=1)}

    slots: dict[int | None, Slot] = {
        number: Slot(Seed(seed[entrant]), entrant) for number, entrant in enumerate(entrants, start=1)
    }
    slots[None] = Slot(Bye(), is_empty=True)
    pairings = []
    for round_, pairs in enumerate(_rounds(config, len(entrants)), start=1):
        why = PairingReason("table", {"round": round_})
        swapped = (round_ - 1) // len(berger_rounds(len(entrants))) % 2 == 1
        for number, (first, second) in enumerate(pairs, start=1):
            a, b = (second, first) if swapped and second is not None else (first, second)
            pairings.append(
                resolve_pairing(
                    section=section,
                    round_=round_,
                    number=number,
                    a=slots[a],
                    b=slots[b],
                    why=why,
                    results=history.results,
                    withdrawn=history.withdrawn,
                )
            )
    return tuple(pairings)


def table_standings(
    pairings: tuple[Pairing, ...], entrants: Sequence[Entrant], config: Config, history: History
) -> tuple[Standing, ...]:
    """The table so far, from the pairings of the same entrants.

    In a whole table everybody has equally many byes, and a bye scores nothing; in a truncated one it scores a win, as
    byes would be a disadvantage otherwise. A whole table leaves out the tie-breaks that could separate nobody in it.
    Entrants who withdrew before playing half of their matches are struck.
    """
    counted = pairings
    all_meet = _all_meet(config, len(entrants))
    if all_meet:
        counted = tuple(pairing for pairing in pairings if pairing.state != "bye")
    return table(
        counted,
        entrants,
        separating_tie_breaks(config.tie_breaks, all_meet=all_meet),
        section=pairings[0].section,
        withdrawn=history.withdrawn,
        struck=struck_entrants(pairings, history.withdrawn),
        unplayed_boards=config.unplayed_boards,
    )


def _all_meet(config: Config, entrants: int) -> bool:
    """Whether a table is whole: everybody meets everybody equally often."""
    return len(_rounds(config, entrants)) % len(berger_rounds(entrants)) == 0


def _rounds(config: Config, entrants: int) -> Rounds:
    rounds = berger_rounds(entrants) * config.legs
    return rounds[: config.rounds or None]
