"""One order of everybody, whatever the format."""

from __future__ import annotations

from tests.tournaments.ended import ended
from tournaments.finals import finals


def places(format_: str, players: int, **shape: object) -> list[tuple[int, int, int]]:
    return [(one.entrant, one.place, one.sharing) for one in finals(ended(format_, players, **shape))]  # type: ignore[arg-type]


def test_who_lost_in_the_same_round_shares_the_place() -> None:
    assert sorted(places("knockout", 8)) == [
        *((1, 1, 1), (2, 2, 1), (3, 3, 2), (4, 3, 2)),
        *((5, 5, 4), (6, 5, 4), (7, 5, 4), (8, 5, 4)),
    ]


def test_a_consolation_moves_nobody() -> None:
    plain = sorted(places("knockout", 8))
    assert sorted(places("knockout", 8, consolation="progressive", last_chance=True)) == plain


def test_who_did_not_go_on_from_a_group_stands_behind_who_did() -> None:
    got = places("groups", 8, groups=2, advance=2)
    assert [place for _entrant, place, _sharing in got] == [1, 2, 3, 3, 5, 5, 7, 7]
    assert {entrant for entrant, _place, _sharing in got} == set(range(1, 9))


def test_the_second_division_stands_behind_the_first() -> None:
    got = finals(ended("league", 6, divisions=2))
    assert [(one.entrant, one.place, one.rank, one.division, one.players) for one in got] == [
        *((1, 1, 1, 1, 3), (2, 2, 2, 1, 3), (3, 3, 3, 1, 3)),
        *((4, 4, 1, 2, 3), (5, 5, 2, 2, 3), (6, 6, 3, 2, 3)),
    ]


def test_wins_are_those_of_all_sections_byes_are_none() -> None:
    got = {one.entrant: one.wins for one in finals(ended("knockout", 3, consolation="simple"))}
    assert got == {1: 1, 2: 1, 3: 0}


def test_nobody_has_a_place_before_the_end() -> None:
    assert finals(ended("swiss", 4, rounds=2, played=2)) == ()
