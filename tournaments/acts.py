"""Taking back: which acts stand, and what a tournament loses when one is undone, redone or corrected. Pure.

What was done at once is one act: the events of one transaction. `undone` and `redone` name an act; they are events as
all others, and what is said last of an act holds. What followed by itself from an undo or a redo stands in its act, and
stands as long as that is what is said of the act. The tournament is the fold of the events whose act stands, each at
its own place: an act that is redone comes back to where it was, not to the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tournaments.fold import LASTING, UNDOABLE, Event, State, fold
from tournaments.formats.core import Key, Pairing

REWRITES = ("undone", "redone")


def undone(events: Iterable[Event]) -> frozenset[int]:
    """The acts that do not stand now: those that are undone, with what followed from redoing them; and what followed
    from undoing those that are redone.
    """
    said = [event for event in events if event.kind in REWRITES]
    word = {event.data["act"]: event.kind for event in said}
    overtaken = {event.act for event in said if word[event.data["act"]] != event.kind}
    return frozenset(overtaken | {act for act, kind in word.items() if kind == "undone"})


def standing(events: Sequence[Event]) -> list[Event]:
    """The events that make the tournament: without those of undone acts, and without the undoing itself."""
    gone = undone(events)
    return [event for event in events if event.kind not in REWRITES and event.act not in gone]


def replay(events: Sequence[Event]) -> State:
    """The state after all these events, with what was undone and redone."""
    return fold(standing(events))


def undoable(kinds: Iterable[str]) -> bool:
    """Whether an act of events of these kinds can be taken back."""
    there = set(kinds)
    return not there.isdisjoint(UNDOABLE) and there.isdisjoint(LASTING) and there.isdisjoint(REWRITES)


def heads(events: Iterable[Event]) -> dict[int, Event]:
    """Of each act that can be taken back, the event that it is known by: the first that is not a mere consequence."""
    there: dict[int, list[Event]] = {}
    for event in events:
        there.setdefault(event.act, []).append(event)
    return {
        act: next(event for event in parts if event.kind in UNDOABLE)
        for act, parts in there.items()
        if undoable(event.kind for event in parts)
    }


@dataclass(frozen=True, slots=True)
class Affected:
    """A pairing that something happened in, and that would not be any more: as it stands now."""

    pairing: Pairing
    playing: bool = False  # a match is in play here: it would be stopped


def affected(
    before: State, after: State, playing: Collection[Key] = (), told: Collection[Key] = ()
) -> tuple[Affected, ...]:
    """The pairings that would be reset: with a result, a story told or a match in play (`playing`: their keys).

    Those whose two would not meet there any more, whose result would be gone though it is not one of those that are
    taken back (`told`: their keys), or whose match in play would have to stop. What was lost by leaving was not played.
    """
    return tuple(
        Affected(one, playing=one.key in playing)
        for one in before.pairings
        if len(one.entrants) == 2
        and (_played(one) or one.key in playing or before.report(one) is not None)
        and (_lost(one, after, playing, told) or (one.key in playing and _others(one, before, after)))
    )


def _played(one: Pairing) -> bool:
    return one.result is not None and one.result.how != "withdrawn"


def _lost(one: Pairing, after: State, playing: Collection[Key], told: Collection[Key]) -> bool:
    then = after.by_key.get(one.key)
    if then is None or set(then.entrants) != set(one.entrants):
        return True
    if one.key in playing:
        return not (then.state == "ready" and after.is_open(then.section, then.round))
    return _played(one) and not _played(then) and one.key not in told


def _others(one: Pairing, before: State, after: State) -> bool:
    """Whether other people would sit there: a substitute comes or goes."""
    return any(before.people.get(entrant) != after.people.get(entrant) for entrant in one.entrants)


def keys_of(events: Iterable[Event], act: int) -> frozenset[Key]:
    """The pairings whose results an act told."""
    return frozenset(event.data["key"] for event in events if event.act == act and event.kind == "result")
