"""Team tournaments from the entries to the final table (rulings E20 and E21)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from accounts.models import Club, Membership, User
from tests.tournaments.conftest import fresh
from tests.tournaments.staging import terms_of
from tests.tournaments.test_services import refused
from tournaments import services
from tournaments.formats.core import Pairing
from tournaments.models import Entrant, Team, Tournament

pytestmark = pytest.mark.django_db

LENGTH = 5


def team_tournament(dora: User, format_: str, teams: Sequence[str], *, boards: int, **chosen: Any) -> Tournament:
    """A tournament in which each team has a player for every board: `A1`, `A2` ..., drawn in the order of entry."""
    chosen = {"pace": "hand", "seeding": "hand", "venue": "board", "lengths": (LENGTH,), **chosen}
    made = services.tournament_create(
        creator=dora, name="Liga de clubes", terms=terms_of(format_, boards=boards, **chosen)
    )
    for team in teams:
        enter(made, dora, team, boards)
    return made


def enter(tournament: Tournament, by: User, team: str, players: int, **more: Any) -> Entrant:
    names = [f"{team}{number}" for number in range(1, players + 1)]
    return services.team_enter(tournament_id=tournament.pk, user=by, name=team, players=names, **more)


def names(tournament: Tournament) -> dict[int, str]:
    return dict(tournament.entrants.values_list("number", "written_name"))


def boards_of(tournament: Tournament, a: str, b: str) -> list[Pairing]:
    """The boards between two teams, from the first one; a is the home team."""
    name = names(tournament)
    state = fresh(tournament)
    fixture = next(each for each in state.fixtures if [name[number] for number in each.entrants] == [a, b])
    return [pairing for pairing in state.pairings if pairing.key.startswith(f"{fixture.key}_")]


def win(tournament: Tournament, dora: User, board: Pairing, winner: int, lost: int = 0) -> None:
    """Enter the result of a board."""
    points = (LENGTH, lost) if winner == board.entrants[0] else (lost, LENGTH)
    services.result_enter(tournament_id=tournament.pk, user=dora, key=board.key, winner=winner, points=points)


def team_match(tournament: Tournament, dora: User, a: str, b: str, home: int) -> None:
    """Play a team match: the home team wins its first `home` boards and loses the others."""
    for number, board in enumerate(boards_of(tournament, a, b)):
        win(tournament, dora, board, board.entrants[0 if number < home else 1])


def open_round(tournament: Tournament, dora: User, number: int, section: str = "league") -> None:
    services.round_open(tournament_id=tournament.pk, user=dora, section=section, round=number)


def table(tournament: Tournament) -> list[tuple[Any, ...]]:
    """Place, team, played, won, drawn, lost, match points, board points."""
    name = names(tournament)
    rows = []
    for line in fresh(tournament).standings:
        values = dict(line.values)
        rows.append(
            (
                *(line.place, name[line.entrant], line.played, line.wins, line.draws, line.losses),
                *(values["match-points"], values["boards"]),
            )
        )
    return rows


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
    """Six clubs of four boards, started; no round is open."""
    made = team_tournament(dora, "round-robin", "ABCDEF", boards=4)
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made


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


# Line-ups


def players(tournament: Tournament, team: str, *boards: int) -> list[int]:
    """The numbers of the players of a team, by the boards at which they are registered."""
    number = {name: number for number, name in names(tournament).items()}
    return [number[f"{team}{board}"] for board in boards]


def line_up(tournament: Tournament, user: User, team: str, section: str, round_: int, lineup: Sequence[int]) -> None:
    number = tournament.entrants.get(written_name=team).number
    services.lineup_set(
        tournament_id=tournament.pk, user=user, number=number, section=section, round=round_, players=lineup
    )


@pytest.fixture
def with_reserve(ana: User, dora: User) -> Tournament:
    """A league of three boards, started: A, whose captain is ana, has the reserve A4; B and C have none."""
    made = team_tournament(dora, "round-robin", "", boards=3)
    enter(made, dora, "A", 4, captain=ana)
    enter(made, dora, "B", 3)
    enter(made, dora, "C", 3)
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made


def seen(tournament: Tournament, team: str) -> list[str]:
    """The players of a team at the boards that everybody sees, from the first one."""
    name = names(tournament)
    shown = [
        pairing for pairing in fresh(tournament).pairings for number in pairing.entrants if name[number][0] == team
    ]
    return [name[number] for pairing in shown for number in pairing.entrants if name[number][0] == team]


def test_without_a_line_up_a_team_plays_in_its_registered_order(with_reserve: Tournament, dora: User) -> None:
    open_round(with_reserve, dora, 2)  # of three teams A has the bye in the first round
    assert seen(with_reserve, "A") == ["A1", "A2", "A3"]


def test_the_captain_changes_the_order_and_brings_in_a_reserve_until_the_round_opens(
    with_reserve: Tournament, ana: User, dora: User
) -> None:
    number = with_reserve.entrants.get(written_name="A").number
    section, round_ = fresh(with_reserve).lineup_rounds(number)[0]
    line_up(with_reserve, ana, "A", section, round_, players(with_reserve, "A", 4, 1, 2))
    assert seen(with_reserve, "A") == []  # nobody sees it before the round
    open_round(with_reserve, dora, round_)
    assert seen(with_reserve, "A") == ["A4", "A1", "A2"]
    number = with_reserve.entrants.get(written_name="A").number
    fixed = {"number": number, "section": section, "round": round_, "players": players(with_reserve, "A", 1, 2, 3)}
    refused("lineup_fixed", services.lineup_set, tournament_id=with_reserve.pk, user=ana, **fixed)


def test_a_swiss_line_up_is_set_before_the_round_is_paired(dora: User) -> None:
    made = team_tournament(dora, "swiss", "", boards=3, rounds=1)
    enter(made, dora, "A", 4)
    enter(made, dora, "B", 3)
    services.tournament_start(tournament_id=made.pk, user=dora)
    line_up(made, dora, "A", "swiss", 1, players(made, "A", 2, 3, 4))
    services.round_pair(tournament_id=made.pk, user=dora)
    assert seen(made, "A") == ["A2", "A3", "A4"]


@pytest.mark.parametrize(
    ("code", "lineup"),
    [
        ("lineup_players", ("A1", "A2")),
        ("lineup_players", ("A1", "A1", "A2")),
        ("lineup_players", ("A1", "A2", "B1")),
        ("lineup_players", ("A1", "A2", "A")),
    ],
)
def test_a_line_up_names_a_player_of_the_team_for_each_board(
    with_reserve: Tournament, ana: User, code: str, lineup: Sequence[str]
) -> None:
    number = {name: number for number, name in names(with_reserve).items()}
    section, round_ = fresh(with_reserve).lineup_rounds(number["A"])[0]
    chosen = {"section": section, "round": round_, "players": [number[name] for name in lineup]}
    refused(code, services.lineup_set, tournament_id=with_reserve.pk, user=ana, number=number["A"], **chosen)


def test_a_line_up_is_for_a_round_that_the_team_plays_and_by_its_captain_alone(
    with_reserve: Tournament, ana: User, bea: User
) -> None:
    number = with_reserve.entrants.get(written_name="A").number
    chosen = {"tournament_id": with_reserve.pk, "number": number, "players": players(with_reserve, "A", 1, 2, 4)}
    refused("lineup_round", services.lineup_set, user=ana, section="league", round=99, **chosen)
    refused("lineup_round", services.lineup_set, user=ana, section="main", round=1, **chosen)
    refused("not_captain", services.lineup_set, user=bea, section="league", round=2, **chosen)


# Entering


@pytest.fixture
def entries(dora: User) -> Tournament:
    """A league of three boards, open for entries."""
    return team_tournament(dora, "round-robin", "", boards=3)


@pytest.mark.parametrize(
    ("code", "team", "people"),
    [
        ("team_small", "A", ("A1", "A2")),
        ("team_large", "A", tuple(f"A{number}" for number in range(21))),
        ("team_twice", "A", ("A1", "a1", "A2")),
        ("no_name", "A", ("A1", "", "A2")),
        ("no_name", "", ("A1", "A2", "A3")),
        ("team_name", "b", ("A1", "A2", "A3")),
    ],
)
def test_a_team_needs_a_name_and_a_player_for_each_board(
    entries: Tournament, dora: User, code: str, team: str, people: Sequence[str]
) -> None:
    enter(entries, dora, "B", 3)
    refused(code, services.team_enter, tournament_id=entries.pk, user=dora, name=team, players=people)


def test_nobody_plays_for_two_teams(entries: Tournament, dora: User, ana: User) -> None:
    services.team_enter(tournament_id=entries.pk, user=dora, name="A", players=[ana, "A2", "A3"])
    second = {"name": "B", "players": ["B1", "B2", ana]}
    refused("other_team", services.team_enter, tournament_id=entries.pk, user=dora, **second)


def test_a_member_enters_their_own_team_with_players_of_the_club(
    entries: Tournament, ana: User, bea: User, carlos: User
) -> None:
    entries.club = Club.objects.create(slug="ajenjo", name="Club Ajenjo")  # not the default one, of all members
    entries.save()
    Membership.objects.create(club=entries.club, user=bea)
    team = {"tournament_id": entries.pk, "user": ana, "name": "A"}
    refused("player_outside", services.team_enter, players=[bea, carlos, "A3"], **team)
    entered = services.team_enter(players=[bea, "A2", "A3"], **team)
    assert Team.objects.get(entrant=entered).captain == ana
    state = fresh(entries)
    assert [names(entries)[player] or "bea" for player in state.rosters[entered.number]] == ["bea", "A2", "A3"]


def test_the_captain_changes_the_team_until_the_draw_and_only_the_director_adds_reserves_after_it(
    entries: Tournament, ana: User, dora: User
) -> None:
    team = enter(entries, dora, "A", 4, captain=ana)
    enter(entries, dora, "B", 3)
    change = {"tournament_id": entries.pk, "number": team.number, "name": "Alfil"}
    services.team_change(user=ana, players=["A3", "A1", "A5"], **change)
    assert [names(entries)[player] for player in fresh(entries).rosters[team.number]] == ["A3", "A1", "A5"]
    services.tournament_draw(tournament_id=entries.pk, user=dora)
    refused("entry_closed", services.team_change, user=ana, players=["A3", "A1", "A5", "A6"], **change)
    refused("team_fixed", services.team_change, user=dora, players=["A1", "A3", "A5", "A6"], **change)
    refused("team_fixed", services.team_change, user=dora, players=["A3", "A1", "A6"], **change)
    services.team_change(user=dora, captain=ana, players=["A3", "A1", "A5", "A6"], **change)
    assert [names(entries)[player] for player in fresh(entries).rosters[team.number]] == ["A3", "A1", "A5", "A6"]


def test_a_player_leaves_their_team_and_may_enter_another_one(entries: Tournament, ana: User, dora: User) -> None:
    services.team_enter(tournament_id=entries.pk, user=dora, name="A", players=[ana, "A2", "A3"])
    enter(entries, dora, "B", 3)
    services.team_leave(tournament_id=entries.pk, user=ana)
    refused("teams_small", services.tournament_draw, tournament_id=entries.pk, user=dora)
    services.team_enter(tournament_id=entries.pk, user=dora, name="C", players=[ana, "C2", "C3"])
    assert Entrant.objects.get(tournament=entries, user=ana).team.entrant.written_name == "C"  # type: ignore[union-attr]


def test_players_do_not_enter_a_team_tournament_alone_nor_teams_one_of_players(
    entries: Tournament, ana: User, dora: User
) -> None:
    refused("teams_only", services.entrant_register, tournament_id=entries.pk, user=ana)
    refused("teams_only", services.entrant_add, tournament_id=entries.pk, user=dora, name="Walk-in")
    alone = services.tournament_create(creator=dora, name="Torneo", terms=terms_of("knockout"))
    refused("no_teams", services.team_enter, tournament_id=alone.pk, user=dora, name="A", players=["A1", "A2", "A3"])


def test_a_player_of_a_team_does_not_withdraw_alone_and_its_captain_withdraws_it(
    entries: Tournament, ana: User, bea: User, dora: User
) -> None:
    team = services.team_enter(tournament_id=entries.pk, user=dora, name="A", players=[bea, "A2", "A3"], captain=ana)
    player = entries.entrants.get(user=bea).number
    refused("in_team", services.entrant_withdraw, tournament_id=entries.pk, user=bea, number=player)
    refused("not_yours", services.entrant_withdraw, tournament_id=entries.pk, user=bea, number=team.number)
    services.entrant_withdraw(tournament_id=entries.pk, user=ana, number=team.number)
    assert list(entries.entrants.filter(withdrawn=True).values_list("number", flat=True)) == [1, 2, 3, 4]


def test_a_substitute_takes_the_place_of_a_player_in_their_team(league: Tournament, dora: User) -> None:
    team, one = league.entrants.get(written_name="A").number, players(league, "A", 1)[0]
    refused("is_team", services.entrant_substitute, tournament_id=league.pk, user=dora, number=team, name="Paco")
    refused("is_team", services.entrant_link, tournament_id=league.pk, user=dora, number=team, player=dora)
    open_round(league, dora, 1)
    board = boards_of(league, "A", "F")[0]
    win(league, dora, board, one)
    services.entrant_substitute(tournament_id=league.pk, user=dora, number=one, name="Paco")
    open_round(league, dora, 2)
    board = boards_of(league, "A", "B")[0]
    assert names(league)[board.entrants[0]] == "Paco"
    assert fresh(league).fixtures[0].state == "ready"  # the match of the first round goes on


@pytest.mark.parametrize(
    ("code", "chosen"),
    [
        ("team_boards", {"format_": "swiss", "boards": 2}),
        ("team_boards", {"format_": "swiss", "boards": 9}),
        ("team_format", {"format_": "double", "boards": 4}),
        ("team_pace", {"format_": "swiss", "boards": 4, "pace": "flow"}),
        ("tie_breaks", {"format_": "swiss", "pace": "hand", "boards": 0, "tie_breaks": ("match-points",)}),
    ],
)
def test_teams_play_three_to_eight_boards_round_by_round(dora: User, code: str, chosen: dict[str, Any]) -> None:
    terms = terms_of(**{"pace": "hand", **chosen})
    refused(code, services.tournament_create, creator=dora, name="Liga", terms=terms)


def test_a_tournament_with_entries_stays_one_of_teams_or_of_players(entries: Tournament, dora: User) -> None:
    enter(entries, dora, "A", 3)
    terms = terms_of("round-robin", pace="hand")
    refused("teams_or_players", services.tournament_update, tournament_id=entries.pk, user=dora, terms=terms)


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
