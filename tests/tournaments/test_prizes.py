"""Prizes add up to the last hundredth."""

from __future__ import annotations

import pytest

from tests.tournaments.folded import played_state
from tournaments.final_ranking import final_ranks
from tournaments.prizes import Pool, Purse, Share, place_prizes, place_winners, pool_winners, split


@pytest.mark.parametrize(
    ("total", "weights", "parts"),
    [
        (10000, [50, 30, 20], [5000, 3000, 2000]),
        (1001, [50, 50], [501, 500]),
        (100, [34, 33, 33], [34, 33, 33]),
        (101, [33, 33, 34], [33, 33, 35]),
        (1, [50, 30, 20], [1, 0, 0]),
        (0, [60, 40], [0, 0]),
        (999, [60], [599]),
    ],
)
def test_parts_add_up_to_the_last_hundredth(total: int, weights: list[int], parts: list[int]) -> None:
    assert split(total, weights, 100) == parts
    assert sum(parts) == total * sum(weights) // 100


def test_any_purse_adds_up() -> None:
    for total in range(500):
        for weights in ([50, 30, 20], [40, 30, 20, 10], [70, 30], [34, 33, 33], [1] * 100):
            assert sum(split(total, weights, 100)) == total


def test_the_purse_is_the_paid_fees_and_the_addition_of_the_club() -> None:
    purse = Purse(fee=500, added=2000, shares=(50, 30, 20))
    assert place_prizes(purse, 11) == [Share(1, 3750, 50), Share(2, 2250, 30), Share(3, 1500, 20)]


def test_players_who_share_a_place_share_its_prizes() -> None:
    shares = place_prizes(Purse(added=10001, shares=(50, 25, 15, 10)), 0)
    assert [share.amount for share in shares] == [5001, 2500, 1500, 1000]
    assert place_winners(shares, final_ranks(played_state("knockout", 8))) == [
        Share(1, 5001, 50, 1),
        Share(2, 2500, 25, 2),
        Share(3, 1250, None, 4),
        Share(3, 1250, None, 3),
    ]


def test_the_last_prize_may_be_shared_by_more_players_than_places() -> None:
    got = place_winners(
        place_prizes(Purse(added=1000, shares=(50, 30, 20)), 0), final_ranks(played_state("knockout", 4))
    )
    assert [(prize.place, prize.amount) for prize in got] == [(1, 500), (2, 300), (3, 100), (3, 100)]


def test_a_side_pool_goes_to_its_best_placed_entrants() -> None:
    ends = final_ranks(played_state("knockout", 8))
    assert pool_winners(Pool("Fridays", 300, (2, 5, 8)), ends) == [Share(2, 900, None, 2)]
    assert pool_winners(Pool("Fridays", 333, (5, 6, 7)), ends) == [
        Share(5, 333, None, entrant) for entrant in (5, 7, 6)
    ]
    assert pool_winners(Pool("Fridays", 300), ends) == []


@pytest.mark.parametrize(
    "purse",
    [
        Purse(shares=(60, 50)),
        Purse(shares=(0,)),
        Purse(fee=-1),
        Purse(weight=-1),
        Purse(pools=(Pool("a", -1),)),
        Purse(added=10**9),
    ],
)
def test_an_impossible_purse_is_invalid(purse: Purse) -> None:
    assert not purse.is_valid


def test_a_purse_is_read_as_it_was_written() -> None:
    purse = Purse(500, 100, (60, 40), "€", True, 80, (Pool("Fridays", 300, (1, 2)),))
    assert purse.is_valid
    assert Purse.read(purse.as_json()) == purse
    assert Purse.read({}).is_empty
