"""A tournament is the fold of its events: `fold(events) -> State`. Pure: no Django, no clock, no chance.

What was decided by chance or by a person is in the event (the drawn order, the pairs of a Swiss round), so the same
events give the same tournament for ever. An event that means nothing where it stands (a result of two who do not meet
there any more, a round that is not the next one) changes nothing: so any act can be taken out of the middle, and put
back there (`tournaments.acts`). The services refuse what should not be said before they write it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from typing import Any, Literal

from tournaments import evening
from tournaments.formats.core import (
    Entrant,
    Format,
    History,
    Key,
    Missed,
    Pairing,
    Result,
    Round,
    Standing,
    Told,
    Two,
    Why,
    tell,
)
from tournaments.formats.table import FORMATS
from tournaments.terms import Terms, is_main

Phase = Literal["open", "drawn", "running", "over", "cancelled"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: a kind of `KINDS` and its data (JSON). What was done at once is one `act`."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    act: int = 0  # the number of its first event; 0 is never undone


@dataclass(frozen=True, slots=True)
class Report:
    """A result that a player told and nobody confirmed yet; `against` is the rival's other story.

    `of` are the two of whom it is told, a first (older events do not say).
    """

    by: Entrant
    winner: Entrant
    points: tuple[float, float]
    against: tuple[Entrant, tuple[float, float]] | None = None
    of: tuple[Entrant, ...] = ()

    @property
    def disputed(self) -> bool:
        return self.against is not None


@dataclass(frozen=True)
class State:
    """Where a tournament stands after its events."""

    terms: Terms | None = None
    phase: Phase = "open"
    entrants: tuple[Entrant, ...] = ()
    waiting: tuple[Entrant, ...] = ()  # for a place, the first one first
    people: Mapping[Entrant, tuple[evening.Person, ...]] = field(default_factory=dict)  # where there were substitutes
    paid: frozenset[Entrant] = frozenset()
    checked_in: frozenset[Entrant] = frozenset()
    withdrawn: frozenset[Entrant] = frozenset()
    order: tuple[Entrant, ...] = ()
    late: Mapping[Entrant, Missed] = field(default_factory=dict)
    together: tuple[Two, ...] = ()  # in the next round
    apart: tuple[Two, ...] = ()
    times: Mapping[tuple[str, int], str] = field(default_factory=dict)  # when a round opens (ISO), where that was said
    recess: evening.Recess | None = None
    opened: frozenset[tuple[str, int]] = frozenset()
    rounds: tuple[Round, ...] = ()
    results: dict[Told, Result] = field(default_factory=dict)  # never changed outside `fold`
    reports: Mapping[Key, Report] = field(default_factory=dict)
    penalties: Mapping[Told, Mapping[Entrant, int]] = field(default_factory=dict)  # of two at a pairing, in order
    alerts: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    purse: Mapping[str, Any] = field(default_factory=dict)  # tournaments.prizes.Purse, as the last `prized` says
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
        return History(
            self.order, self.results, self.rounds, self.withdrawn, self.late, together=self.together, apart=self.apart
        )

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

    def report(self, pairing: Pairing) -> Report | None:
        """What was told of these two; a story about others who met there before is none."""
        told = self.reports.get(pairing.key)
        return told if told is not None and (told.of or pairing.entrants) == pairing.entrants else None

    def penalties_of(self, pairing: Pairing) -> Mapping[Entrant, int]:
        """The penalty points that these two were given for their match; those of others who met there are none."""
        if len(pairing.entrants) < 2:
            return {}
        a, b = sorted(pairing.entrants)
        return {**self.penalties.get(pairing.key, {}), **self.penalties.get((pairing.key, a, b), {})}

    @property
    def standing_alerts(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        """The alerts that still speak of two who meet there, or of no pairing."""

        def stands(key: str, alert: Mapping[str, Any]) -> bool:
            pairing = self.by_key.get(key)
            return "of" not in alert or (pairing is not None and list(pairing.entrants) == alert["of"])

        return {where: alert for where, alert in self.alerts.items() if stands(where[1], alert)}

    def next_round(self) -> Round | None:
        """The round that can be paired now, for formats that pair while they run.

        Raises formats.Invalid where the director's wishes leave somebody without a rival.
        """
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
    What was over goes on when a later event left something to play.
    """
    state = state or State()
    state = replace(state, results=dict(state.results))
    for event in events:
        state = KINDS[event.kind](state, event.data)
    return replace(state, phase="running") if state.phase == "over" and not state.complete else state


# What each kind of event does


def _configured(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, terms=Terms.read(data["terms"]))


def _begun(state: State) -> bool:
    """Whether play has begun at this point of the events, whatever came after."""
    return bool(state.order) and state.phase in ("running", "over", "cancelled")


def _registered(state: State, data: Mapping[str, Any]) -> State:
    one = data["entrant"]
    if one in state.entrants:
        return state
    waiting = tuple(other for other in state.waiting if other != one)
    return evening.undrawn_wait(replace(state, entrants=(*state.entrants, one), waiting=waiting))


def _checked_in(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, checked_in=state.checked_in | {data["entrant"]})


def _checked_out(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, checked_in=state.checked_in - {data["entrant"]})


def _withdrawn(state: State, data: Mapping[str, Any]) -> State:
    one = data["entrant"]
    waiting = tuple(other for other in state.waiting if other != one)
    return replace(_walkovers_stand(state), withdrawn=state.withdrawn | {one}, waiting=waiting)


def _reinstated(state: State, data: Mapping[str, Any]) -> State:
    return evening.undrawn_wait(replace(_walkovers_stand(state), withdrawn=state.withdrawn - {data["entrant"]}))


def _walkovers_stand(state: State) -> State:
    """What was lost by leaving stays lost, whoever leaves or comes back afterwards."""
    if not state.withdrawn:
        return state
    for one in state.pairings:
        if one.result is not None and one.result.how == "withdrawn":
            a, b = one.entrants
            tell(state.results, one.key, a, b, one.result)
    return state


def _drawn(state: State, data: Mapping[str, Any]) -> State:
    """Who is drawn plays, also if his entry, or his coming in from the waiting list, is undone afterwards."""
    if state.phase != "open":
        return state
    order = tuple(data["order"])
    entrants = (*state.entrants, *(one for one in order if one not in state.entrants))
    waiting = tuple(one for one in state.waiting if one not in order)
    return evening.undrawn_wait(replace(state, phase="drawn", order=order, entrants=entrants, waiting=waiting))


def _started(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="running") if state.phase == "drawn" else state


def _opened(state: State, data: Mapping[str, Any]) -> State:
    if not _begun(state):
        return state
    return replace(state, opened=state.opened | {(data["section"], data["round"])})


def _paired(state: State, data: Mapping[str, Any]) -> State:
    """The next round of its section, of entrants who are drawn; any other is none."""
    whys = tuple(Why(why["code"], why.get("params", {})) for why in data.get("whys", ()))
    pairs, bye = tuple((a, b) for a, b in data["pairs"]), data.get("bye")
    before = sum(one.section == data["section"] for one in state.rounds)
    there = {entrant for pair in pairs for entrant in pair} | ({bye} if bye is not None else set())
    if not _begun(state) or data["round"] != before + 1 or not there.issubset(state.order):
        return state
    rounds = (*state.rounds, Round(data["section"], data["round"], pairs, bye, whys))
    return replace(state, rounds=rounds, together=())


def _reported(state: State, data: Mapping[str, Any]) -> State:
    if not _begun(state):
        return state
    report = Report(data["by"], data["winner"], _points(data["points"]), of=tuple(data.get("of", ())))
    return replace(state, reports={**state.reports, data["key"]: report})


def _disputed(state: State, data: Mapping[str, Any]) -> State:
    report = state.reports.get(data["key"])
    if report is None:
        return state
    report = replace(report, against=(data["winner"], _points(data["points"])))
    return replace(state, reports={**state.reports, data["key"]: report})


def _result(state: State, data: Mapping[str, Any]) -> State:
    if not _begun(state):
        return state
    key, points = data["key"], data.get("points")
    result = Result(
        data["winner"],
        _points(points) if points is not None else None,
        data.get("how", "played"),
        data.get("match", ""),
        data.get("why", ""),
        data.get("corrects", False),
    )
    if "of" in data:
        a, b = data["of"]
        tell(state.results, key, a, b, result)
    else:
        state.results[key] = result
    return replace(
        state,
        reports={one: report for one, report in state.reports.items() if one != key},
        alerts={where: alert for where, alert in state.alerts.items() if where[1] != key},
    )


def _penalised(state: State, data: Mapping[str, Any]) -> State:
    if not _begun(state):
        return state
    told: Told = data["key"]
    if "of" in data:
        a, b = sorted(data["of"])
        told = (data["key"], a, b)
    of_pairing = {**state.penalties.get(told, {}), data["entrant"]: data["points"]}
    return replace(state, penalties={**state.penalties, told: of_pairing})


def _alerted(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, alerts={**state.alerts, (data["what"], data.get("key", "")): data})


def _settled(state: State, data: Mapping[str, Any]) -> State:
    """The director has seen an alert."""
    gone = (data["what"], data.get("key", ""))
    return replace(state, alerts={where: alert for where, alert in state.alerts.items() if where != gone})


def _prized(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, purse=data)


def _finished(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="over", alerts={}) if state.phase in ("running", "over") else state


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


KINDS: Mapping[str, Callable[[State, Mapping[str, Any]], State]] = {
    **evening.KINDS,
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
    "prized": _prized,
    "outage": _outage,
    "finished": _finished,
    "cancelled": _cancelled,
    "filled": _noted,
    "seeded": _noted,
    "director_added": _noted,
    "director_removed": _noted,
    "announced": _noted,
    "paused": _noted,
    "resumed": _noted,
}
# Which of them a director can take back. A new kind stands in one of these three.
ENTERING = frozenset({"filled", "checked_in", "checked_out", "withdrawn", "reinstated"}) | evening.ENTERING
PLAYING = evening.PLAYING | {"drawn", "started", "opened", "paired", "reported", "disputed", "result", "penalised"}
UNDOABLE = ENTERING | PLAYING | {"cancelled"}
ALONG = evening.ALONG | {"registered", "alerted", "settled", "finished"}  # with the act that brought them, never alone
LASTING = {  # and why
    "configured": "the settings are changed in their own form, until the draw",
    "seeded": "places are given anew in their own form",
    "linked": "a walk-in who is somebody's account cannot be nobody's again",
    "director_added": "rights are given and taken by their own buttons",
    "director_removed": "rights are given and taken by their own buttons",
    "announced": "what has been read has been read",
    "prized": "the sheet of prizes is changed in its own form",
    "paused": "clocks stood; they go on by their own button",
    "resumed": "clocks went on",
    "outage": "the site was away: that time counts for nobody",
    **evening.LASTING,
}
