"""Team matches from the first round to the final table (ruling E20)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from accounts.models import User
from tests.tournaments.conftest import fresh
from tests.tournaments.team_tournaments import (
    LENGTH,
    boards_of,
    names,
    open_round,
    six_clubs,
    table,
    team_match,
    team_tournament,
    win,
)
from tests.tournaments.test_services import refused
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

# Five rounds of the league: home team, away team, and the boards that the home team wins of four.
LEAGUE: Mapping[int, Sequence[tuple[str, str, int]]] = {
    1: [("A", "F", 4), ("B", "E", 3), ("C", "D", 2)],
    2: [("F", "D", 1), ("E", "C", 1), ("A", "B", 2)],
    3: [("B", "F", 4), ("C", "A", 1), ("D", "E", 3)],
    4: [("F", "E", 2), ("A", "D", 1), ("B", "C", 3)],
    5: [("C", "F", 0), ("D", "B", 1), ("E", "A", 1)],
}


@pytest.fixture
def league(dora: User) -> Tournament:
    return six_clubs(dora)


def test_a_league_of_six_clubs_over_five_rounds_has_the_table_computed_by_hand(league: Tournament, dora: User) -> None:
    for number, matches in LEAGUE.items():
        open_round(league, dora, number)
        for home, away, boards in matches:
            team_match(league, dora, home, away, boards)
    # By hand, team by team over the rounds 1 to 5, match points (board points):
    #   A: 2 (4), 1 (2), 2 (3), 0 (1), 2 (3) =  7 (13)
    #   B: 2 (3), 1 (2), 2 (4), 2 (3), 2 (3) =  9 (15)
    #   C: 1 (2), 2 (3), 0 (1), 0 (1), 0 (0) =  3 (7)
    #   D: 1 (2), 2 (3), 2 (3), 2 (3), 0 (1) =  7 (12)
    #   E: 0 (1), 0 (1), 0 (1), 1 (2), 0 (1) =  1 (6)
    #   F: 0 (0), 0 (1), 0 (0), 1 (2), 2 (4) =  3 (7)
    # A and D: board points, 13 against 12, although D beat A. F and C have the same of both: F beat C.
    assert table(league) == [
        (1, "B", 5, 4, 1, 0, 9, 15),
        (2, "A", 5, 3, 1, 1, 7, 13),
        (3, "D", 5, 3, 1, 1, 7, 12),
        (4, "F", 5, 1, 1, 3, 3, 7),
        (5, "C", 5, 1, 1, 3, 3, 7),
        (6, "E", 5, 0, 1, 4, 1, 6),
    ]
    league.refresh_from_db()
    assert league.phase == "over"


def test_a_match_counts_when_all_its_boards_are_played_and_goes_back_when_one_is_undone(
    league: Tournament, dora: User
) -> None:
    open_round(league, dora, 1)
    *first, last = boards_of(league, "A", "F")
    for board in first:
        win(league, dora, board, board.entrants[0])
    assert table(league)[0] == (1, "A", 0, 0, 0, 0, 0, 0)
    act = services.result_enter(
        tournament_id=league.pk, user=dora, key=last.key, winner=last.entrants[1], points=(3, LENGTH)
    )
    assert table(league)[0] == (1, "A", 1, 1, 0, 0, 2, 3)
    services.act_undo(tournament_id=league.pk, user=dora, act=act)
    assert table(league)[0] == (1, "A", 0, 0, 0, 0, 0, 0)
    assert boards_of(league, "A", "F")[3].state == "ready"


def test_the_correction_of_a_board_turns_a_team_match(league: Tournament, dora: User) -> None:
    open_round(league, dora, 1)
    team_match(league, dora, "C", "D", 2)
    assert [row[:2] for row in table(league) if row[6]] == [(1, "C"), (1, "D")]
    board = boards_of(league, "C", "D")[3]
    services.result_correct(
        tournament_id=league.pk,
        user=dora,
        key=board.key,
        winner=board.entrants[0],
        points=(LENGTH, 4),
        why="written down the wrong way round",
    )
    assert table(league)[0] == (1, "C", 1, 1, 0, 0, 2, 3)


def test_a_board_without_a_player_is_lost_by_walkover_and_nobody_wins_one_that_both_miss(
    league: Tournament, dora: User
) -> None:
    open_round(league, dora, 1)
    one, two, three, four = boards_of(league, "A", "F")
    win(league, dora, one, one.entrants[1])
    win(league, dora, two, two.entrants[0])
    services.result_enter(tournament_id=league.pk, user=dora, key=three.key, winner=three.entrants[0], how="walkover")
    services.result_enter(tournament_id=league.pk, user=dora, key=four.key, winner=None, how="walkover")
    assert table(league)[0] == (1, "A", 1, 1, 0, 0, 2, 2)


def test_a_team_who_withdraws_in_a_match_loses_the_boards_that_are_left(league: Tournament, dora: User) -> None:
    open_round(league, dora, 1)
    one, two, *_rest = boards_of(league, "A", "F")
    for board in (one, two):
        win(league, dora, board, board.entrants[0])
    team = league.entrants.get(written_name="A").number
    services.entrant_withdraw(tournament_id=league.pk, user=dora, number=team)
    assert fresh(league).fixtures[0].result is not None
    fixture = next(each for each in fresh(league).fixtures if team in each.entrants and each.round == 1)
    assert fixture.result is not None
    assert (fixture.result.drawn, fixture.result.points) == (True, (2, 2))


# The knock-out


def knockout(dora: User, **chosen: Any) -> Tournament:
    """Four teams of three boards, started, with the semi-finals open."""
    made = team_tournament(dora, "knockout", "ABCD", boards=chosen.pop("boards", 3), **chosen)
    services.tournament_start(tournament_id=made.pk, user=dora)
    open_round(made, dora, 1, "main")
    return made


def test_the_team_who_wins_more_boards_goes_on_in_a_knock_out(dora: User) -> None:
    made = knockout(dora)
    team_match(made, dora, "A", "D", 2)
    team_match(made, dora, "B", "C", 0)
    assert boards_of(made, "A", "C") == []  # the line-ups of the final are nobody's business yet
    open_round(made, dora, 2, "main")
    team_match(made, dora, "A", "C", 1)
    name = names(made)
    assert [(line.place, name[line.entrant]) for line in fresh(made).standings] == [
        (1, "C"),
        (2, "A"),
        (3, "D"),
        (3, "B"),
    ]


def test_a_correction_that_changes_the_finalist_asks_before_it_resets_the_final(dora: User) -> None:
    made = knockout(dora)
    team_match(made, dora, "A", "D", 2)
    team_match(made, dora, "B", "C", 0)
    open_round(made, dora, 2, "main")
    first = boards_of(made, "A", "C")[0]
    win(made, dora, first, first.entrants[0])
    board = boards_of(made, "A", "D")[0]
    correction = {
        "tournament_id": made.pk,
        "user": dora,
        "key": board.key,
        "winner": board.entrants[1],
        "points": (0, LENGTH),
        "why": "the slip was read upside down",
    }
    refused("affected", services.result_correct, **correction)
    services.result_correct(**correction, agreed=[first.key])
    assert [pairing.state for pairing in boards_of(made, "D", "C")] == ["ready"] * 3


@pytest.mark.parametrize(
    ("lost", "winner"),
    [
        ((0, 0, 0, 4), "D"),  # 15 points against 16: D has one more
        ((4, 4, 0, 0), "A"),  # 18 points against 10
        ((3, 3, 3, 3), "A"),  # 16 points each: A won the first board
    ],
)
def test_a_drawn_match_goes_on_by_points_and_then_by_the_highest_board(
    dora: User, lost: Sequence[int], winner: str
) -> None:
    made = knockout(dora, boards=4)
    boards = boards_of(made, "A", "D")
    # A wins the boards 1 and 4, D the boards 2 and 3; `lost` are the points of the losers.
    points = {0: (5, lost[0]), 1: (lost[1], 5), 2: (lost[2], 5), 3: (5, lost[3])}
    for number, board in enumerate(boards):
        won = board.entrants[0] if number in (0, 3) else board.entrants[1]
        services.result_enter(tournament_id=made.pk, user=dora, key=board.key, winner=won, points=points[number])
    fixture = fresh(made).fixtures[0]
    assert fixture.winner is not None
    assert names(made)[fixture.winner] == winner


# The Swiss


def test_a_swiss_of_five_teams_gives_the_bye_a_match_and_the_smallest_majority_of_boards(dora: User) -> None:
    made = team_tournament(dora, "swiss", "ABCDE", boards=3, rounds=2)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.round_pair(tournament_id=made.pk, user=dora)
    # By the fold of the draw: A meets C, B meets D, and E, the last one, has the bye.
    team_match(made, dora, "A", "C", 3)
    team_match(made, dora, "B", "D", 1)
    #     A: 2 (3), D: 2 (2), E: the bye, 2 (2), B: 0 (1), C: 0 (0).
    # E and D: Buchholz, 1 (the bye is a game against its own score) against 0 (of B).
    assert [row[1:2] + row[6:] for row in table(made)] == [
        ("A", 2, 3),
        ("E", 2, 2),
        ("D", 2, 2),
        ("B", 0, 1),
        ("C", 0, 0),
    ]
    services.round_pair(tournament_id=made.pk, user=dora)
    second = [fixture for fixture in fresh(made).fixtures if fixture.round == 2]
    name = names(made)
    # One of the three on 2 floats down; the bye goes to one of the two on 0, and never to E again.
    assert {len(fixture.entrants) for fixture in second} == {1, 2}
    (bye,) = [fixture.entrants[0] for fixture in second if fixture.state == "bye"]
    assert name[bye] in ("B", "C")
    for fixture in second:
        if fixture.state != "bye":
            a, b = (name[number] for number in fixture.entrants)
            team_match(made, dora, a, b, 2)
    made.refresh_from_db()
    assert made.phase == "over"


# Online


def test_the_boards_of_an_online_match_are_matches_of_this_site_that_count_by_themselves(
    person: Callable[..., User], dora: User
) -> None:
    made = team_tournament(dora, "round-robin", "", boards=3, venue="online", rated=True)
    people = [person(name) for name in ("ana", "bea", "carlos", "emma", "fran", "gael")]
    services.team_enter(tournament_id=made.pk, user=dora, name="A", players=people[:3])
    services.team_enter(tournament_id=made.pk, user=dora, name="B", players=people[3:])
    services.tournament_start(tournament_id=made.pk, user=dora)
    open_round(made, dora, 1)
    matches = [meeting.match for meeting in made.meetings.select_related("match").order_by("number")]
    assert [[seat.user for seat in match.seats.order_by("-side")] for match in matches if match] == [
        [people[number], people[number + 3]] for number in range(3)
    ]
    assert [match.rated for match in matches if match] == [True] * 3
