"""States of tournaments without a database, played to the end or in part: the entrant drawn higher wins."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tournaments.fold import fold, state_after
from tournaments.formats.core import Config, Entrant, Key
from tournaments.state import Event, State
from tournaments.terms import Terms


def played_state(
    format_: str,
    players: int,
    *,
    played: int | None = None,
    walkovers: Collection[Key] = (),
    unscored: Collection[Key] = (),
    left: Collection[Entrant] = (),
    lengths: tuple[int, ...] = (7,),
    side_lengths: tuple[int, ...] = (),
    **shape: Any,
) -> State:
    """The state after `played` results (None: all, and the tournament is over); `left` withdraw after the last one."""
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
            state = state_after(state, Event("paired", paired))
            continue
        pairing = next((pairing for pairing in state.pairings if pairing.state == "ready"), None)
        if pairing is None:
            break
        winner = min(pairing.entrants)
        result: dict[str, Any] = {"key": pairing.key, "of": list(pairing.entrants), "winner": winner}
        length = terms.length(pairing.section, pairing.round)
        if pairing.key in walkovers:
            result["how"] = "walkover"
        elif pairing.key not in unscored:
            result["points"] = _points(pairing.entrants, winner, length)
        state = state_after(state, Event("result", result))
        count += 1
    for entrant in left:
        state = state_after(state, Event("withdrawn", {"entrant": entrant}))
    return state_after(state, Event("finished")) if played is None else state


def _points(entrants: tuple[Entrant, ...], winner: Entrant, length: int) -> list[int]:
    return [length, 0] if entrants[0] == winner else [0, length]
