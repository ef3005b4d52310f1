"""The fold of events: the same events always give the same tournament."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.tournaments.conftest import terms
from tournaments.fold import fold
from tournaments.formats.core import Config, Invalid, Pairing
from tournaments.state import Event, State

SHAPES = {
    "knockout": ("knockout", {}),
    "simple consolation": ("knockout", {"consolation": "simple"}),
    "progressive consolation": ("knockout", {"consolation": "progressive", "last_chance": True}),
    "drawn byes": ("knockout", {"byes": "drawn"}),
    "double": ("double", {}),
    "swiss": ("swiss", {"rounds": 3}),
    "losses": ("losses", {"losses": 2}),
}
FEW = {
    "round robin": ("round-robin", {}),
    "truncated": ("round-robin", {"rounds": 3}),
    "groups": ("groups", {"groups": 2, "advance": 2}),
    "league": ("league", {"divisions": 2, "legs": 2}),
}


def begin(shape: str, players: int) -> list[Event]:
    """The events until the start, of so many players drawn as they entered."""
    format_, config = {**SHAPES, **FEW}[shape]
    if players < 4 and "rounds" in config:  # three rounds need four players
        config = {"rounds": 1}
    numbers = list(range(1, players + 1))
    return [
        Event("configured", {"terms": terms(format_, config=config).as_json()}),
        *(Event("registered", {"entrant": number}) for number in numbers),
        Event("drawn", {"order": numbers}),
        Event("started", {}),
    ]


def paired(state: State) -> Iterator[Event]:
    """The next round as an event, when there is one."""
    if (round_ := state.next_round()) is not None:
        yield Event(
            "paired",
            {
                "section": round_.section,
                "round": round_.round,
                "pairs": [list(pair) for pair in round_.pairs],
                "bye": round_.bye,
                "whys": [{"code": why.code, "params": dict(why.params)} for why in round_.whys],
            },
        )


def play(events: list[Event], *, chance: random.Random, withdrawals: int = 0) -> list[Event]:
    """Play to the end with chance results, and so many withdrawals on the way: all the events."""
    events = list(events)
    state = fold(events)
    for _ in range(5000):
        more = list(paired(state))
        ready = [pairing for pairing in state.pairings if pairing.state == "ready"]
        if not more and not ready:
            return events
        if not more and withdrawals and chance.random() < 0.3:
            withdrawals -= 1
            more = [Event("withdrawn", {"entrant": chance.choice(state.entrants)})]
        elif not more:
            pairing = chance.choice(ready)
            winner = chance.choice(pairing.entrants)
            more = [
                Event(
                    "result", {"key": pairing.key, "winner": winner, "how": "played", "points": _score(pairing, winner)}
                )
            ]
        events += more
        state = fold(more, state)
    raise AssertionError("it does not end")


def _score(pairing: Pairing, winner: int) -> list[int]:
    return [3 if entrant == winner else 1 for entrant in pairing.entrants]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 7, 8, 9, 13, 16, 21, 32, 33])
def test_every_tournament_ends_and_replays_the_same(shape: str, players: int) -> None:
    _ends_and_replays(shape, players)


@pytest.mark.parametrize("shape", FEW)
@pytest.mark.parametrize("players", [6, 8, 9, 11])
def test_every_table_ends_and_replays_the_same(shape: str, players: int) -> None:
    _ends_and_replays(shape, players)


def _ends_and_replays(shape: str, players: int) -> None:
    for withdrawals in (0, 3):
        chance = random.Random(f"{shape} {players} {withdrawals}")
        events = play(begin(shape, players), chance=chance, withdrawals=min(withdrawals, players - 2))
        state = fold(events)
        replayed = fold(Event(event.kind, dict(event.data)) for event in events)
        assert state.complete
        assert (replayed.pairings, replayed.standings) == (state.pairings, state.standings)
        assert sorted({line.entrant for line in state.standings}) == sorted(state.entrants)
        assert max(Counter(pairing.key for pairing in state.pairings).values()) == 1


@pytest.mark.parametrize("shape", ["knockout", "progressive consolation", "double"])
def test_the_order_of_results_does_not_matter(shape: str) -> None:
    events = play(begin(shape, 12), chance=random.Random(7))
    fixed = [event for event in events if event.kind != "result"]
    results = [event for event in events if event.kind == "result"]
    random.Random(8).shuffle(results)
    assert fold([*fixed, *results]).pairings == fold(events).pairings


def test_a_result_of_entrants_who_do_not_meet_changes_nothing() -> None:
    events = begin("knockout", 4)
    state = fold(events)
    results = [Event("result", {"key": "main-9-9", "winner": 1}), Event("result", {"key": "main-1-1", "winner": 3})]
    assert fold(results, state).pairings == state.pairings


def test_a_walkover_stays_through_later_withdrawals_and_reinstatements() -> None:
    events = [
        *begin("knockout", 4),
        Event("withdrawn", {"entrant": 4}),  # 1 goes on without a match
        Event("result", {"key": "main-1-2", "winner": 2}),
        Event("result", {"key": "main-2-1", "winner": 1}),
    ]
    for later in ("withdrawn", "reinstated"):
        state = fold([*events, Event(later, {"entrant": 1 if later == "withdrawn" else 4})])
        assert (state.by_key["main-1-1"].winner, state.by_key["main-2-1"].winner) == (1, 1)
        assert state.complete


def test_an_event_of_an_unknown_kind_is_a_bug() -> None:
    with pytest.raises(KeyError):
        fold([Event("invented", {})])


def test_a_result_removes_reports_disputes_and_alerts() -> None:
    events = begin("knockout", 2)
    alerts = [
        Event("reported", {"key": "main-1-1", "by": 1, "winner": 1, "points": [3, 0]}),
        Event("disputed", {"key": "main-1-1", "winner": 2, "points": [0, 3]}),
        Event("alerted", {"what": "disputed", "key": "main-1-1"}),
        Event("alerted", {"what": "stalled", "key": "main-1"}),
    ]
    state = fold([*events, *alerts])
    assert state.reports["main-1-1"].disputed
    state = fold([Event("result", {"key": "main-1-1", "winner": 2, "points": [0, 3]})], state)
    assert (state.reports, list(state.alerts)) == ({}, [("stalled", "main-1")])


@pytest.mark.parametrize(
    "config",
    [{}, {"format": 7}, {"consolation": "some"}, {"byes": "mine"}, {"rounds": -1}, {"groups": "two"}, {"legs": True}],
)
def test_an_impossible_shape_is_refused(config: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as error:
        Config.read(config if not config else {"format": "knockout", **config})
    assert error.value.code == "config"
