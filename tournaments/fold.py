"""A tournament is the fold of its events: `fold(events) -> State`. Pure: no Django, no clock, no chance.

What was decided by chance or by a person is in the event (the drawn order, the pairs of a Swiss round), so the same
events give the same tournament for ever. An event that means nothing any more (a result of a pairing that a correction
took away) changes nothing; the services refuse what should not be said before they write it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from typing import Any, Literal

from tournaments.formats.core import Entrant, Format, History, Key, Pairing, Result, Round, Standing, Why
from tournaments.formats.table import FORMATS
from tournaments.terms import Terms, is_main

Phase = Literal["open", "drawn", "running", "over", "cancelled"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: a kind of `KINDS` and its data (JSON)."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """A result that a player told and nobody confirmed yet; `against` is the rival's other story."""

    by: Entrant
    winner: Entrant
    points: tuple[float, float]
    against: tuple[Entrant, tuple[float, float]] | None = None

    @property
    def disputed(self) -> bool:
        return self.against is not None


@dataclass(frozen=True)
class State:
    """Where a tournament stands after its events."""

    terms: Terms | None = None
    phase: Phase = "open"
    entrants: tuple[Entrant, ...] = ()
    checked_in: frozenset[Entrant] = frozenset()
    withdrawn: frozenset[Entrant] = frozenset()
    order: tuple[Entrant, ...] = ()
    opened: frozenset[tuple[str, int]] = frozenset()
    rounds: tuple[Round, ...] = ()
    results: dict[Key, Result] = field(default_factory=dict)  # never changed outside `fold`
    reports: Mapping[Key, Report] = field(default_factory=dict)
    penalties: Mapping[Key, Mapping[Entrant, int]] = field(default_factory=dict)
    alerts: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    stood: timedelta = timedelta(0)  # how long the site was away since the start

    @property
    def rules(self) -> Terms:
        """The terms, which the first event brought."""
        if self.terms is None:
            raise ValueError("a tournament begins with its terms")
        return self.terms

    @property
    def format(self) -> Format:
        return FORMATS[self.rules.config.format]

    @cached_property
    def history(self) -> History:
        return History(self.order, self.results, self.rounds, self.withdrawn)

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """Every pairing that exists; none before the draw."""
        return self.format.pairings(self.rules.config, self.history) if self.order else ()

    @cached_property
    def by_key(self) -> Mapping[Key, Pairing]:
        return {pairing.key: pairing for pairing in self.pairings}

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        return self.format.standings(self.rules.config, self.history) if self.order else ()

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return bool(self.order) and self.format.over(self.rules.config, self.history)

    def next_round(self) -> Round | None:
        """The round that can be paired now, for formats that pair while they run."""
        return self.format.next_round(self.rules.config, self.history) if self.order else None

    def is_open(self, section: str, round_: int) -> bool:
        """Whether the pairings of a round may be played."""
        by_itself = self.rules.pace == "flow" or (self.rules.pace == "timed" and not is_main(section))
        return self.phase == "running" and (by_itself or (section, round_) in self.opened)

    def after(self, event: Event) -> State:
        """The state after one more event. Raises KeyError for a kind that does not exist."""
        return fold([event], self)


def fold(events: Iterable[Event], state: State | None = None) -> State:
    """The state after all `events`, from `state` or from nothing. Raises KeyError for a kind that does not exist.

    Its results are one copy, to which each event adds in place: a copy an event would make thousands of results slow.
    """
    state = state or State()
    state = replace(state, results=dict(state.results))
    for event in events:
        state = KINDS[event.kind](state, event.data)
    return state


# What each kind of event does


def _configured(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, terms=Terms.read(data["terms"]))


def _registered(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, entrants=(*state.entrants, data["entrant"]))


def _checked_in(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, checked_in=state.checked_in | {data["entrant"]})


def _checked_out(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, checked_in=state.checked_in - {data["entrant"]})


def _withdrawn(state: State, data: Mapping[str, Any]) -> State:
    return replace(_walkovers_stand(state), withdrawn=state.withdrawn | {data["entrant"]})


def _reinstated(state: State, data: Mapping[str, Any]) -> State:
    return replace(_walkovers_stand(state), withdrawn=state.withdrawn - {data["entrant"]})


def _walkovers_stand(state: State) -> State:
    """What was lost by leaving stays lost, whoever leaves or comes back afterwards."""
    if not state.withdrawn:
        return state
    for one in state.pairings:
        if one.result is not None and one.result.how == "withdrawn":
            state.results.setdefault(one.key, one.result)
    return state


def _drawn(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="drawn", order=tuple(data["order"]))


def _started(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="running")


def _opened(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, opened=state.opened | {(data["section"], data["round"])})


def _paired(state: State, data: Mapping[str, Any]) -> State:
    whys = tuple(Why(why["code"], why.get("params", {})) for why in data.get("whys", ()))
    pairs = tuple((a, b) for a, b in data["pairs"])
    return replace(state, rounds=(*state.rounds, Round(data["section"], data["round"], pairs, data.get("bye"), whys)))


def _reported(state: State, data: Mapping[str, Any]) -> State:
    report = Report(data["by"], data["winner"], _points(data["points"]))
    return replace(state, reports={**state.reports, data["key"]: report})


def _disputed(state: State, data: Mapping[str, Any]) -> State:
    report = state.reports.get(data["key"])
    if report is None:
        return state
    report = replace(report, against=(data["winner"], _points(data["points"])))
    return replace(state, reports={**state.reports, data["key"]: report})


def _result(state: State, data: Mapping[str, Any]) -> State:
    points = data.get("points")
    result = Result(data["winner"], _points(points) if points is not None else None, data.get("how", "played"))
    key = data["key"]
    state.results[key] = result
    return replace(
        state,
        reports={one: report for one, report in state.reports.items() if one != key},
        alerts={where: alert for where, alert in state.alerts.items() if where[1] != key},
    )


def _penalised(state: State, data: Mapping[str, Any]) -> State:
    of_pairing = {**state.penalties.get(data["key"], {}), data["entrant"]: data["points"]}
    return replace(state, penalties={**state.penalties, data["key"]: of_pairing})


def _alerted(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, alerts={**state.alerts, (data["what"], data.get("key", "")): data})


def _settled(state: State, data: Mapping[str, Any]) -> State:
    """The director has seen an alert."""
    gone = (data["what"], data.get("key", ""))
    return replace(state, alerts={where: alert for where, alert in state.alerts.items() if where != gone})


def _finished(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="over", alerts={})


def _cancelled(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="cancelled", alerts={}, reports={})


def _outage(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, stood=state.stood + timedelta(seconds=data["seconds"]))


def _noted(state: State, data: Mapping[str, Any]) -> State:
    """For the log alone."""
    return state


def _points(value: Iterable[float]) -> tuple[float, float]:
    first, second = value
    return first, second


KINDS = {
    "configured": _configured,
    "registered": _registered,
    "checked_in": _checked_in,
    "checked_out": _checked_out,
    "withdrawn": _withdrawn,
    "reinstated": _reinstated,
    "drawn": _drawn,
    "started": _started,
    "opened": _opened,
    "paired": _paired,
    "reported": _reported,
    "disputed": _disputed,
    "result": _result,
    "penalised": _penalised,
    "alerted": _alerted,
    "settled": _settled,
    "outage": _outage,
    "finished": _finished,
    "cancelled": _cancelled,
    "seeded": _noted,
    "linked": _noted,
    "director_added": _noted,
    "director_removed": _noted,
    "announced": _noted,
    "paused": _noted,
    "resumed": _noted,
}
