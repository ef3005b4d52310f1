"""Undo and redo: which events are effective, and what a tournament loses when an act is undone or corrected. Pure.

The events of one transaction are one act. `undone` and `redone` are events that name an act, and the last of them about
an act decides. What follows by itself from an undo or a redo is part of that act, and is effective as long as it is the
last one about its act. The state is the fold of the events of effective acts, each at its own place: an act that is
redone comes back to where it was, not to the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tournaments.fold import LASTING, UNDOABLE, fold
from tournaments.formats.core import Key, Pairing
from tournaments.state import Event, State

REWRITES = ("undone", "redone")


def undone_acts(events: Iterable[Event]) -> frozenset[int]:
    """The acts that are not effective now: those that are undone, with what followed from redoing them, and what
    followed from undoing those that are redone.
    """
    rewrites = [event for event in events if event.kind in REWRITES]
    last_kind = {event.data["act"]: event.kind for event in rewrites}
    overtaken = {event.act for event in rewrites if last_kind[event.data["act"]] != event.kind}
    return frozenset(overtaken | {act for act, kind in last_kind.items() if kind == "undone"})


def effective_events(events: Sequence[Event]) -> list[Event]:
    """The events whose fold is the state: without those of undone acts, and without the rewrites themselves."""
    undone = undone_acts(events)
    return [event for event in events if event.kind not in REWRITES and event.act not in undone]


def replay(events: Sequence[Event]) -> State:
    """The state after all these events, undoing and redoing included."""
    return fold(effective_events(events))


def is_undoable(kinds: Iterable[str]) -> bool:
    """Whether an act with events of these kinds can be undone."""
    found = set(kinds)
    return not found.isdisjoint(UNDOABLE) and found.isdisjoint(LASTING) and found.isdisjoint(REWRITES)


def head_events(events: Iterable[Event]) -> dict[int, Event]:
    """By act that can be undone, its main event: the first that is not a mere consequence."""
    by_act: dict[int, list[Event]] = {}
    for event in events:
        by_act.setdefault(event.act, []).append(event)
    return {
        act: next(event for event in parts if event.kind in UNDOABLE)
        for act, parts in by_act.items()
        if is_undoable(event.kind for event in parts)
    }


@dataclass(frozen=True, slots=True)
class AffectedPairing:
    """A pairing with a result, a report or a live match that would be reset; as it stands now."""

    pairing: Pairing
    playing: bool = False  # its live match would be stopped


def affected_pairings(
    before: State, after: State, playing: Collection[Key] = (), rewritten: Collection[Key] = ()
) -> tuple[AffectedPairing, ...]:
    """The pairings that would be reset, of those with a result, a report or a live match (`playing`: their keys).

    A pairing is reset if its entrants would not meet there any more, if its result would be lost without being one of
    those that are rewritten (`rewritten`: their keys), or if its live match would have to stop. A match lost by
    withdrawing was not played, and is no result here.
    """
    return tuple(
        AffectedPairing(pairing, playing=pairing.key in playing)
        for pairing in before.pairings
        if len(pairing.entrants) == 2
        and (_is_played(pairing) or pairing.key in playing or before.report(pairing) is not None)
        and (
            _is_lost(pairing, after, playing, rewritten)
            or (pairing.key in playing and _entrants_change(pairing, before, after))
        )
    )


def _is_played(pairing: Pairing) -> bool:
    return pairing.result is not None and pairing.result.how != "withdrawn"


def _is_lost(pairing: Pairing, after: State, playing: Collection[Key], rewritten: Collection[Key]) -> bool:
    then = after.pairing(pairing.key)
    if then is None or set(then.entrants) != set(pairing.entrants):
        return True
    if pairing.key in playing:
        return not (then.state == "ready" and after.is_open(then.section, then.round))
    return _is_played(pairing) and not _is_played(then) and pairing.key not in rewritten


def _entrants_change(pairing: Pairing, before: State, after: State) -> bool:
    """Whether other people would play there, because a substitution is undone or redone."""
    return any(before.people.get(entrant) != after.people.get(entrant) for entrant in pairing.entrants)


def result_keys(events: Iterable[Event], act: int) -> frozenset[Key]:
    """The keys of the pairings whose results an act recorded."""
    return frozenset(event.data["key"] for event in events if event.act == act and event.kind == "result")
