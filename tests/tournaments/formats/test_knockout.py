"""Single elimination without a consolation, and what every consolation must hold."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.tournaments.formats import (
    earlier_state,
    ended,
    filled,
    history,
    losses,
    most_open_pairings,
    played,
    settled,
    shuffled,
    written,
)
from tournaments.formats.core import Config, Entrant, History, Invalid, Pairing
from tournaments.formats.knockout import Knockout, graph

KNOCKOUT = Knockout()
PLAIN = Config("knockout")
SIMPLE = Config("knockout", consolation="simple")
SIMPLE_AND_LAST = Config("knockout", consolation="simple", last_chance=True)
PROGRESSIVE = Config("knockout", consolation="progressive")
PROGRESSIVE_AND_LAST = Config("knockout", consolation="progressive", last_chance=True)
CHANCES = [PLAIN, SIMPLE, SIMPLE_AND_LAST, PROGRESSIVE, PROGRESSIVE_AND_LAST]
DRAWN = [replace(config, byes="drawn") for config in CHANCES]
FULLEST = [SIMPLE_AND_LAST, PROGRESSIVE_AND_LAST]


def config_id(config: Config) -> str:
    return f"{config.consolation}{' and last chance' * config.last_chance}, byes {config.byes}"


def sizes(config: Config) -> range:
    """From 2 to 128 entrants; to 40 what is only the beginning of a fuller bracket, or differs in its first rounds."""
    return range(2, 129 if config in FULLEST else 41)


def test_two_play_one_match():
    assert filled(KNOCKOUT.pairings(PLAIN, history(2))) == ["main-1-1 ready: 1, 2"]


def test_the_bracket_of_4():
    assert written(KNOCKOUT.pairings(PLAIN, history(4))) == [
        "main-1-1: 1, 4",
        "main-1-2: 2, 3",
        "main-2-1: W main-1-1, W main-1-2",
    ]


def test_the_bracket_of_5():
    assert filled(KNOCKOUT.pairings(PLAIN, history(5))) == [
        "main-1-1 bye: 1, -",
        "main-1-2 ready: 4, 5",
        "main-1-3 bye: 2, -",
        "main-1-4 bye: 3, -",
        "main-2-1 waiting: 1, ?",
        "main-2-2 ready: 2, 3",
        "main-3-1 waiting: ?, ?",
    ]


def test_the_bracket_of_8():
    assert written(KNOCKOUT.pairings(PLAIN, history(8))) == [
        "main-1-1: 1, 8",
        "main-1-2: 4, 5",
        "main-1-3: 2, 7",
        "main-1-4: 3, 6",
        "main-2-1: W main-1-1, W main-1-2",
        "main-2-2: W main-1-3, W main-1-4",
        "main-3-1: W main-2-1, W main-2-2",
    ]


def test_byes_may_be_drawn():
    drawn = Config("knockout", byes="drawn")
    assert filled(KNOCKOUT.pairings(drawn, history(6)))[:4] == [
        "main-1-1 ready: 1, 6",
        "main-1-2 bye: 4, -",
        "main-1-3 ready: 2, 5",
        "main-1-4 bye: 3, -",
    ]


def test_2_to_512_may_play():
    KNOCKOUT.check(PLAIN, 2)
    KNOCKOUT.check(PLAIN, 512)
    for entrants, code in ((0, "too_few"), (1, "too_few"), (513, "too_many")):
        with pytest.raises(Invalid) as refused:
            KNOCKOUT.check(PLAIN, entrants)
        assert refused.value.code == code


def test_no_round_is_paired_while_it_runs():
    assert KNOCKOUT.next_round(PLAIN, history(8)) is None


TO_THE_SEMIS = {"main-1-1": 8, "main-1-2": 4, "main-1-3": 2, "main-1-4": 3}


def lines(config: Config, now: History) -> list[tuple[int, Entrant, str, str]]:
    return [
        (standing.place, standing.entrant, standing.section, standing.note)
        for standing in KNOCKOUT.standings(config, now)
    ]


def test_an_eliminated_entrant_has_a_place_while_others_play():
    assert lines(PLAIN, history(8)) == []
    assert lines(PLAIN, history(8, TO_THE_SEMIS)) == [
        (5, 1, "main", "out"),
        (5, 5, "main", "out"),
        (5, 7, "main", "out"),
        (5, 6, "main", "out"),
    ]


def test_the_order_of_finish():
    ended = history(8, TO_THE_SEMIS | {"main-2-1": 4, "main-2-2": 3, "main-3-1": 3})
    assert KNOCKOUT.over(PLAIN, ended)
    assert lines(PLAIN, ended)[:4] == [
        (1, 3, "main", ""),
        (2, 4, "main", "out"),
        (3, 8, "main", "out"),
        (3, 2, "main", "out"),
    ]
    counts = [(standing.played, standing.wins, standing.losses) for standing in KNOCKOUT.standings(PLAIN, ended)]
    assert counts == [(3, 3, 0), (3, 2, 1), (2, 1, 1), (2, 1, 1), (1, 0, 1), (1, 0, 1), (1, 0, 1), (1, 0, 1)]


def test_the_order_of_finish_includes_the_consolation():
    ended = history(
        8,
        TO_THE_SEMIS
        | {"main-2-1": 4, "main-2-2": 3, "main-3-1": 3}
        | {"consolation-1-1": 5, "consolation-1-2": 6, "consolation-2-1": 6},
    )
    assert KNOCKOUT.over(SIMPLE, ended)
    assert lines(SIMPLE, ended)[4:] == [
        (5, 6, "consolation", ""),
        (5, 5, "consolation", "out"),
        (5, 1, "consolation", "out"),
        (5, 7, "consolation", "out"),
    ]


def test_a_final_with_one_finalist_has_a_champion_and_no_second():
    ended = history(4, {"main-1-1": None, "main-1-2": 3})
    assert KNOCKOUT.over(PLAIN, ended)
    assert lines(PLAIN, ended) == [
        (1, 3, "main", ""),
        (3, 1, "main", "out"),
        (3, 4, "main", "out"),
        (3, 2, "main", "out"),
    ]


def test_a_final_lost_by_both_has_no_champion():
    ended = history(4, {"main-1-1": 1, "main-1-2": 2, "main-2-1": None})
    assert KNOCKOUT.over(PLAIN, ended)
    assert [line[:2] for line in lines(PLAIN, ended)] == [(2, 1), (2, 2), (3, 4), (3, 3)]


def allowed(config: Config, pairings: tuple[Pairing, ...]) -> dict[Entrant, int]:
    """How many losses the format leaves to each entrant, from where he lost and where he had a bye."""
    rounds = max(pairing.round for pairing in pairings if pairing.section == "main")
    lost = {(pairing.section, pairing.loser): pairing.round for pairing in pairings if pairing.state == "done"}
    rested = {(pairing.section, pairing.round, pairing.winner) for pairing in pairings if pairing.state == "bye"}
    progressive = config.consolation == "progressive" and rounds > 3

    def lost_at(section: str, entrant: Entrant, *, first: int) -> bool:
        """Whether he lost in one of the first rounds, or in the next after a bye in the last of them."""
        round_ = lost.get((section, entrant), 0)
        return 0 < round_ <= first or (round_ == first + 1 and (section, first, entrant) in rested)

    def lives(entrant: Entrant) -> int:
        first = rounds - 2 if progressive else 1
        if config.consolation == "none" or rounds == 1 or not lost_at("main", entrant, first=first):
            return 1
        last = config.last_chance and rounds > 2 and lost_at("consolation", entrant, first=2 if progressive else 1)
        return 3 if last else 2

    return {entrant: lives(entrant) for pairing in pairings if pairing.round == 1 for entrant in pairing.entrants}


def winners_of_sections(pairings: tuple[Pairing, ...]) -> set[Entrant | None]:
    return {pairing.winner for pairing in {pairing.section: pairing for pairing in pairings}.values()}


@pytest.mark.parametrize("config", [*CHANCES, *DRAWN], ids=config_id)
def test_everybody_has_the_losses_that_the_format_allows_and_nobody_plays_twice_at_a_time(config):
    for entrants in sizes(config):
        chance = Random(entrants)
        now = ended(KNOCKOUT, config, entrants, chance=chance)
        pairings = KNOCKOUT.pairings(config, now)
        lost, best = losses(pairings), winners_of_sections(pairings)
        assert {entrant: lost[entrant] + (entrant in best) for entrant in now.order} == allowed(config, pairings)
        earlier = KNOCKOUT.pairings(config, earlier_state(now, chance=chance))
        assert [pairing.key for pairing in earlier] == [pairing.key for pairing in pairings]
        assert most_open_pairings(earlier) <= 1
        assert settled(earlier).items() <= settled(pairings).items()


@pytest.mark.parametrize("config", CHANCES, ids=config_id)
def test_everybody_has_a_place_and_section_winners_are_not_out(config):
    for entrants in [*range(2, 20), 128]:
        now = ended(KNOCKOUT, config, entrants, chance=Random(entrants))
        standings = KNOCKOUT.standings(config, now)
        assert sorted(standing.entrant for standing in standings) == sorted(now.order)
        assert {standing.entrant for standing in standings if not standing.note} == winners_of_sections(
            KNOCKOUT.pairings(config, now)
        )


@pytest.mark.parametrize("config", FULLEST, ids=config_id)
def test_keys_are_unique_and_sections_stand_in_order(config):
    for entrants in range(2, 66):
        keys = [(node.section, node.round, node.number) for node in graph(config, entrants)]
        order = ["main", "consolation", "last"]
        assert keys == sorted(set(keys), key=lambda key: (order.index(key[0]), *key[1:]))


@pytest.mark.parametrize(
    ("fewer", "more"),
    [(PLAIN, SIMPLE), (PLAIN, PROGRESSIVE), (SIMPLE, SIMPLE_AND_LAST), (PROGRESSIVE, PROGRESSIVE_AND_LAST)],
    ids=config_id,
)
def test_a_further_chance_changes_nothing_before_it(fewer, more):
    for entrants in [*range(2, 41), 64, 100, 128]:
        before = graph(fewer, entrants)
        assert graph(more, entrants)[: len(before)] == before


@pytest.mark.parametrize("config", [*CHANCES, *DRAWN], ids=config_id)
def test_it_ends_with_withdrawals_and_double_walkovers(config):
    for entrants in [*range(2, 18), 33]:
        states = list(played(KNOCKOUT, config, entrants, chance=Random(entrants), leaving=0.1, double_walkovers=0.1))
        assert max(most_open_pairings(pairings) for _now, pairings in states) <= 1
        now, pairings = states[-1]
        assert KNOCKOUT.over(config, now)
        assert max(losses(pairings).values()) <= 1 + (config.consolation != "none") + config.last_chance
        assert sorted(standing.entrant for standing in KNOCKOUT.standings(config, now)) == sorted(now.order)


@pytest.mark.parametrize("config", CHANCES, ids=config_id)
def test_every_state_equals_its_replay(config):
    for entrants in (2, 3, 5, 8, 11, 16, 19):
        chance = Random(entrants)
        for now, pairings in played(KNOCKOUT, config, entrants, chance=chance, leaving=0.05, double_walkovers=0.05):
            assert KNOCKOUT.pairings(config, shuffled(now, chance=chance)) == pairings
