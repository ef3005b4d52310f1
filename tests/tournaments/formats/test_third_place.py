"""The third-place match of a single elimination (ruling E16)."""

from __future__ import annotations

import pytest

from tests.tournaments.conftest import terms
from tests.tournaments.folded import played_state
from tournaments.errors import Refused
from tournaments.final_ranking import final_ranks
from tournaments.formats.core import Config
from tournaments.formats.knockout import graph
from tournaments.services.setup import check_terms
from tournaments.state import State

THIRD = "third-1-1"


def state(players: int, **more: object) -> State:
    return played_state("knockout", players, third_place=True, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [4, 5, 8, 13, 64])
def test_the_losers_of_the_semi_finals_meet_for_the_third_place(players: int) -> None:
    end = state(players)
    third = end.by_key[THIRD]
    assert (third.entrants, third.winner) in (((4, 3), 3), ((3, 4), 3))
    assert [(line.entrant, line.place) for line in end.standings][:4] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [(rank.entrant, rank.place, rank.sharing) for rank in final_ranks(end)][2:4] == [(3, 3, 1), (4, 4, 1)]


def test_it_is_as_long_as_the_final() -> None:
    end = state(8, lengths=(5, 7, 9), side_lengths=(3,))
    assert end.rules.length("third", 1) == end.rules.length("main", 3) == 9


def test_the_tournament_is_over_when_both_are_played() -> None:
    assert [state(4, played=played).complete for played in (2, 3, 4)] == [False, False, True]


@pytest.mark.parametrize("players", [2, 3])
def test_there_is_none_where_a_semi_final_has_a_bye(players: int) -> None:
    assert not any(node.section == "third" for node in graph(Config("knockout", third_place=True), players))


def test_who_withdraws_from_it_is_fourth() -> None:
    end = state(4, played=2, left=(3,))
    assert (end.by_key[THIRD].winner, {line.entrant: line.place for line in end.standings}[3]) == (4, 4)


def test_a_consolation_excludes_it() -> None:
    with pytest.raises(Refused) as found:
        check_terms(terms(config={"third_place": True, "consolation": "simple"}))
    assert found.value.code == "third_place"
