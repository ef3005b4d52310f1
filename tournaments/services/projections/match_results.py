"""The results of matches of this site, as they count in their tournament: ratings follow them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.models import TournamentEvent
from tournaments.services.projections.state_change import StateChange
from tournaments.state import State


@dataclass(frozen=True, slots=True)
class ResultCorrection:
    """The result that a match of this site has in its tournament now: the number of the entrant who won it (None: a
    double walkover), and whether it counts in the ratings.
    """

    winner: int | None
    counts: bool


def result_corrections(change: StateChange, events: Iterable[TournamentEvent]) -> dict[str, ResultCorrection | None]:
    """The matches of this site, by id, whose result counts no more, counts again, or has another winner.

    None: the match was played, but not for this tournament any more.
    `events` are those of the transaction: the results that the matches themselves brought need no correction.
    """
    before, after = _counted_results(change.before), _counted_results(change.after)
    reported = {
        event.data.get("match") for event in events if event.kind == "result" and not event.data.get("corrects")
    }
    changed = {match for match in before.keys() | after.keys() if before.get(match) != after.get(match)} - reported
    return {match: after.get(match) for match in changed}


def side_of(change: StateChange, number: int, seats: Mapping[int | None, str]) -> str | None:
    """The side of an entrant in a match, or of the person who held their place then; `seats` are sides by account."""
    people = (*change.before.people.get(number, ()), *change.after.people.get(number, ()))
    users = [change.entrants[number].user_id, *(person.user for person in people)]
    return next((seats[user] for user in users if user is not None and user in seats), None)


def _counted_results(state: State) -> Mapping[str, ResultCorrection]:
    """The winner of each match of this site whose result counts, and whether it was won by playing."""
    if not any(result.match for result in state.results.values()):
        return {}
    results = [pairing.result for pairing in state.pairings if pairing.result is not None and pairing.result.match]
    return {result.match: ResultCorrection(result.winner, result.how == "played") for result in results}
