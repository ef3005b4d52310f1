"""The pages, sheets and API of team tournaments."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from tests.tournaments.conftest import fresh
from tests.tournaments.staging import staged
from tests.tournaments.team_tournaments import (
    boards_of,
    enter,
    line_up,
    open_round,
    players,
    team_match,
    team_tournament,
    win,
)
from tournaments import services
from tournaments.models import Entrant, Team, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.looks]


@pytest.fixture
def league(dora: User, ana: User) -> Tournament:
    """Three teams of three boards, started: Ajenjo, whose captain is ana, has a reserve. No round is open."""
    made = team_tournament(dora, "round-robin", "", boards=3)
    enter(made, dora, "Ajenjo", 4, captain=ana)
    enter(made, dora, "Norte", 3)
    enter(made, dora, "Sur", 3)
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made


def text(client: Client, name: str, *args: Any, **query: str) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def number_of(tournament: Tournament, name: str) -> int:
    return int(tournament.entrants.get(written_name=name).number)


# Entering


def test_a_director_creates_a_tournament_of_teams_whose_rounds_open_one_by_one(desk: Client) -> None:
    form = {"name": "Liga", "format": "round-robin", "boards": "4", "lengths": "5", "timezone": "UTC"}
    assert desk.post(reverse("tournament-new"), form).status_code == 302
    terms = fresh(Tournament.objects.get()).rules
    assert (terms.config.boards, terms.pace) == (4, "hand")
    assert terms.config.tie_breaks == ("match-points", "boards", "direct", "sonneborn-berger")


def test_the_boards_of_a_format_that_teams_cannot_play_are_ignored(desk: Client) -> None:
    form = {"name": "Copa", "format": "double", "boards": "4", "lengths": "5", "timezone": "UTC"}
    assert desk.post(reverse("tournament-new"), form).status_code == 302
    assert fresh(Tournament.objects.get()).rules.config.boards == 0


def test_a_member_enters_a_team_and_is_its_captain(dora: User, ana: User, as_user: Callable[[User], Client]) -> None:
    made = team_tournament(dora, "round-robin", "", boards=3)
    page = text(as_user(ana), "tournament", made.pk)
    assert reverse("team-new", args=[made.pk]) in page
    form = {"name": "Ajenjo", "players": " ana \n\nPaco  Gil\nRosa"}
    answer = as_user(ana).post(reverse("team-new", args=[made.pk]), form)
    team = Team.objects.get()
    assert answer.headers["Location"] == reverse("team", args=[made.pk, team.entrant.number])
    assert team.captain == ana
    named = {entrant.number: entrant for entrant in Entrant.objects.filter(team=team)}
    roster = [named[number] for number in fresh(made).rosters[team.entrant.number]]
    assert [(entrant.user, entrant.name) for entrant in roster] == [(ana, "ana"), (None, "Paco Gil"), (None, "Rosa")]


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"name": "Ajenjo", "players": "Paco\nRosa"}, "A team needs at least 3 players, one for each board."),
        ({"name": "Ajenjo", "players": "Paco\nRosa\npaco"}, "Paco is in the list twice."),
        ({"name": "Norte", "players": "Paco\nRosa\nLuz"}, "Another team has that name. Choose a different one."),
        ({"name": "", "players": ""}, "This field is required."),
        ({"name": "Ajenjo", "players": "Paco\nRosa\nLuz", "club": "99999"}, "Select a valid choice"),
        ({"name": "Ajenjo", "players": "Paco\n" + "x" * 81 + "\nLuz"}, "Enter a name of 1 to 80 characters."),
    ],
)
def test_a_team_that_cannot_play_is_shown_again_with_the_reason(
    dora: User, ana: User, as_user: Callable[[User], Client], form: dict[str, str], told: str
) -> None:
    made = team_tournament(dora, "round-robin", ["Norte"], boards=3)
    answer = as_user(ana).post(reverse("team-new", args=[made.pk]), form)
    assert answer.status_code == 422
    assert told in unescape(answer.content.decode())
    assert Team.objects.count() == 1


def test_the_captain_changes_the_team_and_withdraws_it(
    dora: User, ana: User, as_user: Callable[[User], Client]
) -> None:
    made = team_tournament(dora, "round-robin", "", boards=3)
    team = enter(made, dora, "Ajenjo", 3, captain=ana)
    client = as_user(ana)
    assert "Ajenjo1\nAjenjo2\nAjenjo3" in text(client, "team-change", made.pk, team.number)
    form = {"name": "Ajenjo", "players": "Ajenjo3\nAjenjo1\nPaco"}
    assert client.post(reverse("team-change", args=[made.pk, team.number]), form).status_code == 302
    assert ">Paco<" in text(client, "team", made.pk, team.number)
    client.post(reverse("team-withdraw", args=[made.pk, team.number]))
    assert team.number in fresh(made).withdrawn


# The course


def test_only_the_captain_and_directors_see_a_line_up_before_its_round(
    league: Tournament, ana: User, bea: User, desk: Client, as_user: Callable[[User], Client]
) -> None:
    number = number_of(league, "Ajenjo")
    section, round_ = fresh(league).lineup_rounds(number)[0]
    path = reverse("team-lineup", args=[league.pk, number, section, round_])
    chosen = dict(zip(("board_1", "board_2", "board_3"), players(league, "Ajenjo", 4, 1, 2), strict=True))
    assert as_user(ana).post(path, chosen).status_code == 302
    key = next(
        fixture.key for fixture in fresh(league).fixtures if number in fixture.entrants and fixture.round == round_
    )
    for client in (as_user(ana), desk):
        assert "1. <bdi>Ajenjo4</bdi>" in text(client, "team", league.pk, number)
    assert "1. <bdi>Ajenjo4</bdi>" not in text(as_user(bea), "team", league.pk, number)
    assert "The line-ups are shown when the round opens." in text(as_user(ana), "team-match", league.pk, key)
    assert "Ajenjo4" not in text(desk, "desk-log", league.pk)
    league_page = text(as_user(bea), "tournament-json", league.pk)
    assert '"lined_up"' not in league_page


def test_a_line_up_that_names_a_player_twice_is_shown_again(
    league: Tournament, ana: User, as_user: Callable[[User], Client]
) -> None:
    number = number_of(league, "Ajenjo")
    section, round_ = fresh(league).lineup_rounds(number)[0]
    one, two = players(league, "Ajenjo", 1, 2)
    path = reverse("team-lineup", args=[league.pk, number, section, round_])
    answer = as_user(ana).post(path, {"board_1": one, "board_2": one, "board_3": two})
    assert answer.status_code == 422
    assert "Choose a different player of the team for each of the 3 boards." in unescape(answer.content.decode())
    assert as_user(ana).post(path, {"board_1": "1", "board_2": "x"}).status_code == 422
    answer = as_user(ana).get(reverse("team-lineup", args=[league.pk, number, "main", 99]), follow=True)
    assert "This team has no match in that round." in unescape(answer.content.decode())


def test_a_team_match_shows_its_boards_and_how_it_ended(league: Tournament, dora: User, client: Client) -> None:
    open_round(league, dora, 2)
    fixture = next(fixture for fixture in fresh(league).fixtures if fixture.round == 2 and len(fixture.entrants) == 2)
    a, b = (league.entrants.get(number=number).written_name for number in fixture.entrants)
    win(league, dora, boards_of(league, a, b)[0], boards_of(league, a, b)[0].entrants[0], 3)
    page = text(client, "team-match", league.pk, fixture.key)
    assert f"<bdi>{a}1</bdi>" in page
    assert "5–3" in page
    assert "Playing" in page
    for board in boards_of(league, a, b)[1:]:
        win(league, dora, board, board.entrants[1])
    assert f"{b} won 2–1" in text(client, "team-match", league.pk, fixture.key)
    assert f"{b} won 2–1" not in text(client, "tournament", league.pk)


def test_a_page_of_a_team_that_does_not_exist_is_not_found(league: Tournament, client: Client) -> None:
    player = players(league, "Ajenjo", 1)[0]
    for name, *args in (("team", player), ("team", 999), ("team-match", "league-9-9"), ("team-match", "league-1-1_1")):
        assert client.get(reverse(name, args=[league.pk, *args])).status_code == 404


def test_the_desk_names_the_teams_of_the_boards_and_takes_results_by_their_mark(
    league: Tournament, dora: User, desk: Client
) -> None:
    open_round(league, dora, 2)
    page = text(desk, "tournament-desk", league.pk)
    fixture = next(fixture for fixture in fresh(league).fixtures if fixture.round == 2 and len(fixture.entrants) == 2)
    a, b = (league.entrants.get(number=number).written_name for number in fixture.entrants)
    assert f"Round 2 · {a} – {b}" in page
    assert f"2-{fixture.number}.3" in page
    board = boards_of(league, a, b)[2]
    form = {"key": board.key, "winner": board.entrants[0], "won": 5, "lost": 1, "how": "played"}
    desk.post(reverse("desk-result", args=[league.pk]), form)
    assert boards_of(league, a, b)[2].state == "done"


def test_paper_and_screen_name_teams_and_boards(league: Tournament, dora: User, client: Client) -> None:
    open_round(league, dora, 1)
    sheet = text(client, "tournament-print", league.pk)
    assert 'class="print-teams"' in sheet
    assert sheet.count('class="print-board"') == 3
    slips = text(client, "tournament-print", league.pk, sheet="slips")
    assert slips.count("<article") == 3
    assert "Round 1 · " in slips
    assert "<th>MP</th><th>BP</th>" in text(client, "tournament-tv", league.pk)
    assert text(client, "tournament-print", league.pk, sheet="entrants").count('scope="row"') == 3


@pytest.mark.parametrize("name", ["tournament", "team", "team-match", "tournament-desk"])
def test_the_queries_of_a_page_do_not_grow_with_the_teams(dora: User, ana: User, desk: Client, name: str) -> None:
    counts = []
    for teams in (2, 6):
        made = team_tournament(dora, "round-robin", [f"T{number}" for number in range(teams)], boards=3)
        services.tournament_start(tournament_id=made.pk, user=dora)
        open_round(made, dora, 1)
        fixture = fresh(made).fixtures[0]
        a, b = (made.entrants.get(number=number).written_name for number in fixture.entrants)
        team_match(made, dora, a, b, 2)
        args = {"team": [fixture.entrants[0]], "team-match": [fixture.key]}.get(name, [])
        path = reverse(name, args=[made.pk, *args])
        desk.get(path)
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(path).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


# The API


def test_the_api_has_teams_their_matches_and_their_boards(league: Tournament, dora: User, client: Client) -> None:
    def results(path: str) -> list[dict[str, Any]]:
        answer = client.get(f"/api/v1/tournaments/{league.pk}/{path}")
        assert answer.status_code == 200, answer.content
        found: list[dict[str, Any]] = answer.json()["results"]
        return found

    open_round(league, dora, 2)
    first = results("teams/")[0]
    assert (first["name"], first["captain"]["name"], len(first["players"])) == ("Ajenjo", "ana", 4)
    matches = results("team-matches/?round=2")
    (match,) = [each for each in matches if each["state"] != "bye"]
    boards = results("pairings/?round=2")
    assert [(board["team_match"], board["board"]) for board in boards] == [(match["key"], n) for n in (1, 2, 3)]
    assert client.get(f"/api/v1/tournaments/{league.pk}/pairings/{match['key']}/").json()["board"] is None
    entrants = {each["number"]: each for each in results("entrants/")}
    assert entrants[first["number"]]["is_team"] is True
    assert entrants[first["players"][0]]["team"] == first["number"]
    assert {name: results("standings/")[0][name] for name in ("draws",)} == {"draws": 0}
    line_up(league, dora, "Ajenjo", "league", 3, players(league, "Ajenjo", 4, 1, 2))
    assert results("pairings/?round=3") == []


def test_a_tournament_of_players_has_no_teams_in_the_api(dora: User, client: Client) -> None:
    made = staged("knockout", 4)
    for path in ("teams/", "team-matches/"):
        assert client.get(f"/api/v1/tournaments/{made.pk}/{path}").json()["results"] == []
    assert client.get(reverse("team-match", args=[made.pk, "main-1-1"])).status_code == 404
