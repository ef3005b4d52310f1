"""The final ranking of a tournament: one order of all entrants, whatever the format. Pure.

Brackets and tables have it already. After groups with a knock-out, entrants who did not advance are ranked behind all
who did, by their place in the group. In a league the second division is ranked behind the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.formats.core import Entrant, Standing
from tournaments.state import State


@dataclass(frozen=True, slots=True)
class FinalRank:
    """The final place of an entrant: `place` among all, `rank` among the `players` of the division, `sharing` have it.

    `wins` are the matches won, with walkovers, without byes.
    """

    entrant: Entrant
    place: int
    sharing: int
    rank: int
    division: int
    players: int
    wins: int


def final_ranks(state: State) -> tuple[FinalRank, ...]:
    """The ranks from the champion down, once the tournament is over; none before, or if it was cancelled."""
    if state.phase != "over" or not state.standings:
        return ()
    wins = _wins(state)
    found: list[FinalRank] = []
    for division, ranks in enumerate(_divisions(state), 1):
        before = len(found)
        places = [place for _entrant, place in ranks]
        for entrant, rank in ranks:
            sharing = places.count(rank)
            found.append(FinalRank(entrant, before + rank, sharing, rank, division, len(ranks), wins.get(entrant, 0)))
    return tuple(found)


def _divisions(state: State) -> Iterable[list[tuple[Entrant, int]]]:
    """The entrants with their ranks, one list for each division."""
    if state.format.sections == "both":
        return [_after_groups(state.standings)]
    if state.format.sections == "cross":
        divisions: dict[str, list[tuple[Entrant, int]]] = {}
        for line in state.standings:
            divisions.setdefault(line.section, []).append((line.entrant, line.place))
        return divisions.values()
    return [[(line.entrant, line.place) for line in state.standings]]


def _after_groups(standings: Sequence[Standing]) -> list[tuple[Entrant, int]]:
    """The entrants of the knock-out first, then those who did not advance, by their place in the group."""
    knockout = [(line.entrant, line.place) for line in standings if not line.section.startswith("group-")]
    advanced = {entrant for entrant, _place in knockout}
    groups = [line for line in standings if line.section.startswith("group-") and line.entrant not in advanced]
    groups.sort(key=lambda line: line.place)
    behind = [(line.entrant, len(knockout) + 1 + sum(other.place < line.place for other in groups)) for line in groups]
    return knockout + behind


def _wins(state: State) -> dict[Entrant, int]:
    found: dict[Entrant, int] = {}
    for pairing in state.fixtures:
        if pairing.state == "done" and pairing.winner is not None:
            found[pairing.winner] = found.get(pairing.winner, 0) + 1
    return found
