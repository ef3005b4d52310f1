"""The final ranking of every format."""

from __future__ import annotations

from typing import Any

from tests.tournaments.folded import played_state
from tournaments.final_ranking import final_ranks


def places(format_: str, players: int, **shape: Any) -> list[tuple[int, int, int]]:
    return [(rank.entrant, rank.place, rank.sharing) for rank in final_ranks(played_state(format_, players, **shape))]


def test_losers_of_the_same_round_share_the_place() -> None:
    assert sorted(places("knockout", 8)) == [
        *((1, 1, 1), (2, 2, 1), (3, 3, 2), (4, 3, 2)),
        *((5, 5, 4), (6, 5, 4), (7, 5, 4), (8, 5, 4)),
    ]


def test_a_consolation_changes_no_place() -> None:
    plain = sorted(places("knockout", 8))
    assert sorted(places("knockout", 8, consolation="progressive", last_chance=True)) == plain


def test_entrants_who_did_not_advance_rank_behind_those_who_did() -> None:
    ranking = places("groups", 8, groups=2, advance=2)
    assert [place for _entrant, place, _sharing in ranking] == [1, 2, 3, 3, 5, 5, 7, 7]
    assert {entrant for entrant, _place, _sharing in ranking} == set(range(1, 9))


def test_the_second_division_ranks_behind_the_first() -> None:
    ranking = final_ranks(played_state("league", 6, divisions=2))
    assert [(rank.entrant, rank.place, rank.rank, rank.division, rank.players) for rank in ranking] == [
        *((1, 1, 1, 1, 3), (2, 2, 2, 1, 3), (3, 3, 3, 1, 3)),
        *((4, 4, 1, 2, 3), (5, 5, 2, 2, 3), (6, 6, 3, 2, 3)),
    ]


def test_wins_count_in_all_sections_and_byes_do_not() -> None:
    wins = {rank.entrant: rank.wins for rank in final_ranks(played_state("knockout", 3, consolation="simple"))}
    assert wins == {1: 1, 2: 1, 3: 0}


def test_there_is_no_ranking_before_the_end() -> None:
    assert final_ranks(played_state("swiss", 4, rounds=2, played=2)) == ()
