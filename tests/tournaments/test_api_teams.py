"""Teams over the API: captains and directors enter, change and withdraw them, and set their line-ups (ruling E21)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import Club, Membership, User
from tests.api.conftest import program_of as program_of
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, refused, sent
from tests.tournaments.conftest import fresh
from tests.tournaments.team_tournaments import enter, open_round, players, team_tournament
from tournaments import services
from tournaments.api.serializers import TeamSerializer
from tournaments.api.teams import LineupSerializer
from tournaments.models import Team, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.looks]

Programs = Callable[..., Client]


@pytest.fixture
def entries(dora: User) -> Tournament:
    """A league of three boards, open for entries."""
    return team_tournament(dora, "round-robin", "", boards=3)


@pytest.fixture
def running(entries: Tournament, ana: User, dora: User) -> Tournament:
    """The league started with A of ana, who has a reserve, and B; no round is open."""
    enter(entries, dora, "A", 4, captain=ana)
    enter(entries, dora, "B", 3)
    services.tournament_start(tournament_id=entries.pk, user=dora)
    return entries


def roster(made: Tournament, number: int) -> list[str]:
    name = {entrant.number: entrant.name for entrant in made.entrants.select_related("user")}
    return [name[player] for player in fresh(made).rosters[number]]


def test_a_member_enters_and_changes_a_team_of_their_club(entries: Tournament, ana: User, bea: User) -> None:
    club = Club.objects.create(name="Ajenjo", slug="ajenjo")
    for user in (ana, bea):
        Membership.objects.create(club=club, user=user)
    path = f"tournaments/{entries.pk}/teams/"
    status, team = sent(ana, path, name="Ajenjo", players=["BEA", "Paco", "Rosa"], club="ajenjo")
    assert (status, undeclared(TeamSerializer, team)) == (201, [])
    assert (team["name"], team["club"], team["captain"]["name"]) == ("Ajenjo", "ajenjo", "ana")
    number = team["number"]
    assert roster(entries, number) == ["bea", "Paco", "Rosa"]
    status, team = sent(ana, f"{path}{number}/", "patch", players=["Rosa", "bea", "Paco", "Luz"])
    assert (status, team["name"], team["club"]) == (200, "Ajenjo", "ajenjo")  # what is left out stays
    assert roster(entries, number) == ["Rosa", "bea", "Paco", "Luz"]
    assert sent(ana, f"{path}{number}/", "patch", name="Alfil", club=None)[1]["club"] is None
    assert get_json(None, f"{path}{number}/")["name"] == "Alfil"
    assert sent(ana, f"{path}{number}/withdraw/")[1]["withdrawn"] is True


def test_a_captain_chooses_a_club_of_their_own(entries: Tournament, ana: User, bea: User, dora: User) -> None:
    other = Club.objects.create(name="Otra", slug="otra")
    path = f"tournaments/{entries.pk}/teams/"
    team: dict[str, Any] = {"name": "A", "players": ["A1", "A2", "A3"]}
    assert sent(ana, path, **team, club="otra")[1]["code"] == "team_club"
    assert sent(ana, path, **team, club="nowhere")[1]["code"] == "no_club"
    number = sent(dora, path, **team, club="otra", captain="ana")[1]["number"]
    assert sent(ana, f"{path}{number}/", "patch", name="Alfil")[0] == 200  # the director's choice stays
    assert Team.objects.get(entrant__number=number).club == other
    Membership.objects.create(club=other, user=bea)
    assert sent(bea, path, name="B", players=["B1", "B2", "B3"], club="otra")[0] == 201


def test_only_directors_name_a_captain(entries: Tournament, ana: User, dora: User) -> None:
    path = f"tournaments/{entries.pk}/teams/"
    team: dict[str, Any] = {"name": "A", "players": ["A1", "A2", "A3"]}
    assert sent(ana, path, **team, captain="bea")[1]["code"] == "not_director"
    assert sent(dora, path, **team, captain="nobody.at.all")[1]["code"] == "no_such_player"
    made = sent(dora, path, **team, captain="ana")[1]
    assert made["captain"]["name"] == "ana"
    assert sent(dora, f"{path}{made['number']}/", "patch", captain=None)[1]["captain"] is None


def test_line_ups_are_for_the_captain_and_the_directors_until_the_round_opens(
    running: Tournament, ana: User, bea: User, dora: User
) -> None:
    number = running.entrants.get(written_name="A").number
    path = f"tournaments/{running.pk}/teams/{number}/lineups/"
    assert refused(bea, path) == (409, "not_captain")
    found = get_json(ana, path)
    assert undeclared(LineupSerializer(many=True), found) == []
    assert [(row["round"], row["opponent"], row["chosen"]) for row in found] == [(1, "B", False)]
    assert found[0]["players"] == players(running, "A", 1, 2, 3)
    chosen = {"section": "league", "round": 1, "players": players(running, "A", 4, 1, 2)}
    assert sent(bea, path, **chosen)[1]["code"] == "not_captain"
    status, after = sent(ana, path, **chosen)
    assert (status, after[0]["players"], after[0]["chosen"]) == (200, chosen["players"], True)
    assert sent(dora, path, **chosen)[0] == 200
    assert sent(ana, path, **{**chosen, "players": chosen["players"][:2]})[1]["code"] == "lineup_players"
    assert sent(ana, path, **{**chosen, "round": 9})[1]["code"] == "lineup_round"
    open_round(running, dora, 1)
    assert sent(ana, path, **chosen)[1]["code"] == "lineup_fixed"
    assert get_json(ana, path) == []


def test_a_team_is_changed_by_its_captain_and_the_directors_alone(
    running: Tournament, ana: User, bea: User, dora: User
) -> None:
    number = running.entrants.get(written_name="A").number
    path = f"tournaments/{running.pk}/teams/{number}/"
    assert sent(bea, path, "patch", name="X")[1]["code"] == "not_captain"
    assert sent(ana, path, "patch", name="X")[1]["code"] == "entry_closed"  # the draw is made
    assert sent(bea, f"{path}withdraw/")[1]["code"] == "not_captain"
    added = ["A1", "A2", "A3", "A4", "A5"]
    assert sent(dora, path, "patch", players=added)[0] == 200
    assert roster(running, number) == added
    assert refused(ana, f"tournaments/{running.pk}/teams/{number + 1}/")[0] == 404  # a player, no team


def test_a_player_leaves_their_team(entries: Tournament, bea: User, ana: User, dora: User) -> None:
    services.team_enter(tournament_id=entries.pk, user=dora, name="A", players=[bea, "A2", "A3"])
    path = f"tournaments/{entries.pk}/teams/leave/"
    assert sent(ana, path)[1]["code"] == "not_entered"
    assert sent(bea, path)[0] == 200
    assert roster(entries, 1) == ["A2", "A3"]


def test_a_token_that_plays_acts_for_a_captain_and_one_for_a_director_needs_to_direct(
    running: Tournament, ana: User, dora: User, program_of: Programs
) -> None:
    number = running.entrants.get(written_name="A").number
    path = f"/api/v1/tournaments/{running.pk}/teams/{number}/lineups/"
    body = {"section": "league", "round": 1, "players": players(running, "A", 2, 1, 3)}
    answers = {
        (user.username, scope): program_of(user, "read", scope).post(path, body, "application/json").status_code
        for user in (ana, dora)
        for scope in ("read", "play")
    }
    assert answers == {("ana", "read"): 403, ("ana", "play"): 200, ("dora", "read"): 403, ("dora", "play"): 403}
    assert program_of(dora, "read", "play", "desk").post(path, body, "application/json").status_code == 200
    assert program_of(dora, "play").post(path, body, "application/json").json()["code"] == "scope"
