"""The graph of pairings and its resolution."""

from __future__ import annotations

from random import Random

import pytest

from tests.tournaments.formats import filled, history
from tournaments.formats.bracket import (
    Node,
    all_settled,
    check_size,
    finishing_order,
    first_losers,
    graph_of,
    interleave,
    losers,
    resolve,
    row,
    rows_to_final,
    winners,
)
from tournaments.formats.core import (
    Bye,
    History,
    Invalid,
    LoserOf,
    PairingReason,
    Placed,
    Result,
    Seed,
    Slot,
    Standing,
    WinnerOf,
)

FOUR = graph_of(rows_to_final(row("main", 1, [Seed(1), Seed(4), Seed(2), Seed(3)])))
THREE = rows_to_final(row("main", 1, [Seed(1), Bye(), Seed(2), Seed(3)]))
THIRD = (*FOUR, Node("third", 1, 1, LoserOf("main-1-1"), LoserOf("main-1-2")))
TWICE = (
    Node("final", 1, 1, Seed(1), Seed(2)),
    Node("final", 2, 1, LoserOf("final-1-1"), WinnerOf("final-1-1"), only_if="final-1-1"),
)


def test_neighbours_meet_until_one_is_left():
    assert [(node.key, node.a, node.b) for node in FOUR] == [
        ("main-1-1", Seed(1), Seed(4)),
        ("main-1-2", Seed(2), Seed(3)),
        ("main-2-1", WinnerOf("main-1-1"), WinnerOf("main-1-2")),
    ]


def test_two_lists_of_entrants_are_interleaved():
    assert row("losers", 2, interleave([Seed(1), Seed(2)], [Seed(3), Seed(4)])) == (
        Node("losers", 2, 1, Seed(1), Seed(3), PairingReason("seeded", {"a": 1, "b": 3})),
        Node("losers", 2, 2, Seed(2), Seed(4), PairingReason("seeded", {"a": 2, "b": 4})),
    )


def test_each_pairing_has_a_reason():
    pairings = resolve(graph_of(THREE), history(3))
    assert [pairing.why for pairing in pairings] == [
        PairingReason("seeded", {"a": 1}),
        PairingReason("seeded", {"a": 2, "b": 3}),
        PairingReason("fed", {"from": ("main-1-1", "main-1-2")}),
    ]


def test_two_byes_have_no_winner_and_a_bye_has_no_loser():
    first = row("main", 1, [Bye(), Bye(), Seed(1), Bye(), Seed(2), Seed(3)])
    assert winners(first) == [Bye(), WinnerOf("main-1-2"), WinnerOf("main-1-3")]
    assert losers(first) == [Bye(), Bye(), LoserOf("main-1-3")]


def test_seeds_follow_the_drawn_order():
    drawn = History((8, 6, 7, 5))
    assert filled(resolve(FOUR, drawn)) == ["main-1-1 ready: 8, 5", "main-1-2 ready: 6, 7", "main-2-1 waiting: ?, ?"]


def test_winners_and_losers_move_to_their_next_pairings():
    assert filled(resolve(THIRD, history(4, {"main-1-1": 1}))) == [
        "main-1-1 done: 1, 4",
        "main-1-2 ready: 2, 3",
        "main-2-1 waiting: 1, ?",
        "third-1-1 waiting: 4, ?",
    ]


def test_a_double_walkover_leaves_the_next_slot_empty():
    assert filled(resolve(THIRD, history(4, {"main-1-1": None, "main-1-2": 3}))) == [
        "main-1-1 done: 1, 4",
        "main-1-2 done: 2, 3",
        "main-2-1 bye: -, 3",
        "third-1-1 bye: -, 2",
    ]
    assert filled(resolve(THIRD, history(4, {"main-1-1": None, "main-1-2": None})))[2:] == [
        "main-2-1 void: -, -",
        "third-1-1 void: -, -",
    ]


def test_a_withdrawn_entrant_loses_the_unplayed_matches():
    pairings = resolve(THIRD, history(4, {"main-1-1": 1}, withdrawn=[1, 2]))
    assert filled(pairings) == [
        "main-1-1 done: 1, 4",
        "main-1-2 done: 2, 3",
        "main-2-1 done: 1, 3",
        "third-1-1 done: 4, 2",
    ]
    assert [pairing.result for pairing in pairings] == [
        Result(1),
        Result(3, how="withdrawn"),
        Result(3, how="withdrawn"),
        Result(4, how="withdrawn"),
    ]


def test_a_result_of_other_entrants_is_ignored_after_a_correction():
    assert filled(resolve(FOUR, history(4, {"main-1-1": 4, "main-1-2": 2, "main-2-1": 1})))[2] == "main-2-1 ready: 4, 2"


def test_a_second_final_is_played_only_if_the_second_entrant_won():
    assert filled(resolve(TWICE, history(2)))[1] == "final-2-1 waiting: ?, ?"
    assert filled(resolve(TWICE, history(2, {"final-1-1": 1})))[1] == "final-2-1 void: -, -"
    assert filled(resolve(TWICE, history(2, {"final-1-1": None})))[1] == "final-2-1 void: -, -"
    assert filled(resolve(TWICE, history(2, {"final-1-1": 2})))[1] == "final-2-1 ready: 1, 2"
    assert filled(resolve(TWICE, history(2, {"final-1-1": 2, "final-2-1": 1})))[1] == "final-2-1 done: 1, 2"


def test_a_result_of_an_unneeded_pairing_does_not_count():
    assert filled(resolve(TWICE, history(2, {"final-1-1": 1, "final-2-1": 2})))[1] == "final-2-1 void: -, -"


def test_group_places_are_filled_as_they_become_known():
    graph = row("main", 1, [Placed("group-1", 1), Placed("group-2", 2)])
    first = Slot(Placed("group-1", 1), 7)
    pairings = resolve(graph, history(8), {Placed("group-1", 1): first})
    assert (pairings[0].a, pairings[0].b) == (first, Slot(Placed("group-2", 2)))
    assert (pairings[0].state, pairings[0].why) == ("waiting", PairingReason("placed"))


# Seed 1 rests in round 1 of THREE; who loses his first match comes here.
BOTH_CHANCES = graph_of([*THREE, row("consolation", 1, first_losers(*THREE))])


def test_after_a_bye_the_first_loss_is_that_of_the_next_round():
    assert filled(resolve(BOTH_CHANCES, history(3)))[3] == "consolation-1-1 waiting: ?, ?"
    assert filled(resolve(BOTH_CHANCES, history(3, {"main-1-2": 2})))[3] == "consolation-1-1 waiting: ?, 3"
    lost = resolve(BOTH_CHANCES, history(3, {"main-1-2": 2, "main-2-1": 2}))
    assert filled(lost)[3] == "consolation-1-1 ready: 1, 3"
    assert lost[3].why == PairingReason("fed", {"from": ("main-2-1", "main-1-2")})


def test_a_loser_of_a_second_match_does_not_enter_the_consolation():
    assert filled(resolve(BOTH_CHANCES, history(3, {"main-1-2": 2, "main-2-1": 1})))[3] == "consolation-1-1 bye: -, 3"


def test_of_two_entrants_with_byes_one_loses_the_first_match():
    rows = rows_to_final(row("main", 1, [Seed(1), Bye(), Seed(2), Bye()]))
    assert first_losers(*rows) == [LoserOf("main-2-1"), Bye()]


def test_an_empty_section_has_no_first_losers():
    rows = rows_to_final(row("main", 1, [Seed(1), Bye(), Bye(), Bye()]))
    assert first_losers(*rows) == [Bye(), Bye()]


def test_a_bracket_holds_2_to_512():
    check_size(2)
    check_size(512)
    with pytest.raises(Invalid) as few:
        check_size(1)
    with pytest.raises(Invalid) as many:
        check_size(513)
    assert (few.value.code, few.value.params) == ("too_few", {"least": 2})
    assert (many.value.code, many.value.params) == ("too_many", {"most": 512})


def test_all_is_settled_when_no_pairing_is_open():
    assert not all_settled(resolve(FOUR, history(4, {"main-1-1": 1, "main-1-2": 2})))
    assert all_settled(resolve(FOUR, history(4, {"main-1-1": 1, "main-1-2": 2, "main-2-1": 2})))
    assert all_settled(resolve(FOUR, history(4, withdrawn=[1, 2, 3, 4])))


def test_entrants_who_share_a_place_are_ordered_by_their_other_section():
    pairings = resolve(THIRD, history(4, {"main-1-1": 1, "main-1-2": 2, "main-2-1": 2, "third-1-1": 3}))
    assert finishing_order(pairings, {1: 2, 2: 1, 3: 3, 4: 3}) == (
        Standing(1, 2, "main", played=2, wins=2),
        Standing(2, 1, "main", played=2, wins=1, losses=1, note="out"),
        Standing(3, 3, "third", played=2, wins=1, losses=1),
        Standing(3, 4, "third", played=2, losses=2, note="out"),
    )


def test_an_entrant_with_an_open_pairing_is_not_out():
    pairings = resolve(THIRD, history(4, {"main-1-1": 1}))
    assert finishing_order(pairings, {4: 3}) == (Standing(3, 4, "third", played=1, losses=1),)
    pairings = resolve(THIRD, history(4, {"main-1-1": 1, "main-1-2": 2}))
    assert pairings[-1].state == "ready"
    assert [line.note for line in finishing_order(pairings, {3: 3, 4: 3})] == ["", ""]


def test_the_order_of_results_does_not_matter():
    results = {"main-1-1": 4, "main-1-2": 3, "main-2-1": 3, "third-1-1": 1}
    chance = Random(1)
    for _ in range(10):
        shuffled = dict(chance.sample(sorted(results.items()), len(results)))
        assert resolve(THIRD, history(4, shuffled)) == resolve(THIRD, history(4, results))
