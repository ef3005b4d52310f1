"""Round robin: the Berger tables, and a table from the first match to the last."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tests.tournaments.formats import played
from tournaments.formats.core import Bye, Config, History, Invalid, PairingReason, Result, Seed
from tournaments.formats.registry import FORMATS
from tournaments.formats.round_robin import RoundRobin, berger_rounds

FOUR = Config("round-robin", tie_breaks=("wins", "direct"))


def test_the_table_for_four_is_as_printed() -> None:
    assert berger_rounds(4) == (
        ((1, 4), (2, 3)),
        ((4, 3), (1, 2)),
        ((2, 4), (3, 1)),
    )


def test_the_table_for_six_is_as_printed() -> None:
    assert berger_rounds(6) == (
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    )


def test_the_table_for_five_is_that_for_six_with_rests() -> None:
    assert berger_rounds(5) == (
        ((2, 5), (3, 4), (1, None)),
        ((5, 3), (1, 2), (4, None)),
        ((3, 1), (4, 5), (2, None)),
        ((1, 4), (2, 3), (5, None)),
        ((4, 2), (5, 1), (3, None)),
    )


@pytest.mark.parametrize("entrants", range(2, 41))
def test_each_two_meet_once_and_nobody_twice_a_round(entrants: int) -> None:
    table = berger_rounds(entrants)
    players = set(range(1, entrants + 1))
    assert len(table) == entrants - 1 + entrants % 2
    for pairs in table:
        assert Counter(player for pair in pairs for player in pair if player is not None) == Counter(players)
    met = Counter(frozenset(pair) for pairs in table for pair in pairs if None not in pair)
    assert met == Counter(frozenset(pair) for pair in combinations(players, 2))
    rests = Counter(pair[0] for pairs in table for pair in pairs if None in pair)
    assert rests == (Counter(players) if entrants % 2 else Counter())


def test_sides_differ_by_one_at_most() -> None:
    for entrants in range(2, 41):
        first = Counter(a for pairs in berger_rounds(entrants) for a, b in pairs if b is not None)
        assert all(abs(2 * first[player] - (entrants - 1)) <= 1 for player in range(1, entrants + 1))


def test_every_pairing_exists_from_the_start() -> None:
    pairings = RoundRobin().pairings(FOUR, History((7, 5, 8, 6)))
    assert [(pairing.key, pairing.state, pairing.entrants, pairing.why) for pairing in pairings] == [
        ("league-1-1", "ready", (7, 6), PairingReason("table", {"round": 1})),
        ("league-1-2", "ready", (5, 8), PairingReason("table", {"round": 1})),
        ("league-2-1", "ready", (6, 8), PairingReason("table", {"round": 2})),
        ("league-2-2", "ready", (7, 5), PairingReason("table", {"round": 2})),
        ("league-3-1", "ready", (5, 6), PairingReason("table", {"round": 3})),
        ("league-3-2", "ready", (8, 7), PairingReason("table", {"round": 3})),
    ]
    assert (pairings[0].a.source, pairings[0].b.source) == (Seed(1), Seed(4))
    assert RoundRobin().next_round(FOUR, History((7, 5, 8, 6))) is None


def test_with_an_odd_number_one_entrant_rests_each_round() -> None:
    pairings = RoundRobin().pairings(Config("round-robin"), History((1, 2, 3)))
    assert [(pairing.key, pairing.state, pairing.entrants) for pairing in pairings if pairing.round == 1] == [
        ("league-1-1", "ready", (2, 3)),
        ("league-1-2", "bye", (1,)),
    ]
    assert pairings[1].b.source == Bye()


def test_the_second_leg_changes_sides() -> None:
    pairings = RoundRobin().pairings(Config("round-robin", legs=2), History((1, 2, 3)))
    first_leg = [pairing.entrants for pairing in pairings if pairing.round <= 3 and pairing.state == "ready"]
    second_leg = [pairing.entrants for pairing in pairings if pairing.round > 3 and pairing.state == "ready"]
    assert second_leg == [(b, a) for a, b in first_leg]


def test_a_truncated_table_has_its_first_rounds() -> None:
    whole = RoundRobin().pairings(Config("round-robin"), History(tuple(range(1, 9))))
    short = RoundRobin().pairings(Config("round-robin", rounds=3), History(tuple(range(1, 9))))
    assert short == tuple(pairing for pairing in whole if pairing.round <= 3)
    assert len(short) == 12


def test_a_rest_scores_only_if_not_all_entrants_rest() -> None:
    whole = RoundRobin().standings(Config("round-robin"), History((1, 2, 3)))
    assert [line.wins for line in whole] == [0, 0, 0]
    short = RoundRobin().standings(Config("round-robin", rounds=1), History((1, 2, 3)))
    assert {line.entrant: line.wins for line in short} == {1: 1, 2: 0, 3: 0}


def test_unplayed_matches_of_a_withdrawn_entrant_are_lost_by_walkover() -> None:
    history = History(
        (1, 2, 3, 4), {"league-1-1": Result(4), "league-2-1": Result(4)}, withdrawn=frozenset({4})
    )  # 4 has beaten 1 and 3 and leaves before he meets 2
    pairings = RoundRobin().pairings(FOUR, history)
    assert {pairing.key: pairing.winner for pairing in pairings if pairing.state == "done"} == {
        "league-1-1": 4,
        "league-2-1": 4,
        "league-3-1": 2,
    }
    assert [(line.place, line.entrant, line.wins, line.note) for line in RoundRobin().standings(FOUR, history)] == [
        (1, 4, 2, "out"),
        (2, 2, 1, ""),
        (3, 1, 0, ""),
        (3, 3, 0, ""),
    ]


@pytest.mark.parametrize(
    ("format_", "shape", "section"),
    [("round-robin", {}, "league"), ("groups", {"groups": 1}, "group-1"), ("league", {}, "division-1")],
)
def test_direct_encounter_comes_before_sonneborn_berger(format_: str, shape: dict[str, int], section: str) -> None:
    # Bea (2) has beaten Dora (4), who has beaten Carlos (3): so Dora has the better Sonneborn-Berger.
    winners = {(1, 4): 1, (2, 3): 3, (3, 4): 4, (1, 2): 1, (2, 4): 2, (1, 3): 3}
    config = Config(format_, **shape)
    now = History((1, 2, 3, 4))
    keys = {tuple(sorted(p.entrants)): p.key for p in FORMATS[format_].pairings(config, now) if p.section == section}
    played_ = History(now.order, {keys[pair]: Result(winner) for pair, winner in winners.items()})
    lines = [line for line in FORMATS[format_].standings(config, played_) if line.section == section]
    assert [(line.place, line.entrant, line.values) for line in lines] == [
        (1, 3, (("wins", 2.0), ("direct", 1.0), ("sonneborn-berger", 3.0), ("points", 0.0))),
        (2, 1, (("wins", 2.0), ("direct", 0.0), ("sonneborn-berger", 2.0), ("points", 0.0))),
        (3, 2, (("wins", 1.0), ("direct", 1.0), ("sonneborn-berger", 1.0), ("points", 0.0))),
        (4, 4, (("wins", 1.0), ("direct", 0.0), ("sonneborn-berger", 2.0), ("points", 0.0))),
    ]


@pytest.mark.parametrize(
    ("shape", "counted"),
    [
        ({}, ["wins", "direct"]),
        ({"legs": 2}, ["wins", "direct"]),
        ({"rounds": 3}, ["wins", "direct"]),
        ({"rounds": 2}, ["wins", "buchholz", "buchholz-cut", "median", "direct"]),
    ],
)
def test_sums_over_opponents_count_only_where_some_do_not_meet(shape: dict[str, int], counted: list[str]) -> None:
    config = Config("round-robin", tie_breaks=("wins", "buchholz", "buchholz-cut", "median", "direct"), **shape)
    for line in RoundRobin().standings(config, History((1, 2, 3, 4))):
        assert [name for name, _value in line.values] == counted


def test_an_entrant_who_leaves_before_half_is_struck_with_all_results() -> None:
    history = History((1, 2, 3, 4), {"league-1-1": Result(4)}, withdrawn=frozenset({4}))
    assert [(line.place, line.entrant, line.wins, line.note) for line in RoundRobin().standings(FOUR, history)] == [
        (1, 1, 0, ""),
        (1, 2, 0, ""),
        (1, 3, 0, ""),
        (4, 4, 0, "out"),
    ]


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 8, 11, 16, 40])
@pytest.mark.parametrize(
    "config", [Config("round-robin"), Config("round-robin", legs=2), Config("round-robin", rounds=1)]
)
def test_any_number_of_entrants_plays_to_the_end(entrants: int, config: Config) -> None:
    RoundRobin().check(config, entrants)
    *_, (history, pairings) = played(RoundRobin(), config, entrants, chance=Random(entrants))
    assert RoundRobin().over(config, history)
    standings = RoundRobin().standings(config, history)
    assert sorted(line.entrant for line in standings) == list(range(1, entrants + 1))
    matches = [pairing for pairing in pairings if pairing.state == "done"]
    assert sum(line.played for line in standings) == 2 * len(matches)
    assert sum(line.losses for line in standings) == len(matches)


def test_it_ends_with_withdrawals() -> None:
    for seed in range(15):
        config = Config("round-robin")
        history = History(
            tuple(range(1, 8)),
            {f"league-{n}-1": Result(None, how="walkover") for n in range(1, seed % 7)},
            withdrawn=frozenset(Random(seed).sample(range(1, 8), seed % 8)),
        )
        for now, _ in played(RoundRobin(), config, 7, chance=Random(seed), leaving=0.2):
            assert len(RoundRobin().standings(config, now)) == 7
        assert RoundRobin().over(config, now)
        assert len(RoundRobin().standings(config, history)) == 7


@pytest.mark.parametrize(
    ("config", "entrants", "code", "params"),
    [
        (Config("round-robin"), 1, "too_few", {"least": 2}),
        (Config("round-robin"), 129, "too_many", {"most": 128}),
        (Config("round-robin", legs=5), 4, "legs", {"legs": 5, "least": 1, "most": 4}),
        (Config("round-robin", legs=2), 128, "legs", {"legs": 2, "least": 1, "most": 1}),
        (Config("round-robin", rounds=4), 4, "rounds", {"rounds": 4, "least": 0, "most": 3}),
        (Config("round-robin", rounds=7, legs=2), 4, "rounds", {"rounds": 7, "least": 0, "most": 6}),
        (Config("round-robin", tie_breaks=("median",)), 4, "tie_breaks_all_meet", {"names": ("median",)}),
    ],
)
def test_an_impossible_config_is_refused(config: Config, entrants: int, code: str, params: dict[str, object]) -> None:
    with pytest.raises(Invalid) as error:
        RoundRobin().check(config, entrants)
    assert (error.value.code, error.value.params) == (code, params)
