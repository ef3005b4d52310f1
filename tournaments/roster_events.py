"""The events around the players of a tournament: waiting list, late entries, substitutes, preferences, breaks. Pure.

Its kinds of events are part of those of `tournaments.fold`, which says how an event may be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tournaments import arena_events
from tournaments.formats.core import Entrant, EntrantPair, MissedRounds, Pairing
from tournaments.state import Break, Person, State, held_key


def _waited(state: State, data: Mapping[str, Any]) -> State:
    """Put an entrant at the end of the waiting list, also one who had withdrawn. An entrant who is drawn plays."""
    number = data["entrant"]
    if number in state.order:
        return state
    return replace(
        state,
        entrants=tuple(other for other in state.entrants if other != number),
        waiting=(*(other for other in state.waiting if other != number), number),
        withdrawn=state.withdrawn - {number},
    )


def _admitted(state: State, data: Mapping[str, Any]) -> State:
    """Give a free place to an entrant of the waiting list."""
    number = data["entrant"]
    if number not in state.waiting:
        return state
    waiting = tuple(other for other in state.waiting if other != number)
    return move_undrawn_to_waiting_list(replace(state, entrants=(*state.entrants, number), waiting=waiting))


def move_undrawn_to_waiting_list(state: State) -> State:
    """After the draw, move entrants who have a place but were not drawn to the waiting list, to be let in late.

    They entered while the draw was undone, or had withdrawn before it.
    """
    undrawn = [number for number in state.entrants if number not in state.order and number not in state.withdrawn]
    if not state.order or not undrawn:
        return state
    entrants = tuple(number for number in state.entrants if number not in undrawn)
    return replace(state, entrants=entrants, waiting=(*state.waiting, *undrawn))


def _paid(state: State, data: Mapping[str, Any]) -> State:
    entrant = {data["entrant"]}
    return replace(state, paid=state.paid | entrant if data["paid"] else state.paid - entrant)


def _late(state: State, data: Mapping[str, Any]) -> State:
    """Add an entrant at the end of the drawn order; `missed` rounds have been played without them."""
    number = data["entrant"]
    if not state.order or number in state.order or number not in (*state.entrants, *state.waiting):
        return state
    missed = min(data.get("missed", 0), len(state.rounds))  # some rounds may have been undone since
    state = arena_events.free_from(state, [number], data)
    return replace(
        state,
        entrants=(*(other for other in state.entrants if other != number), number),
        waiting=tuple(other for other in state.waiting if other != number),
        order=(*state.order, number),
        late={**state.late, number: MissedRounds(missed, data.get("half", False))},
    )


def late_entry_refusal(before: State, after: State, entrant: Entrant) -> str:
    """The code that refuses a late entry: no_bye, late_results, late_last, late_out, arena_closed; "" where it
    is possible.

    `after` is the state with the late entrant. In a bracket they take a bye; in a round robin they enter before the
    first result; in formats that pair while they run, before the last round, and while the rounds they missed do not
    put them out; in an arena until nobody is paired any more.
    """
    sections, config = after.format.sections, after.rules.config
    if after.pairs_free_players:
        return "arena_closed" if after.closed else ""
    if sections == "table":
        if config.rounds and len(after.rounds) >= config.rounds:
            return "late_last"
        stays = any(line.entrant == entrant and line.note != "out" for line in after.standings)
        return "" if stays else "late_out"
    if sections == "bracket":
        first = next((pairing for pairing in after.fixtures if entrant in pairing.entrants), None)
        was = before.fixture_by_key.get(first.key) if first is not None else None
        return "" if was is not None and was.state == "bye" else "no_bye"
    return "late_results" if any(pairing.result is not None for pairing in before.fixtures) else ""


def _substituted(state: State, data: Mapping[str, Any]) -> State:
    """Give the place of an entrant to another person from now on; `first` is the person who entered.

    What is decided by now stays with the predecessor.
    """
    number = data["entrant"]
    people = state.people.get(number) or (Person(**data["first"]),)
    decided = {held_key(pairing.key, pairing.entrants, number) for pairing in _decided_pairings(state, number)}
    return replace(
        state,
        people={**state.people, number: (*people, Person(data["user"], data["name"]))},
        held={**dict.fromkeys(decided, len(people) - 1), **state.held},
    )


def _decided_pairings(state: State, number: Entrant) -> Iterator[Pairing]:
    """The pairings of an entrant that are over: played, lost by withdrawing, or a bye of a round with a result.

    In a table in which everybody meets, byes and the walkovers of opponents who withdrew are known long before.
    """
    if not state.begun:
        return
    latest: dict[str, int] = {}
    for pairing in state.pairings:
        if _was_decided(pairing):
            latest[pairing.section] = max(latest.get(pairing.section, 0), pairing.round)
    for pairing in (*state.pairings, *(state.fixtures if state.series else ())):
        over = pairing.state in ("done", "bye", "absent") and pairing.round <= latest.get(pairing.section, 0)
        lost = pairing.state == "done" and pairing.winner != number and number in state.withdrawn
        if number in pairing.entrants and (over or lost):
            yield pairing


def _was_decided(pairing: Pairing) -> bool:
    """Whether a pairing has a result that does not only follow from a withdrawal."""
    return pairing.result is not None and pairing.result.how != "withdrawn"


def _linked(state: State, data: Mapping[str, Any]) -> State:
    """Link a walk-in to an account: a substitute keeps that account when the substitution is undone and redone."""
    people = state.people.get(data["entrant"])
    if not people or "user" not in data:
        return state
    return replace(state, people={**state.people, data["entrant"]: (*people[:-1], Person(data["user"], data["name"]))})


def _wished(state: State, data: Mapping[str, Any]) -> State:
    """Set the pairing preferences: who meets in the next round, and who never does."""
    return replace(state, together=_pairs(data["together"]), apart=_pairs(data["apart"]))


def _pairs(value: list[list[Entrant]]) -> tuple[EntrantPair, ...]:
    return tuple((a, b) for a, b in value)


def _bye_requested(state: State, data: Mapping[str, Any]) -> State:
    """Record that an entrant asks not to play a round, or takes the request back."""
    number, round_ = data["entrant"], {data["round"]}
    rounds = state.byes.get(number, frozenset())
    rounds = rounds | round_ if data["asked"] else rounds - round_
    others = {other: asked for other, asked in state.byes.items() if other != number}
    return replace(state, byes=others | ({number: rounds} if rounds else {}))


def _timed(state: State, data: Mapping[str, Any]) -> State:
    """Set the time at which a round opens; without one it opens when it would have."""
    round_ = (data["section"], data["round"])
    times = {other: at for other, at in state.round_times.items() if other != round_}
    return replace(state, round_times=times | ({round_: data["at"]} if data.get("at") else {}))


def _break_started(state: State, data: Mapping[str, Any]) -> State:
    started = Break(data["since"], data.get("until"), data.get("why", ""), tuple(data.get("keys", ())))
    return replace(state, current_break=started)


def _break_ended(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, current_break=None)


def _rostered(state: State, data: Mapping[str, Any]) -> State:
    """Set the players of a team, in the order of the boards."""
    return replace(state, rosters={**state.rosters, data["entrant"]: tuple(data["players"])})


def _lined_up(state: State, data: Mapping[str, Any]) -> State:
    """Set who plays for a team in a round, unless everybody has seen it already."""
    section, round_, players = data["section"], data["round"], tuple(data["players"])
    if state.is_published(section, round_) or not set(players) <= set(state.rosters.get(data["entrant"], ())):
        return state
    return replace(state, lineups={**state.lineups, (section, round_, data["entrant"]): players})


KINDS: Mapping[str, Callable[[State, Mapping[str, Any]], State]] = {
    "waited": _waited,
    "admitted": _admitted,
    "paid": _paid,
    "late": _late,
    "substituted": _substituted,
    "linked": _linked,
    "wished": _wished,
    "bye_requested": _bye_requested,
    "timed": _timed,
    "rostered": _rostered,
    "lined_up": _lined_up,
    "recess": _break_started,
    "recess_over": _break_ended,
}
ENTERING = frozenset({"admitted", "paid", "substituted"})
PLAYING = frozenset({"late", "wished", "bye_requested", "timed"})
ALONG = frozenset({"waited", "rostered"})
LASTING = {
    "lined_up": "a line-up is changed on its own page, until its round opens",
    "recess": "the clocks were stopped; a button of its own resumes them",
    "recess_over": "the clocks were resumed",
}
