"""Who comes to a consolation and to the last chance, and whom he meets there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.tournaments.formats import earliest_rematch, ended, filled, history, met, written
from tournaments.formats.core import Config, History, LoserOf, Result
from tournaments.formats.double import Double
from tournaments.formats.knockout import Knockout, graph

KNOCKOUT = Knockout()
SIMPLE = Config("knockout", consolation="simple", last_chance=True)
PROGRESSIVE = Config("knockout", consolation="progressive", last_chance=True)
BOTH_WITH_BYES = [replace(config, byes=byes) for config in (SIMPLE, PROGRESSIVE) for byes in ("top", "drawn")]


def chances(config: Config, entrants: int) -> list[str]:
    """What follows the main bracket, before anything is played."""
    return [line for line in written(KNOCKOUT.pairings(config, history(entrants))) if not line.startswith("main")]


def test_two_entrants_have_no_consolation():
    assert chances(SIMPLE, 2) == []
    assert chances(PROGRESSIVE, 2) == []


def test_with_3_the_first_seed_enters_the_consolation_after_losing_the_final():
    assert chances(SIMPLE, 3) == ["consolation-1-1: L main-2-1, L main-1-2"]
    second = KNOCKOUT.pairings(SIMPLE, history(3, {"main-1-2": 2, "main-2-1": 2}))
    assert filled(second)[3:] == ["consolation-1-1 ready: 1, 3"]
    champion = KNOCKOUT.pairings(SIMPLE, history(3, {"main-1-2": 2, "main-2-1": 1}))
    assert filled(champion)[3:] == ["consolation-1-1 bye: -, 3"]


def test_with_4_the_two_losers_meet():
    assert chances(SIMPLE, 4) == ["consolation-1-1: L main-1-1, L main-1-2"]


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (Result(1, how="walkover"), "consolation-1-1 bye: -, 3"),
        (Result(1, how="walkover", loser_present=True), "consolation-1-1 ready: 4, 3"),
        (Result(1), "consolation-1-1 ready: 4, 3"),
        (None, "consolation-1-1 waiting: ?, 3"),
    ],
)
def test_the_loser_of_a_walkover_enters_the_consolation_only_if_present(result: Result | None, line: str) -> None:
    results = {"main-1-2": Result(2)} | ({"main-1-1": result} if result else {})
    pairings = KNOCKOUT.pairings(SIMPLE, History((1, 2, 3, 4), results))
    assert [found for found in filled(pairings) if found.startswith("consolation")] == [line]


def test_after_a_bye_and_in_the_last_chance_the_same_counts() -> None:
    results = {
        "main-1-2": Result(4),
        "main-2-1": Result(4, how="walkover"),  # 1 had a bye
        "main-2-2": Result(3),
        "consolation-1-2": Result(2, how="walkover"),
    }
    lines = filled(KNOCKOUT.pairings(SIMPLE, History((1, 2, 3, 4, 5), results)))
    assert lines[7:9] == ["consolation-1-1 bye: -, 5", "consolation-1-2 bye: 2, -"]
    last = {f"main-1-{n}": Result(winner) for n, winner in enumerate((1, 4, 2, 3), 1)} | {
        "consolation-1-1": Result(8, how="walkover"),
        "consolation-1-2": Result(7, how="walkover", loser_present=True),
    }
    lines = filled(KNOCKOUT.pairings(SIMPLE, History(tuple(range(1, 9)), last)))
    assert [line for line in lines if line.startswith("last")] == ["last-1-1 bye: -, 6"]


def test_in_a_double_elimination_the_loser_of_a_walkover_plays_on() -> None:
    results = {"main-1-1": Result(1, how="walkover"), "main-1-2": Result(2)}
    lines = filled(Double().pairings(Config("double"), History((1, 2, 3, 4), results)))
    assert [line for line in lines if line.startswith("losers-1")] == ["losers-1-1 ready: 4, 3"]


def test_with_5_three_entrants_reach_the_consolation():
    assert chances(SIMPLE, 5) == [
        "consolation-1-1: L main-2-1, L main-1-2",
        "consolation-1-2: L main-2-2, -",
        "consolation-2-1: W consolation-1-1, W consolation-1-2",
        "last-1-1: L consolation-1-1, L consolation-1-2",
    ]


def test_with_5_a_consolation_bye_leads_to_the_last_chance():
    results = {"main-1-2": 4, "main-2-1": 1, "main-2-2": 2, "main-3-1": 1, "consolation-2-1": 5}
    assert filled(KNOCKOUT.pairings(SIMPLE, history(5, results)))[7:] == [
        "consolation-1-1 bye: -, 5",
        "consolation-1-2 bye: 3, -",
        "consolation-2-1 done: 5, 3",
        "last-1-1 bye: -, 3",
    ]


def test_with_8_the_losers_of_round_1_have_a_consolation_and_a_last_chance():
    assert chances(SIMPLE, 8) == [
        "consolation-1-1: L main-1-1, L main-1-2",
        "consolation-1-2: L main-1-3, L main-1-4",
        "consolation-2-1: W consolation-1-1, W consolation-1-2",
        "last-1-1: L consolation-1-1, L consolation-1-2",
    ]


@pytest.mark.parametrize("entrants", range(2, 9))
def test_up_to_8_the_progressive_consolation_is_the_simple_one(entrants):
    assert graph(PROGRESSIVE, entrants) == graph(SIMPLE, entrants)


def test_with_16_the_losers_of_round_2_enter_from_the_bottom_up():
    assert chances(PROGRESSIVE, 16) == [
        "consolation-1-1: L main-1-1, L main-1-2",
        "consolation-1-2: L main-1-3, L main-1-4",
        "consolation-1-3: L main-1-5, L main-1-6",
        "consolation-1-4: L main-1-7, L main-1-8",
        "consolation-2-1: W consolation-1-1, L main-2-4",
        "consolation-2-2: W consolation-1-2, L main-2-3",
        "consolation-2-3: W consolation-1-3, L main-2-2",
        "consolation-2-4: W consolation-1-4, L main-2-1",
        "consolation-3-1: W consolation-2-1, W consolation-2-2",
        "consolation-3-2: W consolation-2-3, W consolation-2-4",
        "consolation-4-1: W consolation-3-1, W consolation-3-2",
        "last-1-1: L consolation-1-1, L consolation-2-3",
        "last-1-2: L consolation-1-2, L consolation-2-4",
        "last-1-3: L consolation-1-3, L consolation-2-1",
        "last-1-4: L consolation-1-4, L consolation-2-2",
        "last-2-1: W last-1-1, W last-1-2",
        "last-2-2: W last-1-3, W last-1-4",
        "last-3-1: W last-2-1, W last-2-2",
    ]


def test_with_32_the_losers_of_the_quarter_finals_enter_from_the_top_down():
    assert [line for line in chances(PROGRESSIVE, 32) if line.startswith("consolation-4")] == [
        "consolation-4-1: W consolation-3-1, L main-3-1",
        "consolation-4-2: W consolation-3-2, L main-3-2",
        "consolation-4-3: W consolation-3-3, L main-3-3",
        "consolation-4-4: W consolation-3-4, L main-3-4",
    ]


def test_with_9_only_one_entrant_waits_for_the_losers_of_round_2():
    assert chances(PROGRESSIVE, 9) == [
        "consolation-1-1: -, L main-1-2",
        "consolation-1-2: -, -",
        "consolation-1-3: -, -",
        "consolation-1-4: -, -",
        "consolation-2-1: W consolation-1-1, L main-2-4",
        "consolation-2-2: -, L main-2-3",
        "consolation-2-3: -, L main-2-2",
        "consolation-2-4: -, L main-2-1",
        "consolation-3-1: W consolation-2-1, W consolation-2-2",
        "consolation-3-2: W consolation-2-3, W consolation-2-4",
        "consolation-4-1: W consolation-3-1, W consolation-3-2",
        "last-1-1: L consolation-2-1, L consolation-2-2",
        "last-1-2: L consolation-3-2, -",
        "last-2-1: W last-1-1, W last-1-2",
    ]


def test_nobody_has_more_than_one_bye_in_a_consolation():
    for entrants in [*range(2, 20), 25, 33]:
        for config in BOTH_WITH_BYES:
            now = ended(KNOCKOUT, config, entrants, chance=Random(entrants))
            rested = Counter(
                pairing.winner
                for pairing in KNOCKOUT.pairings(config, now)
                if pairing.section == "consolation" and pairing.state == "bye"
            )
            assert max(rested.values(), default=0) <= 1


def test_nobody_meets_again_in_a_simple_consolation_or_its_last_chance():
    for entrants in range(2, 41):
        now = ended(KNOCKOUT, SIMPLE, entrants, chance=Random(entrants))
        assert set(met(KNOCKOUT.pairings(SIMPLE, now)).values()) == {1}


@pytest.mark.parametrize(("entrants", "round_"), [(8, None), (16, 4), (32, 4), (64, 4), (128, 4)])
def test_in_a_progressive_consolation_nobody_meets_again_before_its_round_4(entrants, round_):
    assert earliest_rematch(graph(PROGRESSIVE, entrants), "consolation") == round_


def test_later_losers_come_in_from_the_bottom_up_and_from_the_top_down_by_turns():
    nodes = {node.key: node for node in graph(Config("knockout", consolation="progressive"), 64)}
    first = [nodes[f"consolation-{round_}-1"].b for round_ in (2, 4, 6)]
    assert first == [LoserOf("main-2-16"), LoserOf("main-3-1"), LoserOf("main-4-4")]
