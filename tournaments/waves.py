"""Which rounds open together when rounds open at a time. Pure.

Rounds of the main section follow one another; the same round of all groups or divisions is one wave. Consolation, last
chance, losers' bracket and final need no time of their own: they open as soon as both players are known.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.fold import State
from tournaments.terms import is_main


@dataclass(frozen=True, slots=True)
class Wave:
    """The `number`-th wave from 0 (None: there is no more), as rounds that can open, or as one still to be paired."""

    number: int | None
    rounds: tuple[tuple[str, int], ...] = ()
    unpaired: tuple[tuple[str, int], ...] = ()


def waves(state: State) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Every wave of the pairings that exist, in order."""
    found: dict[tuple[int, int], dict[tuple[str, int], None]] = {}
    for pairing in state.pairings:
        if is_main(pairing.section):
            first = 0 if pairing.section.startswith(("group-", "division-")) else 1
            found.setdefault((first, pairing.round), {})[pairing.section, pairing.round] = None
    return tuple(tuple(found[key]) for key in sorted(found))


def next_wave(state: State) -> Wave:
    """The first wave that has not opened."""
    every = waves(state)
    for number, rounds in enumerate(every):
        shut = tuple(one for one in rounds if one not in state.opened)
        if shut:
            return Wave(number, shut)
    if state.format.sections == "table" and not state.complete:  # paired while it runs
        section = every[-1][0][0] if every else state.format.key
        return Wave(len(every), unpaired=((section, len(every) + 1),))
    return Wave(None)
