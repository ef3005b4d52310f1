"""Reports for federations: which matches and points they have, whose member numbers, and who may read them (E28)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Club, Membership, User
from accounts.users import services as people
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json
from tests.tournaments.conftest import ready
from tests.tournaments.staging import staged
from tests.tournaments.team_tournaments import open_round, six_clubs, team_match
from tests.tournaments.test_services import refused
from tournaments import results_csv, services
from tournaments.api.reports import ReportedMatchSerializer, ReportedPointsSerializer
from tournaments.models import Entrant, Tournament, TournamentEvent
from tournaments.selectors import federation_report
from tournaments.selectors.federation_report import club_report, tournament_report

pytestmark = [pytest.mark.django_db, pytest.mark.looks]

Make = Callable[..., Tournament]
As = Callable[[User], Client]


def enter(made: Tournament, key: str, winner: int, points: tuple[int, int] | None, **more: Any) -> int:
    return services.result_enter(
        tournament_id=made.pk, user=made.created_by, key=key, winner=winner, points=points, **more
    )


@pytest.fixture
def cup(tournament: Make, ana: User, bea: User) -> Tournament:
    """A knock-out over the board of two walk-ins (1, 2), ana (3) and bea (4), who has a member number."""
    people.preferences_save(user=bea, federation_number="UK 77")
    made = tournament(walk_ins=2, venue="board")
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=made.created_by)
    Tournament.objects.filter(pk=made.pk).update(timezone="Europe/Madrid")
    return made


def table(client: Client, made: Tournament, sheet: str) -> list[dict[str, str]]:
    answer = client.get(reverse("desk-report", args=[made.pk]), {"what": sheet})
    assert answer["Content-Disposition"] == f'attachment; filename="torneo-semanal-del-club-report-{sheet}.csv"'
    return list(csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig"))))  # type: ignore[arg-type]


def test_a_match_is_reported_with_all_that_a_federation_rates(cup: Tournament, desk: Client) -> None:
    enter(cup, "main-1-1", 4, (1, 3))
    TournamentEvent.objects.filter(tournament=cup, kind="result").update(at=datetime(2026, 11, 20, 23, 30, tzinfo=UTC))
    assert table(desk, cup, "matches") == [
        {
            "date": "2026-11-21",  # it is past midnight in Madrid
            "event": "Torneo semanal del club",
            "section": "main",
            "round": "1",
            "game": "backgammon",
            "length": "3",
            "player": "W1",
            "player_member_number": "",
            "opponent": "bea",
            "opponent_member_number": "UK 77",
            "score": "1-3",
            "winner": "bea",
            "played": "board",
            "tournament": cup.pk,
            "pairing": "main-1-1",
        }
    ]


def test_walkovers_are_left_out_and_a_win_without_a_score_has_none(cup: Tournament, desk: Client) -> None:
    enter(cup, "main-1-1", 4, None, how="walkover")
    enter(cup, "main-1-2", 3, None)
    assert [(row["player"], row["winner"], row["score"]) for row in table(desk, cup, "matches")] == [("W2", "ana", "")]


def test_matches_against_the_computer_are_left_out(tournament: Make, dora: User, ana: User, desk: Client) -> None:
    made = tournament(venue="both", capacity=2)
    services.entrant_register(tournament_id=made.pk, user=ana)
    services.entrants_fill(tournament_id=made.pk, user=dora, level=1)
    services.tournament_start(tournament_id=made.pk, user=dora)
    enter(made, "main-1-1", 1, (3, 0))
    report = tournament_report(tournament_id=made.pk, user=dora)
    assert (report.matches, [player.name for player in report.players]) == ([], ["ana"])
    assert [row.player.name for row in report.points] == ["ana"]


def test_a_correction_does_not_move_the_day(cup: Tournament, dora: User) -> None:
    enter(cup, "main-1-1", 4, (1, 3))
    TournamentEvent.objects.filter(tournament=cup, kind="result").update(at=datetime(2026, 11, 5, 12, tzinfo=UTC))
    services.result_correct(
        tournament_id=cup.pk, user=dora, key="main-1-1", winner=1, points=(3, 2), why="read the wrong way round"
    )
    (match,) = tournament_report(tournament_id=cup.pk, user=dora).matches
    assert (match.day, match.score, match.winner.name) == (date(2026, 11, 5), "3-2", "W1")


def test_the_file_of_the_matches_can_be_imported_by_another_club(cup: Tournament, desk: Client) -> None:
    enter(cup, "main-1-1", 4, (1, 3))
    data = b"".join(desk.get(reverse("desk-report", args=[cup.pk]), {"what": "matches"}))  # type: ignore[arg-type]
    (line,) = results_csv.parse(data)
    assert isinstance(line, results_csv.ResultLine)
    assert (line.player, line.opponent, line.length, line.points, line.event) == (
        *("W1", "bea", 3, (1, 3)),
        "Torneo semanal del club",
    )


def test_the_boards_of_teams_are_reported_and_the_teams_are_not(dora: User) -> None:
    league = six_clubs(dora)
    open_round(league, dora, 1)
    team_match(league, dora, "A", "F", 3)
    report = tournament_report(tournament_id=league.pk, user=dora)
    assert [(row.player.name, row.opponent.name, row.winner.name) for row in report.matches] == [
        ("A1", "F1", "A1"),
        ("A2", "F2", "A2"),
        ("A3", "F3", "A3"),
        ("A4", "F4", "F4"),
    ]
    assert [player.name for player in report.players][:2] == ["A1", "A2"]


# Master points


def test_master_points_are_reported_with_the_values_that_they_come_from(cup: Tournament, desk: Client) -> None:
    enter(cup, "main-1-1", 4, (1, 3))
    enter(cup, "main-1-2", 3, (0, 3))
    assert table(desk, cup, "points") == []  # not over
    enter(cup, "main-2-1", 4, (3, 2))
    # By hand: bea won two matches to 3, each sqrt(3) / 3 = 0.577; the first of four has 0.6 * log2(4) = 1.2. Only the
    # first quarter is placed, so ana has the points of one match.
    columns = ("player", "member_number", "players", "rank", "event_weight")
    points = ("match_win_points", "placement_points", "master_points")
    assert [tuple(row[name] for name in columns + points) for row in table(desk, cup, "points")] == [
        ("bea", "UK 77", "4", "1", "1.00", "1.155", "1.200", "2.355"),
        ("ana", "", "4", "2", "1.00", "0.577", "0.000", "0.577"),
    ]


# Member numbers


def numbers(made: Tournament, dora: User) -> dict[str, str]:
    report = tournament_report(tournament_id=made.pk, user=dora)
    return {player.name: player.member_number for player in report.players}


def test_directors_enter_the_numbers_of_walk_ins_and_in_place_of_those_of_members(
    cup: Tournament, desk: Client, dora: User
) -> None:
    form = {"member_1": " 12 34 ", "member_3": "", "member_4": "UK 77"}
    page = desk.post(reverse("desk-report", args=[cup.pk]), form, follow=True).content.decode()
    assert "Member numbers saved." in page
    assert numbers(cup, dora) == {"ana": "", "bea": "UK 77", "W1": "12 34", "W2": ""}
    assert cup.entrants.get(number=4).federation_number == ""  # bea's own number, which she may change
    services.federation_numbers_set(tournament_id=cup.pk, user=dora, numbers={4: "US 5"})
    assert numbers(cup, dora)["bea"] == "US 5"


@pytest.mark.parametrize("typed", ["=1+1", "-5", "7" * 21, "é7", "7\x00"])
def test_a_number_is_letters_and_digits(cup: Tournament, desk: Client, dora: User, typed: str) -> None:
    refused("federation_number", services.federation_numbers_set, tournament_id=cup.pk, user=dora, numbers={1: typed})
    desk.post(reverse("desk-report", args=[cup.pk]), {"member_1": typed})
    assert numbers(cup, dora)["W1"] == ""


def test_a_substitute_does_not_inherit_the_number(cup: Tournament, dora: User) -> None:
    services.federation_numbers_set(tournament_id=cup.pk, user=dora, numbers={1: "1234"})
    services.entrant_substitute(tournament_id=cup.pk, user=dora, number=1, name="Paco")
    assert numbers(cup, dora)["Paco"] == ""


def test_a_match_of_a_predecessor_has_their_number(cup: Tournament, dora: User) -> None:
    enter(cup, "main-1-1", 4, (1, 3))
    services.entrant_substitute(tournament_id=cup.pk, user=dora, number=4, name="Paco")
    (match,) = tournament_report(tournament_id=cup.pk, user=dora).matches
    assert (match.opponent.name, match.opponent.member_number) == ("bea", "UK 77")


def test_a_number_is_nobody_elses_business(cup: Tournament, as_user: As, ana: User, bea: User, dora: User) -> None:
    enter(cup, "main-1-1", 4, (1, 3))
    url = reverse("desk-report", args=[cup.pk])
    assert [as_user(ana).get(url, {"what": sheet}).status_code for sheet in federation_report.SHEETS] == [403, 403]
    for public in ("tournament", "tournament-csv", "tournament-json"):
        answer = as_user(bea).get(reverse(public, args=[cup.pk]))
        assert b"UK 77" not in answer.content
    refused("not_director", services.federation_numbers_set, tournament_id=cup.pk, user=ana, numbers={3: "1"})


def test_members_set_their_number_in_their_settings_and_guests_have_none(as_user: As, ana: User) -> None:
    shown = as_user(ana).get(reverse("settings"))
    form = shown.context["form"]
    values = {name: form[name].value() for name in form.fields if form[name].value() not in (False, None)}
    as_user(ana).post(reverse("settings"), {**values, "federation_number": "1234"})
    ana.refresh_from_db()
    assert ana.federation_number == "1234"
    assert "federation_number" not in as_user(people.guest_create()).get(reverse("settings")).context["form"].fields


# Clubs


@pytest.fixture
def club(dora: User) -> Club:
    made = Club.objects.create(name="Peña", slug="pena", timezone="Europe/Madrid")
    Membership.objects.create(club=made, user=dora, role="director")
    return made


def ended(club: Club, moment: datetime) -> Tournament:
    """A tournament of the club with two walk-ins that is over since that moment."""
    made = staged("knockout", 2, online=0, venue="board", played=1.0)
    Tournament.objects.filter(pk=made.pk).update(club=club, ended_at=moment)
    return made


def test_a_club_reports_the_tournaments_that_ended_on_some_days_in_its_time_zone(club: Club, dora: User) -> None:
    ended(club, datetime(2026, 10, 31, 22, 59, tzinfo=UTC))
    inside = [ended(club, datetime(2026, 10, 31, 23, tzinfo=UTC)), ended(club, datetime(2026, 11, 30, 22, tzinfo=UTC))]
    ended(club, datetime(2026, 11, 30, 23, tzinfo=UTC))
    report = club_report(club=club, user=dora, first=date(2026, 11, 1), last=date(2026, 11, 30))
    assert [match.tournament for match in report.matches] == inside
    assert [row.rank for row in report.points] == [1, 1]


def test_a_club_reports_a_year_at_most(club: Club, dora: User, desk: Client) -> None:
    for first, last in ((date(2025, 1, 1), date(2026, 1, 2)), (date(2026, 1, 2), date(2026, 1, 1))):
        refused("report_days", club_report, club=club, user=dora, first=first, last=last)
    assert club_report(club=club, user=dora, first=date(2025, 1, 1), last=date(2026, 1, 1)).matches == []
    answer = desk.get(reverse("club-report", args=[club.slug]), {"first": "2025-01-01", "last": "2026-06-01"})
    assert answer.status_code == 422
    assert "Choose a period of at most 366 days" in answer.content.decode()
    for typed in ({"first": "x", "last": ""}, {"last": "2026-01-01"}):
        assert desk.get(reverse("club-report", args=[club.slug]), typed).status_code == 422


def test_the_report_of_a_club_is_for_its_directors(club: Club, as_user: As, ana: User, desk: Client) -> None:
    ended(club, datetime(2026, 11, 20, 12, tzinfo=UTC))
    url, days = reverse("club-report", args=[club.slug]), {"first": "2026-11-01", "last": "2026-11-30"}
    file = b"".join(desk.get(url, {**days, "what": "matches"}))  # type: ignore[arg-type]
    assert len(file.splitlines()) == 2
    assert as_user(ana).get(url, {**days, "what": "matches"}).status_code == 403
    refused("not_club_director", club_report, club=club, user=ana, first=date(2026, 1, 1), last=date(2026, 1, 1))


def test_a_report_takes_as_many_queries_for_three_tournaments_as_for_one(
    club: Club, desk: Client, django_assert_max_num_queries: Any
) -> None:
    url, days = reverse("club-report", args=[club.slug]), {"first": "2026-11-01", "last": "2026-11-30"}
    ended(club, datetime(2026, 11, 20, 12, tzinfo=UTC))
    with django_assert_max_num_queries(40) as one:
        desk.get(url, days)
    for _more in range(2):
        ended(club, datetime(2026, 11, 21, 12, tzinfo=UTC))
    with django_assert_max_num_queries(len(one.captured_queries)):
        assert "3 tournaments" in desk.get(url, days).content.decode()


# API


def test_the_report_is_in_the_api(cup: Tournament, club: Club, desk: Client, dora: User) -> None:
    enter(cup, "main-1-1", 4, (1, 3))
    base = f"/api/v1/tournaments/{cup.pk}/desk"
    answer = desk.post(f"{base}/entrants/member-number/", {"number": 1, "member_number": "12"}, "application/json")
    assert answer.status_code == 200
    (match,) = get_json(dora, f"tournaments/{cup.pk}/desk/report/matches/")["results"]
    assert undeclared(ReportedMatchSerializer, match) == []
    assert (match["player"], match["opponent"]["member_number"], match["points"], match["winner"]) == (
        *({"name": "W1", "member_number": "12"}, "UK 77"),
        *([1, 3], "bea"),
    )
    ended(club, datetime(2026, 11, 20, 12, tzinfo=UTC))
    found = get_json(dora, "clubs/pena/report/points/", first="2026-11-01", last="2026-11-30")["results"]
    assert [undeclared(ReportedPointsSerializer, row) for row in found] == [[]]
    assert ready(cup)
    assert Entrant.objects.get(tournament=cup, number=1).federation_number == "12"
