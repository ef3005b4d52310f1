"""Double elimination with a true final."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from time import process_time

import pytest

from tests.tournaments.formats import (
    earlier_state,
    earliest_rematch,
    ended,
    filled,
    history,
    losses,
    met,
    most_open_pairings,
    played,
    settled,
    shuffled,
    written,
)
from tools.bench.rematches import TARGETS, best_routes, expected_rematches, rematches_of_routes, simulated_rematches
from tournaments.formats.core import Config, Entrant, History, Invalid, MissedRounds
from tournaments.formats.double import ROUTES, Double, dropped, graph
from tournaments.formats.seeding import seating

DOUBLE = Double()
TOP = Config("double")
DRAWN = Config("double", byes="drawn")
BYES = pytest.mark.parametrize("config", [TOP, DRAWN], ids=lambda config: config.byes)


def test_two_meet_again_in_the_final():
    assert written(DOUBLE.pairings(TOP, history(2))) == [
        "main-1-1: 1, 2",
        "final-1-1: W main-1-1, L main-1-1",
        "final-2-1: L final-1-1, W final-1-1",
    ]


def test_the_bracket_of_4():
    assert written(DOUBLE.pairings(TOP, history(4))) == [
        "main-1-1: 1, 4",
        "main-1-2: 2, 3",
        "main-2-1: W main-1-1, W main-1-2",
        "losers-1-1: L main-1-1, L main-1-2",
        "losers-2-1: W losers-1-1, L main-2-1",
        "final-1-1: W main-2-1, W losers-2-1",
        "final-2-1: L final-1-1, W final-1-1",
    ]


def test_the_bracket_of_5():
    assert written(DOUBLE.pairings(TOP, history(5)))[7:] == [
        "losers-1-1: -, L main-1-2",
        "losers-1-2: -, -",
        "losers-2-1: W losers-1-1, L main-2-2",
        "losers-2-2: -, L main-2-1",
        "losers-3-1: W losers-2-1, W losers-2-2",
        "losers-4-1: W losers-3-1, L main-3-1",
        "final-1-1: W main-3-1, W losers-4-1",
        "final-2-1: L final-1-1, W final-1-1",
    ]


def test_the_bracket_of_8():
    assert written(DOUBLE.pairings(TOP, history(8)))[7:13] == [
        "losers-1-1: L main-1-1, L main-1-2",
        "losers-1-2: L main-1-3, L main-1-4",
        "losers-2-1: W losers-1-1, L main-2-2",
        "losers-2-2: W losers-1-2, L main-2-1",
        "losers-3-1: W losers-2-1, W losers-2-2",
        "losers-4-1: W losers-3-1, L main-3-1",
    ]


def test_the_bracket_of_16_swaps_the_halves_of_its_first_losers():
    assert written(DOUBLE.pairings(TOP, history(16)))[19:23] == [
        "losers-2-1: W losers-1-1, L main-2-3",
        "losers-2-2: W losers-1-2, L main-2-4",
        "losers-2-3: W losers-1-3, L main-2-1",
        "losers-2-4: W losers-1-4, L main-2-2",
    ]


def test_the_order_in_which_losers_enter():
    assert dropped("abcdefgh", 0) == list("abcdefgh")
    assert dropped("abcdefgh", 4) == list("efghabcd")
    assert dropped("abcdefgh", 2) == list("cdabghef")
    assert dropped("abcdefgh", 1) == list("badcfehg")
    assert dropped("abcdefgh", 7) == list("hgfedcba")
    assert dropped("a", 0) == ["a"]


@pytest.mark.parametrize(("entrants", "round_"), [(4, 2), (8, 3), (16, 4), (32, 5), (64, 7), (128, 7)])
def test_rematches_in_the_losers_bracket_come_late(entrants, round_):
    assert earliest_rematch(graph(TOP, entrants), "losers") == round_


class TestRematchesInTheLosersBracket:
    """How many are to be expected if all entrants are equally strong: `tools.bench.rematches` computes it exactly."""

    EXPECTED = {
        4: Fraction(1, 2),
        8: Fraction(5, 8),
        16: Fraction(3, 4),
        32: Fraction(47, 64),
        64: Fraction(1439, 2048),
        128: Fraction(5805, 8192),
        256: Fraction(23089, 32768),
        512: Fraction(92105, 131072),
    }

    def test_they_are_few_in_every_full_bracket(self):
        assert {size: expected_rematches(graph(TOP, size)) for size in ROUTES} == self.EXPECTED
        assert {size: rematches_of_routes(routes) for size, routes in ROUTES.items()} == self.EXPECTED
        assert all(self.EXPECTED[size] <= most for size, most in TARGETS.items())

    @pytest.mark.parametrize("size", [8, 16, 32, 64])
    def test_no_other_routes_have_fewer(self, size):
        assert ROUTES[size] in best_routes(size)

    @BYES
    def test_byes_add_few(self, config):
        for entrants in (5, 6, 7, 9, 12, 15, 17, 24, 31, 33, 48, 65, 96):
            assert expected_rematches(graph(config, entrants)) <= Fraction(195, 256)

    @pytest.mark.parametrize("entrants", [4, 5, 6])
    def test_the_computed_number_is_the_mean_of_all_possible_tournaments(self, entrants):
        matches = 2 * entrants - 3
        rematches = 0
        for results in product((0, 1), repeat=matches):
            now = ended(DOUBLE, TOP, entrants, chance=Foretold(results))
            pairings = [pairing for pairing in DOUBLE.pairings(TOP, now) if pairing.section != "final"]
            rematches += sum(times - 1 for times in met(pairings).values())
        assert Fraction(rematches, 2**matches) == expected_rematches(graph(TOP, entrants))

    def test_simulated_tournaments_agree(self):
        double = graph(TOP, 16)
        mean, error = simulated_rematches(double, 500, Random(1))
        assert abs(mean - float(expected_rematches(double))) < 2 * error


class Foretold(Random):
    """Chance that decides the pairings as told: 0 entrant a, 1 entrant b; the finals go to a."""

    def __init__(self, results: Sequence[int]) -> None:
        super().__init__(1)
        self.results = iter(results)

    def choice(self, seq):
        return seq[next(self.results, 0)]


TO_THE_FINAL = {"main-1-1": 1, "main-1-2": 2, "main-2-1": 1, "losers-1-1": 3, "losers-2-1": 2}


def final(results: dict[str, Entrant | None], withdrawn: tuple[Entrant, ...] = ()) -> list[str]:
    return filled(DOUBLE.pairings(TOP, history(4, TO_THE_FINAL | results, withdrawn)))[5:]


def test_the_final_is_over_if_the_main_champion_wins_it():
    assert final({}) == ["final-1-1 ready: 1, 2", "final-2-1 waiting: ?, ?"]
    assert final({"final-1-1": 1}) == ["final-1-1 done: 1, 2", "final-2-1 void: -, -"]


def test_the_final_is_played_once_more_if_the_main_champion_loses_it():
    assert final({"final-1-1": 2}) == ["final-1-1 done: 1, 2", "final-2-1 ready: 1, 2"]


def test_a_main_champion_who_leaves_loses_both_finals():
    assert final({}, (1,)) == ["final-1-1 done: 1, 2", "final-2-1 done: 1, 2"]


def test_a_single_finalist_needs_no_second_final():
    alone = history(2, {"main-1-1": None})
    assert filled(DOUBLE.pairings(TOP, alone))[1:] == ["final-1-1 void: -, -", "final-2-1 void: -, -"]
    one_finalist = history(4, TO_THE_FINAL | {"main-2-1": None, "losers-1-1": 3})
    assert filled(DOUBLE.pairings(TOP, one_finalist))[4:] == [
        "losers-2-1 bye: 3, -",
        "final-1-1 bye: -, 3",
        "final-2-1 void: -, -",
    ]


def lines(now: History) -> list[tuple[int, Entrant, str, str]]:
    return [
        (standing.place, standing.entrant, standing.section, standing.note) for standing in DOUBLE.standings(TOP, now)
    ]


def test_an_eliminated_entrant_has_a_place_while_others_play():
    assert lines(history(4)) == []
    assert lines(history(4, TO_THE_FINAL)) == [(3, 3, "losers", "out"), (4, 4, "losers", "out")]
    assert lines(history(4, TO_THE_FINAL | {"final-1-1": 2})) == lines(history(4, TO_THE_FINAL))


def test_the_order_of_finish():
    once = history(4, TO_THE_FINAL | {"final-1-1": 1})
    assert DOUBLE.over(TOP, once)
    assert lines(once)[:2] == [(1, 1, "final", ""), (2, 2, "final", "out")]
    twice = history(4, TO_THE_FINAL | {"final-1-1": 2, "final-2-1": 2})
    assert lines(twice)[:2] == [(1, 2, "final", ""), (2, 1, "final", "out")]
    counts = [(standing.played, standing.wins, standing.losses) for standing in DOUBLE.standings(TOP, twice)]
    assert counts == [(5, 4, 1), (4, 2, 2), (3, 1, 2), (2, 0, 2)]


def test_a_final_lost_by_both_has_no_champion():
    assert lines(history(4, TO_THE_FINAL | {"final-1-1": None}))[:2] == [(2, 1, "final", "out"), (2, 2, "final", "out")]


def test_after_a_double_walkover_both_have_the_place_of_the_loser():
    assert lines(history(4, {"main-1-2": None})) == [(4, 2, "main", "out"), (4, 3, "main", "out")]
    semis = {"main-1-1": 1, "main-1-2": 4, "main-1-3": 2, "main-1-4": 3}
    assert lines(history(8, semis | {"main-2-1": None})) == [(5, 1, "main", "out"), (5, 4, "main", "out")]
    final = semis | {"main-2-1": 1, "main-2-2": 2, "main-3-1": None}
    assert lines(history(8, final)) == [(3, 1, "main", "out"), (3, 2, "main", "out")]
    assert lines(history(2, {"main-1-1": None})) == [(2, 1, "main", "out"), (2, 2, "main", "out")]


def test_the_places_of_16():
    now = ended(DOUBLE, TOP, 16, chance=Random(16))
    places = [standing.place for standing in DOUBLE.standings(TOP, now)]
    assert places == [1, 2, 3, 4, 5, 5, 7, 7, 9, 9, 9, 9, 13, 13, 13, 13]


def test_2_to_512_may_play():
    DOUBLE.check(TOP, 2)
    DOUBLE.check(TOP, 512)
    for entrants, code in ((1, "too_few"), (513, "too_many")):
        with pytest.raises(Invalid) as refused:
            DOUBLE.check(TOP, entrants)
        assert refused.value.code == code


def test_no_round_is_paired_while_it_runs():
    assert DOUBLE.next_round(TOP, history(8)) is None


@BYES
def test_everybody_but_the_champion_loses_twice_and_nobody_plays_twice_at_a_time(config):
    for entrants in range(2, 129 if config is TOP else 41):
        chance = Random(entrants)
        now = ended(DOUBLE, config, entrants, chance=chance)
        pairings = DOUBLE.pairings(config, now)
        lost = losses(pairings)
        champion, *others = (standing.entrant for standing in DOUBLE.standings(config, now))
        assert lost[champion] == (pairings[-1].state == "done")
        assert [lost[entrant] for entrant in others] == [2] * (entrants - 1)
        earlier = DOUBLE.pairings(config, earlier_state(now, chance=chance))
        assert [pairing.key for pairing in earlier] == [pairing.key for pairing in pairings]
        assert most_open_pairings(earlier) <= 1
        assert settled(earlier).items() <= settled(pairings).items()


def test_keys_are_unique_and_sections_stand_in_order():
    for entrants in range(2, 66):
        keys = [(node.section, node.round, node.number) for node in graph(TOP, entrants)]
        order = ["main", "losers", "final"]
        assert keys == sorted(set(keys), key=lambda key: (order.index(key[0]), *key[1:]))


@BYES
def test_it_ends_with_withdrawals_and_double_walkovers(config):
    for entrants in [*range(2, 18), 33]:
        states = list(played(DOUBLE, config, entrants, chance=Random(entrants), leaving=0.1, double_walkovers=0.1))
        assert max(most_open_pairings(pairings) for _now, pairings in states) <= 1
        now, pairings = states[-1]
        assert DOUBLE.over(config, now)
        assert max(losses(pairings).values()) <= 2
        assert sorted(standing.entrant for standing in DOUBLE.standings(config, now)) == sorted(now.order)


def test_every_state_equals_its_replay():
    for entrants in (2, 3, 5, 8, 11, 16, 19):
        chance = Random(entrants)
        for now, pairings in played(DOUBLE, TOP, entrants, chance=chance, leaving=0.05, double_walkovers=0.05):
            assert DOUBLE.pairings(TOP, shuffled(now, chance=chance)) == pairings


def test_byes_and_late_entrants_sit_in_the_main_bracket_as_the_settings_say():
    def first_round(config, entrants, late=0):
        main = [node for node in graph(config, entrants, late) if (node.section, node.round) == ("main", 1)]
        return tuple(feed for node in main for feed in (node.a, node.b))

    drawn = Config("double", byes="drawn")
    assert first_round(TOP, 6) == seating(6, "top")
    assert first_round(drawn, 6) == seating(6, "drawn") != seating(6, "top")
    assert first_round(drawn, 7, 2) == seating(7, "drawn", 2) != seating(7, "drawn")
    late = History(tuple(range(1, 8)), late={7: MissedRounds(), 6: MissedRounds()})
    assert [pairing.a.source for pairing in DOUBLE.pairings(drawn, late)[:4]] == list(seating(7, "drawn", 2)[::2])


def test_a_bracket_of_128_is_resolved_quickly():
    now = ended(DOUBLE, TOP, 128, chance=Random(128))
    times = []
    for _ in range(5):
        start = process_time()
        DOUBLE.pairings(TOP, now)
        times.append(process_time() - start)
    assert min(times) < 0.05
