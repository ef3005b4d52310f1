"""What happens around play on an evening: waiting for a place, late entries, substitutes, wishes, breaks. Pure.

Its kinds of events are part of those of `tournaments.fold`, which says how an event may be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tournaments.formats.core import Entrant, Key, Missed, Two

if TYPE_CHECKING:
    from tournaments.fold import State


@dataclass(frozen=True, slots=True)
class Person:
    """Who holds the place of an entrant: an account by its name then, or a name without one."""

    user: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Recess:
    """A break: no pairing opens. From when and until when (ISO moments; None: until somebody ends it), and why.

    `keys` are the pairings whose matches were paused for it.
    """

    since: str
    until: str | None = None
    why: str = ""
    keys: tuple[Key, ...] = ()


def _waited(state: State, data: Mapping[str, Any]) -> State:
    """One more stands at the end of the waiting list; who had left his place comes back there. Who is drawn plays."""
    one = data["entrant"]
    if one in state.order:
        return state
    return replace(
        state,
        entrants=tuple(other for other in state.entrants if other != one),
        waiting=(*(other for other in state.waiting if other != one), one),
        withdrawn=state.withdrawn - {one},
    )


def _admitted(state: State, data: Mapping[str, Any]) -> State:
    """A place has become free."""
    one = data["entrant"]
    if one not in state.waiting:
        return state
    waiting = tuple(other for other in state.waiting if other != one)
    return undrawn_wait(replace(state, entrants=(*state.entrants, one), waiting=waiting))


def undrawn_wait(state: State) -> State:
    """Once it is drawn, whoever has a place and was not drawn waits to be let in late.

    He came while the draw was undone, or had left before it.
    """
    out = {one for one in state.entrants if one not in state.order and one not in state.withdrawn}
    if not state.order or not out:
        return state
    entrants = tuple(one for one in state.entrants if one not in out)
    return replace(state, entrants=entrants, waiting=(*state.waiting, *(one for one in state.entrants if one in out)))


def _paid(state: State, data: Mapping[str, Any]) -> State:
    one = {data["entrant"]}
    return replace(state, paid=state.paid | one if data["paid"] else state.paid - one)


def _late(state: State, data: Mapping[str, Any]) -> State:
    """Somebody comes after the draw: he is the last of its order. `missed` rounds have been played without him."""
    one = data["entrant"]
    if not state.order or one in state.order or one not in (*state.entrants, *state.waiting):
        return state
    missed = Missed(min(data.get("missed", 0), len(state.rounds)), data.get("half", False))  # some may be undone since
    return replace(
        state,
        entrants=(*(other for other in state.entrants if other != one), one),
        waiting=tuple(other for other in state.waiting if other != one),
        order=(*state.order, one),
        late={**state.late, one: missed},
    )


def why_not_late(before: State, after: State, entrant: Entrant) -> str:
    """Why an entrant cannot come late, by the state with him: no_bye, late_results, late_last, late_out; "" if he can.

    In a bracket he takes a bye; where everybody meets he comes before the first result; where rounds are paired as they
    come, before the last one, and while what he missed does not put him out.
    """
    kind, config = after.format.sections, after.rules.config
    if kind == "table":
        if config.rounds and len(after.rounds) >= config.rounds:
            return "late_last"
        stays = any(line.entrant == entrant and line.note != "out" for line in after.standings)
        return "" if stays else "late_out"
    if kind == "bracket":
        first = next((one for one in after.pairings if entrant in one.entrants), None)
        was = before.by_key.get(first.key) if first is not None else None
        return "" if was is not None and was.state == "bye" else "no_bye"
    return "late_results" if any(one.result is not None for one in before.pairings) else ""


def _substituted(state: State, data: Mapping[str, Any]) -> State:
    """Another takes the place of an entrant from now on; `first` is who had it in the beginning."""
    one = data["entrant"]
    people = state.people.get(one) or (Person(**data["first"]),)
    return replace(state, people={**state.people, one: (*people, Person(data["user"], data["name"]))})


def _linked(state: State, data: Mapping[str, Any]) -> State:
    """A walk-in is somebody's account: a substitute stays that account when he comes and goes by the log."""
    people = state.people.get(data["entrant"])
    if not people or "user" not in data:
        return state
    return replace(state, people={**state.people, data["entrant"]: (*people[:-1], Person(data["user"], data["name"]))})


def _wished(state: State, data: Mapping[str, Any]) -> State:
    """Who meets in the next round, and who never does."""
    return replace(state, together=_pairs(data["together"]), apart=_pairs(data["apart"]))


def _pairs(said: list[list[Entrant]]) -> tuple[Two, ...]:
    return tuple((a, b) for a, b in said)


def _timed(state: State, data: Mapping[str, Any]) -> State:
    """A round opens at a time; without one when it would have."""
    one = (data["section"], data["round"])
    times = {key: at for key, at in state.times.items() if key != one}
    return replace(state, times=times | ({one: data["at"]} if data.get("at") else {}))


def _recess(state: State, data: Mapping[str, Any]) -> State:
    recess = Recess(data["since"], data.get("until"), data.get("why", ""), tuple(data.get("keys", ())))
    return replace(state, recess=recess)


def _recess_over(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, recess=None)


KINDS: Mapping[str, Callable[[State, Mapping[str, Any]], State]] = {
    "waited": _waited,
    "admitted": _admitted,
    "paid": _paid,
    "late": _late,
    "substituted": _substituted,
    "linked": _linked,
    "wished": _wished,
    "timed": _timed,
    "recess": _recess,
    "recess_over": _recess_over,
}
ENTERING = frozenset({"admitted", "paid", "substituted"})
PLAYING = frozenset({"late", "wished", "timed"})
ALONG = frozenset({"waited"})
LASTING = {
    "recess": "clocks stood; they go on by their own button",
    "recess_over": "clocks went on",
}
