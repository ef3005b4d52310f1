"""How a tournament ended: one order of everybody, whatever the format. Pure.

A bracket and a table have it already. Of groups with a knock-out, those who did not go on stand behind all who did, by
their place in the group. Of a league the second division stands behind the first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.fold import State
from tournaments.formats.core import Entrant, Standing


@dataclass(frozen=True, slots=True)
class Final:
    """Where an entrant ended. `place` is among all, `rank` in the division, of `players`; `sharing` have the same.

    `wins` are the matches won, walkovers too, byes not.
    """

    entrant: Entrant
    place: int
    sharing: int
    rank: int
    division: int
    players: int
    wins: int


def finals(state: State) -> tuple[Final, ...]:
    """Everybody from the champion down, once the tournament is over; nobody before, nor where it was cancelled."""
    if state.phase != "over" or not state.standings:
        return ()
    wins = _wins(state)
    found: list[Final] = []
    for division, ranks in enumerate(_divisions(state), 1):
        before = len(found)
        places = [place for _entrant, place in ranks]
        for entrant, rank in ranks:
            sharing = places.count(rank)
            found.append(Final(entrant, before + rank, sharing, rank, division, len(ranks), wins.get(entrant, 0)))
    return tuple(found)


def _divisions(state: State) -> Iterable[list[tuple[Entrant, int]]]:
    """The entrants with their ranks, one list for each that has an order of its own."""
    if state.format.sections == "both":
        return [_after_groups(state.standings)]
    if state.format.sections == "cross":
        of: dict[str, list[tuple[Entrant, int]]] = {}
        for one in state.standings:
            of.setdefault(one.section, []).append((one.entrant, one.place))
        return of.values()
    return [[(one.entrant, one.place) for one in state.standings]]


def _after_groups(standings: Sequence[Standing]) -> list[tuple[Entrant, int]]:
    """The knock-out first, then those whose last line is that of their group, the best of all groups side by side."""
    there = [(one.entrant, one.place) for one in standings if not one.section.startswith("group-")]
    on = {entrant for entrant, _place in there}
    rest = [one for one in standings if one.section.startswith("group-") and one.entrant not in on]
    rest.sort(key=lambda one: one.place)
    behind = [(one.entrant, len(there) + 1 + sum(other.place < one.place for other in rest)) for one in rest]
    return there + behind


def _wins(state: State) -> dict[Entrant, int]:
    found: dict[Entrant, int] = {}
    for pairing in state.pairings:
        if pairing.state == "done" and pairing.winner is not None:
            found[pairing.winner] = found.get(pairing.winner, 0) + 1
    return found
