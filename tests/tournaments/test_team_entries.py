"""Entering teams, and the line-ups of their matches (ruling E21)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from accounts.models import Club, Membership, User
from tests.tournaments.conftest import fresh
from tests.tournaments.staging import terms_of
from tests.tournaments.team_tournaments import (
    boards_of,
    enter,
    line_up,
    names,
    open_round,
    players,
    six_clubs,
    team_tournament,
    win,
)
from tests.tournaments.test_services import refused
from tournaments import services
from tournaments.models import Entrant, Team, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(dora: User) -> Tournament:
    return six_clubs(dora)


# Line-ups


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


def test_a_captain_enters_a_team_for_a_club_of_theirs_and_a_director_for_any(
    entries: Tournament, ana: User, dora: User
) -> None:
    club, other = (Club.objects.create(slug=name, name=name) for name in ("ajenjo", "otra"))
    Membership.objects.create(club=club, user=ana)
    team = {"tournament_id": entries.pk, "players": ["A1", "A2", "A3"]}
    refused("team_club", services.team_enter, user=ana, name="A", club=other, **team)
    number = services.team_enter(user=ana, name="A", club=club, **team).number
    refused("team_club", services.team_change, user=ana, number=number, name="A", club=other, **team)
    services.team_change(user=dora, number=number, name="A", club=other, captain=ana, **team)
    services.team_change(user=ana, number=number, name="Alfil", club=other, **team)  # a director chose it


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
