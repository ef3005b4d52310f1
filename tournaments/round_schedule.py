"""Which rounds open together, and when, where rounds open at a time. Pure.

Rounds of the main section follow one another; the same round of all groups or divisions opens together. Consolation,
last chance, losers' bracket and final need no time of their own: they open as soon as both players are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from tournaments.state import State
from tournaments.terms import is_main

SectionRound: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class ScheduledRounds:
    """Rounds that open together, the `number`-th from 0 (None: no more rounds are to open).

    `rounds` are those that can open, `unpaired` the round that has to be paired first.
    """

    number: int | None
    rounds: tuple[SectionRound, ...] = ()
    unpaired: tuple[SectionRound, ...] = ()

    @property
    def all(self) -> tuple[SectionRound, ...]:
        return self.rounds or self.unpaired


def all_scheduled_rounds(state: State) -> tuple[tuple[SectionRound, ...], ...]:
    """The rounds of the pairings that exist, those that open together in one tuple, in order."""
    found: dict[tuple[int, int], dict[SectionRound, None]] = {}
    for pairing in state.fixtures:
        if is_main(pairing.section):
            stage = 0 if pairing.section.startswith(("group-", "division-")) else 1
            found.setdefault((stage, pairing.round), {})[pairing.section, pairing.round] = None
    return tuple(tuple(found[key]) for key in sorted(found))


def next_scheduled_rounds(state: State) -> ScheduledRounds:
    """The first rounds that have not opened."""
    scheduled = all_scheduled_rounds(state)
    for number, rounds in enumerate(scheduled):
        closed = tuple(round_ for round_ in rounds if round_ not in state.opened)
        if closed:
            return ScheduledRounds(number, closed)
    if state.format.sections == "table" and not state.complete:  # paired while it runs
        section = scheduled[-1][0][0] if scheduled else state.format.key
        return ScheduledRounds(len(scheduled), unpaired=((section, len(scheduled) + 1),))
    return ScheduledRounds(None)


def opening_time(state: State, scheduled: ScheduledRounds, begun_at: datetime) -> datetime | None:
    """When rounds open by themselves: at the time set by the director, else by the pace `timed`; None: never.

    `begun_at` is when the tournament started. The time of an outage does not count.
    """
    times = [
        state.round_times[round_] for round_ in (*scheduled.rounds, *scheduled.unpaired) if round_ in state.round_times
    ]
    if times:
        return datetime.fromisoformat(times[0])
    if state.rules.pace != "timed" or scheduled.number is None:
        return None
    return begun_at + state.downtime + scheduled.number * timedelta(minutes=state.rules.round_minutes)
