"""The table of a season (ruling P2): points, best results, and the order of players on a level."""

from __future__ import annotations

from tournaments.seasons import SeasonResult, SeasonTerms, score, season_table


def result(
    player: str, tournament: str, place: int, *, sharing: int = 1, wins: int = 0, master: int = 0
) -> SeasonResult:
    return SeasonResult(player, tournament, place, sharing, wins, master)


def test_p2_places_have_points_and_later_ones_presence_points() -> None:
    terms = SeasonTerms(points=(10, 6, 4), presence=1)
    assert [score(terms, result("ana", "n1", place)) for place in (1, 2, 3, 4, 30)] == [1000, 600, 400, 100, 100]


def test_p2_players_who_share_a_place_share_the_points() -> None:
    terms = SeasonTerms(points=(10, 6, 4), presence=1)
    assert score(terms, result("ana", "n1", 3, sharing=2)) == 250
    assert score(terms, result("ana", "n1", 2, sharing=3)) == 367


def test_p2_by_master_points_and_by_wins() -> None:
    first_place = result("ana", "n1", 1, wins=4, master=1875)
    assert score(SeasonTerms("master"), first_place) == 188
    assert score(SeasonTerms("wins"), first_place) == 400


def test_p2_only_the_best_results_count() -> None:
    terms = SeasonTerms(points=(10, 6), presence=1, best=2)
    nights = [result("ana", f"n{n}", place) for n, place in enumerate((2, 1, 5, 2))]
    (line,) = season_table(terms, nights)
    assert line.total == 1600
    assert line.counted == {"n1", "n0"}
    assert line.played == 4


def test_p2_ties_are_broken_by_first_places_then_second_ones_then_wins() -> None:
    terms = SeasonTerms(points=(10, 5), presence=0)
    rows = [
        result("ana", "n1", 2, wins=9),
        result("ana", "n2", 2, wins=9),
        result("bea", "n3", 1, wins=1),
        result("carlos", "n4", 1, wins=2),
        result("carlos", "n5", 7),
        result("dora", "n6", 1, wins=2),
        result("dora", "n7", 7),
    ]
    got = [(line.place, line.player, line.total) for line in season_table(terms, rows)]
    assert got == [(1, "carlos", 1000), (1, "dora", 1000), (3, "bea", 1000), (4, "ana", 1000)]


def test_p2_a_season_without_results_is_empty() -> None:
    assert season_table(SeasonTerms(), []) == []
