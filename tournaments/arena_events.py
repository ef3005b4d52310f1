"""The events of an arena: pairs made while it runs, pauses, the end of the pairing. Pure.

Its kinds of events are part of those of `tournaments.fold`. Time counts in an arena, so that its events carry their
moment (`at`, ISO) in their data. What was paired is never undone: the director enters or corrects the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from tournaments.formats.core import Entrant, PairingReason, Round
from tournaments.state import State


def free_from(state: State, entrants: Iterable[Entrant], data: Mapping[str, Any]) -> State:
    """The state in which entrants wait for an opponent since the moment of an event; the same one outside arenas."""
    if not state.pairs_free_players or "at" not in data:
        return state
    since = datetime.fromisoformat(data["at"])
    return replace(state, free_since={**state.free_since, **dict.fromkeys(entrants, since)})


def begin(state: State, data: Mapping[str, Any]) -> State:
    """The state of an arena whose clock starts at the moment of an event; the same one for other formats."""
    if not state.pairs_free_players or "at" not in data:
        return state
    return free_from(replace(state, started_at=datetime.fromisoformat(data["at"])), state.order, data)


def _matched(state: State, data: Mapping[str, Any]) -> State:
    """Add the next wave of pairs, of entrants who are drawn; any other wave is ignored."""
    pairs = tuple((a, b) for a, b in data["pairs"])
    players = {entrant for pair in pairs for entrant in pair}
    if not state.begun or not state.pairs_free_players or data["round"] != len(state.rounds) + 1:
        return state
    if not players.issubset(state.order):
        return state
    whys = tuple(PairingReason(why["code"], why.get("params", {})) for why in data["whys"])
    return replace(state, rounds=(*state.rounds, Round(data["section"], data["round"], pairs, None, whys)))


def _rested(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, paused=state.paused | {data["entrant"]})


def _returned(state: State, data: Mapping[str, Any]) -> State:
    return free_from(replace(state, paused=state.paused - {data["entrant"]}), [data["entrant"]], data)


def _closed(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, closed=True) if state.begun else state


KINDS: Mapping[str, Callable[[State, Mapping[str, Any]], State]] = {
    "matched": _matched,
    "rested": _rested,
    "returned": _returned,
    "closed": _closed,
}
PLAYING = frozenset({"rested", "returned", "closed"})
LASTING = {"matched": "who was taken to a match plays it; its result can be entered and corrected"}
