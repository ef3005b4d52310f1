"""Every format with every number of players from 2 to 128: it ends, loses as it should, and replays the same.

A shape that makes no sense with so few players is refused, with its reason. From 34 players on the shapes share the
numbers among them, and all play those around 64 and 128; `make fuzz-tournaments` spares none.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.tournaments.conftest import terms
from tests.tournaments.random_acts import arena_points
from tests.tournaments.test_fold import paired
from tournaments.errors import Refused
from tournaments.fold import fold
from tournaments.formats.arena import Arena
from tournaments.formats.core import Config, Invalid
from tournaments.formats.registry import FORMATS
from tournaments.state import Event, State

KNOCK_OUTS: dict[str, tuple[str, dict[str, Any]]] = {
    "single": ("knockout", {}),
    "drawn byes": ("knockout", {"byes": "drawn"}),
    "simple consolation": ("knockout", {"consolation": "simple"}),
    "progressive consolation": ("knockout", {"consolation": "progressive"}),
    "last chance": ("knockout", {"consolation": "progressive", "last_chance": True}),
    "simple and last chance": ("knockout", {"consolation": "simple", "last_chance": True, "byes": "drawn"}),
    "double": ("double", {}),
}
OTHERS: dict[str, tuple[str, Callable[[int], dict[str, Any]]]] = {
    "swiss": ("swiss", lambda players: {"rounds": 3 if players > 2 else 1}),
    "two losses": ("losses", lambda _players: {"losses": 2}),
    "round robin": ("round-robin", lambda _players: {}),
    "truncated": ("round-robin", lambda players: {"rounds": min(3, players - 1)}),
    "groups": ("groups", lambda players: {"groups": max(1, players // 8), "advance": 2}),
    "league": ("league", lambda players: {"divisions": max(1, players // 8), "moving": int(players > 15)}),
}
ARENA = Arena()
SMALL, MOST = 33, 128
EDGES = (63, 64, 65, 127, 128)
# Where a format with a given shape begins: with one player fewer it is refused, and this is what is said.
LEAST: dict[str, tuple[str, dict[str, Any], int, str]] = {
    "single": ("knockout", {}, 2, "This format needs at least 2 players."),
    "double": ("double", {}, 2, "This format needs at least 2 players."),
    "losses": ("losses", {}, 2, "This format needs at least 2 players."),
    "round robin": ("round-robin", {}, 2, "This format needs at least 2 players."),
    "one group": ("groups", {"groups": 1, "advance": 2}, 3, "This format needs at least 3 players."),
    "three Swiss rounds": ("swiss", {"rounds": 3}, 3, "Choose 1 to 1 rounds."),
    "three rounds": (
        "round-robin",
        {"rounds": 3},
        3,
        "Choose 1 to 1 rounds.",
    ),
    "four groups": (
        "groups",
        {"groups": 4, "advance": 2},
        12,
        "For this number of players, choose 1 to 3 groups of at least 3.",
    ),
    "three divisions": (
        "league",
        {"divisions": 3},
        6,
        "For this number of players, choose 1 to 2 divisions.",
    ),
}


def sizes(shape: str) -> list[int]:
    """The numbers of players that this shape is played with."""
    if os.environ.get("EVERY_SIZE"):
        return list(range(2, MOST + 1))
    shapes = [*KNOCK_OUTS, *OTHERS]
    own = range(SMALL + 1 + shapes.index(shape), MOST + 1, len(shapes))
    return sorted({*range(2, SMALL + 1), *own, *EDGES})


def to_the_end(format_: str, config: dict[str, Any], players: int, *, leaving: float = 0) -> tuple[list[Event], State]:
    """A tournament in which all that can be played is played at once, by chance: its events and its end."""
    chance = random.Random(f"{format_} {config} {players} {leaving}")
    numbers = list(range(1, players + 1))
    FORMATS[format_].check(Config(format_, **config), players)
    events = [
        Event("configured", {"terms": terms(format_, config=config).as_json()}),
        *(Event("registered", {"entrant": number}) for number in numbers),
        Event("drawn", {"order": chance.sample(numbers, players)}),
        Event("started", {}),
    ]
    state = fold(events)
    while not state.complete:
        more = list(paired(state)) or _results(state, chance, leaving)
        assert more, "somebody waits for ever"
        events += more
        state = fold(more, state)
    return events, state


def _results(state: State, chance: random.Random, leaving: float) -> list[Event]:
    ready = [pairing for pairing in state.pairings if pairing.state == "ready"]
    if state.format.sections in ("bracket", "table"):
        assert max(Counter(entrant for pairing in ready for entrant in pairing.entrants).values(), default=0) <= 1
    results = [Event("result", {"key": pairing.key, "winner": chance.choice(pairing.entrants)}) for pairing in ready]
    withdrawals = [Event("withdrawn", {"entrant": number}) for number in state.entrants if chance.random() < leaving]
    events = [*results, *withdrawals]
    chance.shuffle(events)
    return events


def replays(events: list[Event], state: State) -> bool:
    """Whether a clean replay of the events gives the same pairings and the same tables."""
    replayed = fold(Event(event.kind, dict(event.data)) for event in events)
    return (replayed.pairings, replayed.standings) == (state.pairings, state.standings)


@pytest.mark.parametrize("shape", KNOCK_OUTS)
def test_every_entrant_but_the_winner_loses_once_in_each_knock_out_section(shape: str) -> None:
    format_, config = KNOCK_OUTS[shape]
    for players in sizes(shape):
        _events, state = to_the_end(format_, config, players)
        won, lost = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
        for pairing in state.pairings:
            for entrant in pairing.entrants if pairing.state == "done" else ():
                (won if entrant == pairing.winner else lost)[entrant, pairing.section] += 1
        total = Counter[int]()
        for (entrant, _section), count in lost.items():
            total[entrant] += count
        champion = state.standings[0].entrant
        if format_ == "double":
            assert total == Counter({entrant: 2 for entrant in state.entrants if entrant != champion}) + Counter(
                {champion: total[champion]}
            )
            assert total[champion] <= 1
            continue
        sections = {section for _entrant, section in lost}
        for section in sections:
            entrants = {entrant for entrant, place in [*won, *lost] if place == section}
            unbeaten = {entrant for entrant in entrants if not lost[entrant, section]}
            assert len(unbeaten) == 1, (players, section)
            assert all(lost[entrant, section] == 1 for entrant in entrants - unbeaten)
        assert total[champion] == 0
        assert set(total) == set(state.entrants) - {champion}


@pytest.mark.parametrize("shape", KNOCK_OUTS)
def test_a_knock_out_replays_the_same_with_withdrawals(shape: str) -> None:
    format_, config = KNOCK_OUTS[shape]
    for players in sizes(shape):
        assert replays(*to_the_end(format_, config, players, leaving=0.01)), players


@pytest.mark.parametrize("shape", OTHERS)
def test_every_other_format_replays_the_same_with_withdrawals(shape: str) -> None:
    format_, config_for = OTHERS[shape]
    for players in sizes(shape):
        if (format_, players) == ("groups", 2):
            continue  # test_a_shape_has_a_least_number_of_players
        assert replays(*to_the_end(format_, config_for(players), players, leaving=0.01)), players


@pytest.mark.parametrize("shape", LEAST)
def test_a_shape_has_a_least_number_of_players(shape: str) -> None:
    format_, shaped, least, why = LEAST[shape]
    config = Config(format_, **shaped)
    for players in range(least, 129):
        FORMATS[format_].check(config, players)
    for players in range(2 if least > 2 else 1, least):
        with pytest.raises(Invalid) as refused:
            FORMATS[format_].check(config, players)
        assert Refused(refused.value.code, params=refused.value.params).text
    assert Refused(refused.value.code, params=refused.value.params).text == why


def test_an_arena_of_every_size_pairs_nobody_twice_and_ends() -> None:
    for players in range(1, SMALL + 1):
        chance, moment = random.Random(players), datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
        settings = {"config": {"minutes": 20}, "clock": "blitz", "lengths": [1], "venue": "online"}
        numbers = list(range(1, players + 1))
        events = [
            Event("configured", {"terms": terms("arena", **settings).as_json()}),
            *(Event("registered", {"entrant": number}) for number in numbers),
            Event("drawn", {"order": numbers}),
            Event("started", {"at": moment.isoformat()}),
        ]
        state, results = fold(events), 0
        while not state.complete:
            moment += timedelta(seconds=chance.randint(5, 90))
            at, more = {"at": moment.isoformat()}, []
            ready = [pairing for pairing in state.pairings if pairing.state == "ready"]
            met = Counter(entrant for pairing in ready for entrant in pairing.entrants)
            assert max(met.values(), default=0) <= 1, players
            for pairing in chance.sample(ready, chance.randint(0, len(ready))):
                winner, how = chance.choice((*pairing.entrants, None)), chance.choice(("played", "walkover"))
                result = {"key": pairing.key, "of": list(pairing.entrants), "winner": winner}
                more.append(Event("result", {**result, "how": how if winner else "walkover", **at}))
            results += len(more)
            if state.ends_at is not None and state.ends_at <= moment and not state.closed:
                more.append(Event("closed", at))
            state = fold(more, state)
            events += more
            wave = ARENA.next_wave(state.rules.config, state.history, moment)
            if wave is not None:
                data = {"section": wave.section, "round": wave.round, "pairs": wave.pairs, **at}
                events.append(Event("matched", {**data, "whys": [{"code": why.code} for why in wave.whys]}))
                state = fold(events[-1:], state)
        assert replays(events, state), players
        assert len(state.pairings) == results
        assert {line.entrant: int(dict(line.values)["arena"]) for line in state.standings} == arena_points(state)
