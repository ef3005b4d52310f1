"""The events of a tournament and what each kind changes: `fold(events) -> State`. Pure: no Django, clock or chance.

What was decided by chance or by a person is in the event (the drawn order, the pairs of a Swiss round), so the same
events always give the same tournament. An event that makes no sense where it stands (a result of two who do not meet
there any more, a round that is not the next one) changes nothing: so any act can be taken out of the middle, and put
back there (`tournaments.undo`). The services refuse what should not happen before they write it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from tournaments import arena_events, roster_events
from tournaments.boards import Boards, Call
from tournaments.formats.core import PairingReason, Result, ResultKey, Round, set_result
from tournaments.state import Event, Report, State, VenueStay
from tournaments.terms import Terms


def fold(events: Iterable[Event], state: State | None = None) -> State:
    """The state after all `events`, from `state` or from nothing. Raises KeyError for a kind that does not exist.

    The results are copied once, and each event adds to that copy in place: a copy for each event would make thousands
    of results slow. A tournament that was over goes on when a later event left something to play.
    """
    state = state or State()
    state = replace(state, results=dict(state.results))
    for event in events:
        state = KINDS[event.kind](state, event.data)
    return replace(state, phase="running") if state.phase == "over" and not state.complete else state


def state_after(state: State, event: Event) -> State:
    """The state after one more event. Raises KeyError for a kind that does not exist."""
    return fold([event], state)


# What each kind of event changes


def _configured(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, terms=Terms.read(data["terms"]))


def _registered(state: State, data: Mapping[str, Any]) -> State:
    number = data["entrant"]
    if number in state.entrants:
        return state
    waiting = tuple(other for other in state.waiting if other != number)
    return roster_events.move_undrawn_to_waiting_list(
        replace(state, entrants=(*state.entrants, number), waiting=waiting)
    )


def _checked_in(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, checked_in=state.checked_in | {data["entrant"]})


def _checked_out(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, checked_in=state.checked_in - {data["entrant"]})


def _withdrawn(state: State, data: Mapping[str, Any]) -> State:
    number = data["entrant"]
    waiting = tuple(other for other in state.waiting if other != number)
    return replace(_record_walkovers(state), withdrawn=state.withdrawn | {number}, waiting=waiting)


def _reinstated(state: State, data: Mapping[str, Any]) -> State:
    state = replace(_record_walkovers(state), withdrawn=state.withdrawn - {data["entrant"]})
    state = arena_events.free_from(replace(state, paused=state.paused - {data["entrant"]}), [data["entrant"]], data)
    return roster_events.move_undrawn_to_waiting_list(state)


def _record_walkovers(state: State) -> State:
    """Record the matches lost by withdrawing so far: they stay lost, whoever withdraws or is reinstated afterwards."""
    if not state.withdrawn:
        return state
    for pairing in state.pairings:
        if pairing.result is not None and pairing.result.how == "withdrawn":
            a, b = pairing.entrants
            set_result(state.results, pairing.key, a, b, pairing.result)
    return state


def _drawn(state: State, data: Mapping[str, Any]) -> State:
    """Fix the drawn order. Every entrant in it plays, even if their entry or admission is undone afterwards."""
    if state.phase != "open":
        return state
    order = tuple(data["order"])
    entrants = (*state.entrants, *(number for number in order if number not in state.entrants))
    waiting = tuple(number for number in state.waiting if number not in order)
    return roster_events.move_undrawn_to_waiting_list(
        replace(state, phase="drawn", order=order, entrants=entrants, waiting=waiting)
    )


def _started(state: State, data: Mapping[str, Any]) -> State:
    return arena_events.begin(replace(state, phase="running"), data) if state.phase == "drawn" else state


def _opened(state: State, data: Mapping[str, Any]) -> State:
    if not state.begun:
        return state
    return replace(state, opened=state.opened | {(data["section"], data["round"])})


def _paired(state: State, data: Mapping[str, Any]) -> State:
    """Add the next round of its section, of entrants who are drawn; any other round is ignored."""
    whys = tuple(PairingReason(why["code"], why.get("params", {})) for why in data.get("whys", ()))
    pairs, bye = tuple((a, b) for a, b in data["pairs"]), data.get("bye")
    before = sum(round_.section == data["section"] for round_ in state.rounds)
    absent = tuple(data.get("absent", ()))
    players = {entrant for pair in pairs for entrant in pair} | ({bye} if bye is not None else set()) | set(absent)
    if not state.begun or data["round"] != before + 1 or not players.issubset(state.order):
        return state
    rounds = (*state.rounds, Round(data["section"], data["round"], pairs, bye, whys, absent))
    return replace(state, rounds=rounds, together=())


def _reported(state: State, data: Mapping[str, Any]) -> State:
    if not state.begun:
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
    if not state.begun:
        return state
    key, points = data["key"], data.get("points")
    result = Result(
        data["winner"],
        _points(points) if points is not None else None,
        data.get("how", "played"),
        data.get("match", ""),
        data.get("why", ""),
        data.get("corrects", False),
        data.get("loser_present", False),
    )
    if "of" in data:
        a, b = data["of"]
        set_result(state.results, key, a, b, result)
        state = arena_events.free_from(state, (a, b), data)
    else:
        state.results[key] = result
    return replace(
        state,
        reports={other: report for other, report in state.reports.items() if other != key},
        alerts={alert_key: alert for alert_key, alert in state.alerts.items() if alert_key[1] != key},
    )


def _penalised(state: State, data: Mapping[str, Any]) -> State:
    if not state.begun:
        return state
    result_key: ResultKey = data["key"]
    if "of" in data:
        a, b = sorted(data["of"])
        result_key = (data["key"], a, b)
    of_pairing = {**state.penalties.get(result_key, {}), data["entrant"]: data["points"]}
    return replace(state, penalties={**state.penalties, result_key: of_pairing})


def _boards(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, boards=Boards.read(data))


def _called(state: State, data: Mapping[str, Any]) -> State:
    """Call a pairing to a board; without a board its call is over."""
    calls = {key: call for key, call in state.calls.items() if key != data["key"]}
    if state.begun and data.get("board"):
        calls[data["key"]] = Call(data["board"], data["at"], tuple(data["of"]))
    return replace(state, calls=calls)


def _alerted(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, alerts={**state.alerts, (data["what"], data.get("key", "")): data})


def _settled(state: State, data: Mapping[str, Any]) -> State:
    """Remove an alert that the director has dismissed, or whose cause is over."""
    dismissed = (data["what"], data.get("key", ""))
    return replace(
        state, alerts={alert_key: alert for alert_key, alert in state.alerts.items() if alert_key != dismissed}
    )


def _prized(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, purse=data)


def _finished(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="over", alerts={}) if state.phase in ("running", "over") else state


def _cancelled(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, phase="cancelled", alerts={}, reports={})


def _outage(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, downtime=state.downtime + timedelta(seconds=data["seconds"]))


def _taken_out(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, venue_stay=VenueStay(data["copy"], data["at"]))


def _back_from_venue(state: State, data: Mapping[str, Any]) -> State:
    return replace(state, venue_stay=None)


def _log_only(state: State, data: Mapping[str, Any]) -> State:
    """Change nothing: the event is there for the log alone."""
    return state


def _points(value: Iterable[float]) -> tuple[float, float]:
    first, second = value
    return first, second


KINDS: Mapping[str, Callable[[State, Mapping[str, Any]], State]] = {
    **roster_events.KINDS,
    **arena_events.KINDS,
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
    "boards": _boards,
    "called": _called,
    "alerted": _alerted,
    "settled": _settled,
    "prized": _prized,
    "outage": _outage,
    "finished": _finished,
    "cancelled": _cancelled,
    "taken_out": _taken_out,
    "brought_back": _back_from_venue,
    "given_up": _back_from_venue,
    "filled": _log_only,
    "seeded": _log_only,
    "director_added": _log_only,
    "director_removed": _log_only,
    "appointed": _log_only,
    "dismissed": _log_only,
    "announced": _log_only,
    "ruled": _log_only,
    "paused": _log_only,
    "resumed": _log_only,
}
# Which of them a director can undo. Every kind is in one of UNDOABLE, ALONG and LASTING.
ENTERING = frozenset({"filled", "checked_in", "checked_out", "withdrawn", "reinstated"}) | roster_events.ENTERING
PLAYING = (
    roster_events.PLAYING
    | arena_events.PLAYING
    | {
        "drawn",
        "started",
        "opened",
        "paired",
        "reported",
        "disputed",
        "result",
        "penalised",
        "called",
    }
)
UNDOABLE = ENTERING | PLAYING | {"cancelled"}
ALONG = roster_events.ALONG | {
    "registered",
    "alerted",
    "settled",
    "finished",
}  # undone with the act that caused them, never alone
LASTING = {  # never undone, and why not
    "configured": "the settings are changed in their own form, until the draw",
    "seeded": "seeds are changed in their own form",
    "boards": "the boards are changed in their own form",
    "linked": "an entrant linked to an account cannot be unlinked",
    "director_added": "directors are added and removed by their own buttons",
    "director_removed": "directors are added and removed by their own buttons",
    "appointed": "officials are appointed and dismissed on their own page",
    "dismissed": "officials are appointed and dismissed on their own page",
    "announced": "an announcement that was read cannot be unread",
    "ruled": "a ruling that was read stands; another one can say otherwise",
    "prized": "the prizes are changed in their own form",
    "paused": "the clocks were stopped; a button of its own resumes them",
    "resumed": "the clocks were resumed",
    "outage": "the site was down: that time counts for nobody",
    "taken_out": "the copy at the venue is given up by its own button",
    "brought_back": "what came back is undone act by act",
    "given_up": "the tournament can be taken out again",
    **roster_events.LASTING,
    **arena_events.LASTING,
}
