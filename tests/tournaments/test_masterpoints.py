"""Master points (ruling P1): the numbers of the formula by hand, and what each way to end a tournament is worth."""

from __future__ import annotations

from math import log2, sqrt

import pytest

from tests.tournaments.folded import played_state
from tournaments.masterpoints import Award, awards, division_weight, placed_count, rank_factor, rank_points, win_points


def test_p1_a_win_earns_a_third_of_the_root_of_the_match_length() -> None:
    assert win_points(9) == 1
    assert win_points(1) == pytest.approx(1 / 3)
    assert round(win_points(7), 3) == 0.882


def test_p1_the_factors_of_the_published_table() -> None:
    assert [round(rank_factor(rank), 3) for rank in range(1, 7)] == [1.0, 0.7, 0.5, 0.333, 0.25, 0.2]


def test_p1_rank_points_grow_with_the_doublings_of_the_players() -> None:
    assert rank_points(32, 1) == pytest.approx(0.6 * 5)
    assert rank_points(64, 2) == pytest.approx(0.6 * 6 * 0.7)
    assert rank_points(1, 1) == 0


def test_p1_players_on_a_level_share_the_points_of_their_ranks() -> None:
    assert rank_points(32, 3, 2) == pytest.approx(0.6 * 5 * (1 / 2 + 1 / 3) / 2)
    assert rank_points(32, 5, 4) == pytest.approx(0.6 * 5 * (1 / 4 + 1 / 5 + 1 / 6 + 1 / 7) / 4)


def test_p1_divisions_weigh_1_then_07_then_05() -> None:
    assert [division_weight(number) for number in (1, 2, 3, 4)] == [1.0, 0.7, 0.5, 0.5]


def test_p1_places_with_a_prize_earn_points_else_the_first_quarter() -> None:
    assert [placed_count(players) for players in (1, 4, 5, 32)] == [1, 1, 2, 8]
    assert placed_count(32, 3) == 3
    assert placed_count(2, 3) == 2


def test_p1_a_knock_out_of_four() -> None:
    """Matches to 9: the champion won two, the finalist one; of four only the winner is placed."""
    assert awards(played_state("knockout", 4, lengths=(9,))) == (
        Award(1, 2000, 1200),
        Award(2, 1000, 0),
        Award(4, 0, 0),
        Award(3, 0, 0),
    )
    placed = awards(played_state("knockout", 4, lengths=(9,)), prizes=3)
    third = round(1000 * 0.6 * 2 * (1 / 2 + 1 / 3) / 2)
    assert [(award.entrant, award.placement) for award in placed] == [(1, 1200), (2, 840), (4, third), (3, third)]


def test_p1_each_round_counts_by_its_own_length_as_does_the_consolation() -> None:
    state = played_state("knockout", 4, lengths=(5, 9), side_lengths=(1,), consolation="simple")
    got = {single.entrant: single.wins for single in awards(state)}
    five, single = round(1000 * sqrt(5) / 3), round(1000 / 3)
    assert got == {1: round(1000 * (sqrt(5) / 3 + 1)), 2: five, 3: single, 4: 0}


def test_p1_the_weight_of_the_event_and_of_the_division() -> None:
    state = played_state("league", 6, divisions=2, lengths=(9,))
    half = awards(state, weight=50)
    size = 0.6 * log2(3)
    assert [(award.entrant, award.wins, award.placement) for award in half] == [
        (1, 1000, round(500 * size)),
        (2, 500, 0),
        (3, 0, 0),
        (4, 700, round(500 * 0.7 * size)),
        (5, 350, 0),
        (6, 0, 0),
    ]
    assert {(award.wins, award.placement) for award in awards(state, weight=0)} == {(0, 0)}


def test_p1_a_walkover_earns_nothing_and_withdrawn_players_are_not_placed() -> None:
    state = played_state("knockout", 4, lengths=(9,), walkovers=("main-1-1",))
    assert [(award.entrant, award.wins) for award in awards(state)][:2] == [(1, 1000), (2, 1000)]
    left = played_state("swiss", 4, lengths=(9,), rounds=2, left=(1,))
    assert next(award for award in awards(left, prizes=4) if award.entrant == 1).placement == 0


def test_a_win_without_a_score_earns_the_points_of_a_match_won() -> None:
    scored = played_state("knockout", 4, lengths=(9,))
    assert awards(played_state("knockout", 4, lengths=(9,), unscored=("main-1-1", "main-2-1"))) == awards(scored)


def test_p1_nothing_is_awarded_before_the_end() -> None:
    assert awards(played_state("knockout", 4, played=2)) == ()
