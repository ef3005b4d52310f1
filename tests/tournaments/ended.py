"""Tournaments of numbers, played to the end or as far as one wishes, without a database: the one drawn higher wins."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tournaments.fold import Event, State, fold
from tournaments.formats.core import Config, Entrant, Key
from tournaments.terms import Terms


def ended(
    format_: str,
    players: int,
    *,
    played: int | None = None,
    walkovers: Collection[Key] = (),
    left: Collection[Entrant] = (),
    lengths: tuple[int, ...] = (7,),
    side_lengths: tuple[int, ...] = (),
    **shape: Any,
) -> State:
    """The state after `played` results (None: all, and then it is over). Who `left` does so once all is played."""
    terms = Terms(Config(format_, **shape), lengths=lengths, side_lengths=side_lengths)
    numbers = list(range(1, players + 1))
    state = fold(
        [
            Event("configured", {"terms": terms.as_json()}),
            *(Event("registered", {"entrant": number}) for number in numbers),
            Event("drawn", {"order": numbers}),
            Event("started"),
        ]
    )
    count = 0
    while played is None or count < played:
        if (found := state.next_round()) is not None:
            pairs = [list(pair) for pair in found.pairs]
            paired = {"section": found.section, "round": found.round, "pairs": pairs, "bye": found.bye}
            state = state.after(Event("paired", paired))
            continue
        one = next((pairing for pairing in state.pairings if pairing.state == "ready"), None)
        if one is None:
            break
        winner = min(one.entrants)
        told: dict[str, Any] = {"key": one.key, "of": list(one.entrants), "winner": winner}
        length = terms.length(one.section, one.round)
        told |= {"how": "walkover"} if one.key in walkovers else {"points": _points(one.entrants, winner, length)}
        state = state.after(Event("result", told))
        count += 1
    for entrant in left:
        state = state.after(Event("withdrawn", {"entrant": entrant}))
    return state.after(Event("finished")) if played is None else state


def _points(two: tuple[Entrant, ...], winner: Entrant, length: int) -> list[int]:
    return [length, 0] if two[0] == winner else [0, length]
