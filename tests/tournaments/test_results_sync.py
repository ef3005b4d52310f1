"""Results over the board in the records of a club: imports, synchronisation with tournaments, and club records."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.errors import Refused
from accounts.models import Club, Membership, User
from games.database import now
from games.models import Match, RatedMatch, Rating
from games.services import pool_rebuild
from games.services.over_the_board import board_match_change, board_match_record
from tests.tournaments.conftest import ready, terms
from tournaments import services
from tournaments.models import ClubRecords, OutsideResult, Placing, Tournament
from tournaments.services import records, results_import, results_sync

pytestmark = pytest.mark.django_db

SHEET = b"""date;player;rival;length;score;winner;event
2026-10-01;ANA;bea;5;5-3;ana;Weekly club tournament
2026-10-08;bea;Paco;5;5-4;;
2026-10-08;ana;bea;5;3-4;;
"""


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as found:
        act()
    return found.value.code


@pytest.fixture
def club(ana: User, bea: User, dora: User) -> Club:
    """A club that vouches for results over the board; ana and bea play, dora owns it."""
    made = Club.objects.create(name="Peña", slug="pena", outside=True)
    for user, role in ((dora, "owner"), (ana, "member"), (bea, "member")):
        Membership.objects.create(club=made, user=user, role=role)
    return made


# Results out of a file


def checked_lines(club: Club, by: User, data: bytes = SHEET, *, rated: bool = True) -> list[tuple[int, str, str]]:
    return [
        (line.number, line.status, line.code)
        for line in results_import.results_check(club=club, by=by, data=data, rated=rated)
    ]


def test_the_check_of_a_file_writes_nothing(club: Club, dora: User) -> None:
    assert checked_lines(club, dora) == [(2, "new", ""), (3, "new", ""), (4, "error", "line_score")]
    assert not Match.objects.exists()


def test_the_import_writes_what_the_check_showed_and_nothing_the_second_time(
    club: Club, ana: User, bea: User, dora: User
) -> None:
    for _again in range(2):
        results_import.results_import(club=club, by=dora, data=SHEET, rated=True)
    first, second = Match.objects.order_by("ended_at")
    assert [(seat.user, seat.name, seat.points, seat.won) for seat in first.seats.order_by("-side")] == [
        (ana, "ana", 5, True),
        (bea, "bea", 3, False),
    ]
    assert [seat.name for seat in second.seats.order_by("-side")] == ["bea", "Paco"]
    assert (first.title, first.from_url, first.rated, second.rated) == (
        "Weekly club tournament",
        "/clubs/pena/",
        True,
        False,
    )
    assert first.ended_at == datetime(2026, 10, 1, 12, tzinfo=UTC)
    assert checked_lines(club, dora) == [(2, "known", ""), (3, "known", ""), (4, "error", "line_score")]
    assert RatedMatch.objects.count() == 1


def test_a_line_twice_in_a_file_is_one_result(club: Club, dora: User) -> None:
    data = SHEET.splitlines(keepends=True)
    assert checked_lines(club, dora, data[0] + data[1] + data[1])[1] == (3, "twice", "")


def test_a_result_in_the_future_is_an_error(club: Club, dora: User) -> None:
    data = SHEET.replace(b"2026-10-01", b"2199-10-01")
    assert checked_lines(club, dora, data)[0] == (2, "error", "line_future")


def test_nothing_is_rated_against_the_policy_of_the_club(club: Club, dora: User) -> None:
    Club.objects.update(outside=False)
    club.refresh_from_db()
    assert refused(lambda: checked_lines(club, dora)) == "not_rated_outside"
    results_import.results_import(club=club, by=dora, data=SHEET, rated=False)
    assert not RatedMatch.objects.exists()


def test_only_directors_import_results(club: Club, ana: User) -> None:
    assert refused(lambda: checked_lines(club, ana)) == "not_club_director"
    assert (
        refused(lambda: results_import.results_import(club=club, by=ana, data=SHEET, rated=False))
        == "not_club_director"
    )


# A match over the board


def recorded(ana: User, bea: Any, **changes: Any) -> Match:
    day = changes.pop("day", 1)
    facts: dict[str, Any] = {"points": (5, 2), "winner": "white", "rated": True, **changes}
    return board_match_record(
        creator=ana,
        variant="backgammon",
        length=5,
        players=(ana, bea),
        played_at=datetime(2026, 10, day, tzinfo=UTC),
        title="Weekly club tournament",
        from_url="/clubs/pena/",
        **facts,
    )


def ratings() -> dict[str, float]:
    return {row.user.username: round(row.rating, 2) for row in Rating.objects.select_related("user")}


def test_an_imported_match_of_two_members_counts_like_one_played_on_this_site(ana: User, bea: User) -> None:
    recorded(ana, bea)
    assert ratings() == {"ana": 1522.14, "bea": 1477.86}


def test_a_corrected_result_changes_the_ratings_and_an_annulled_one_leaves_them(ana: User, bea: User) -> None:
    match = recorded(ana, bea)
    change = {"match_id": match.pk, "by": ana, "reason": "Wrong"}
    assert board_match_change(**change, winner="black", points=(4, 5), counts=True)
    assert ratings() == {"ana": 1477.86, "bea": 1522.14}
    assert not board_match_change(**change, winner="black", points=(4, 5), counts=True)
    assert board_match_change(**change, winner=None, counts=False)
    assert ratings() == {}
    assert pool_rebuild(pool_id=RatedMatch.objects.get().pool_id, check=True) == []
    match.refresh_from_db()
    assert (match.winner, match.ended_by, match.corrections.count()) == ("", "stopped", 2)


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"points": (4, 2)}, "board_score"), ({"points": (5, 5)}, "board_score"), ({"winner": "black"}, "board_score")],
)
def test_a_score_without_a_winner_is_refused(ana: User, bea: User, changes: dict[str, Any], code: str) -> None:
    assert refused(lambda: recorded(ana, bea, **changes)) == code


def test_a_match_against_oneself_is_refused_and_a_name_is_never_rated(ana: User) -> None:
    assert refused(lambda: recorded(ana, ana)) == "board_players"
    assert not recorded(ana, "Paco").rated


# The books follow the tournament


@pytest.fixture
def tournament(club: Club, ana: User, bea: User, dora: User) -> Tournament:
    """A rated match of ana and bea over the board, which ana won."""
    made = services.tournament_create(
        creator=dora, club=club, name="Torneo semanal del club", terms=terms(rated=True, clock="club", venue="board")
    )
    for user in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=user)
    services.tournament_start(tournament_id=made.pk, user=dora)
    (key,) = ready(made)
    services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=1, points=(3, 1))
    return made


def champions() -> list[str]:
    return list(Placing.objects.filter(place=1).values_list("name", flat=True))


def book() -> int:
    due = results_sync.tournaments_to_sync(10)
    for tournament_id in due:
        results_sync.tournament_sync_results(tournament_id=tournament_id)
    return len(due)


def test_a_result_over_the_board_counts_once(club: Club, tournament: Tournament) -> None:
    assert [book(), book()] == [1, 0]
    row = OutsideResult.objects.select_related("match").get()
    assert (row.key, row.match.title, row.match.from_url) == (
        f"{tournament.pk}/main-1-1",
        "Torneo semanal del club",
        f"/tournaments/{tournament.pk}/",
    )
    assert ratings()["ana"] > 1500 > ratings()["bea"]
    assert champions() == ["ana"]


def test_nothing_is_rated_unless_the_club_allows_it(club: Club, tournament: Tournament) -> None:
    Club.objects.update(outside=False)
    book()
    assert not OutsideResult.objects.exists()
    assert len(champions()) == 1


def test_a_second_synchronisation_changes_nothing(tournament: Tournament) -> None:
    book()
    before = ratings()
    Tournament.objects.update(synced_version=0)
    assert book() == 1
    assert ratings() == before
    assert (OutsideResult.objects.count(), len(champions())) == (1, 1)


def test_an_undone_result_leaves_the_ratings_and_a_redone_one_returns(tournament: Tournament, dora: User) -> None:
    book()
    before = ratings()
    act = tournament.events.filter(kind="result").get().act
    services.act_undo(tournament_id=tournament.pk, user=dora, act=act)
    book()
    assert ratings() == {}
    assert (Match.objects.get().winner, len(champions())) == ("", 0)
    services.act_redo(tournament_id=tournament.pk, user=dora, act=act)
    book()
    assert ratings() == before
    assert (Match.objects.get().winner, len(champions())) == ("white", 1)


def test_a_win_without_a_score_is_rated_once_the_score_is_added(tournament: Tournament, dora: User) -> None:
    act = tournament.events.filter(kind="result").get().act
    services.act_undo(tournament_id=tournament.pk, user=dora, act=act)
    (key,) = ready(tournament)
    services.result_enter(tournament_id=tournament.pk, user=dora, key=key, winner=1)
    book()
    assert (ratings(), len(champions())) == ({}, 1)
    correction = {"key": key, "winner": 1, "points": (3, 1), "why": "Score found"}
    services.result_correct(tournament_id=tournament.pk, user=dora, **correction)
    book()
    assert sorted(ratings()) == ["ana", "bea"]


def test_a_result_before_a_substitution_stays_rated_for_the_predecessor(
    club: Club, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = services.tournament_create(
        creator=dora, club=club, name="Cup", terms=terms(rated=True, clock="club", venue="board")
    )
    for person in ({"player": ana}, {"name": "Paco"}, {"name": "Rosa"}, {"player": bea}):
        services.entrant_add(tournament_id=made.pk, user=dora, **person)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-1", winner=1, points=(3, 1))
    book()
    before = ratings()
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=1, player=carlos)
    book()
    assert ratings() == before
    assert (sorted(before), Match.objects.count()) == (["ana", "bea"], 1)


def test_a_corrected_result_is_synchronised(tournament: Tournament, dora: User) -> None:
    book()
    facts = {"tournament_id": tournament.pk, "user": dora, "key": "main-1-1", "winner": 2, "points": (2, 3)}
    services.result_correct(**facts, why="Read upside down")
    book()
    assert ratings()["bea"] > 1500 > ratings()["ana"]
    assert champions() == ["bea"]
    assert [seat.points for seat in Match.objects.get().seats.order_by("-side")] == [2, 3]


# Records


def test_the_records_of_a_club_are_those_of_its_members(club: Club, ana: User, bea: User, carlos: User) -> None:
    for day in range(1, 4):
        recorded(ana, bea, day=day)
    recorded(ana, carlos, points=(1, 5), winner="black", day=4)
    found = records.records_count(club_id=club.pk).found
    assert found["matches"] == [{"name": "ana", "value": 4}, {"name": "bea", "value": 3}]
    assert found["wins"] == [{"name": "ana", "value": 3}]
    assert found["streak"] == [{"name": "ana", "value": 3}]
    assert [row["name"] for row in found["rating"]] == ["ana", "bea"]


def test_records_are_counted_again_after_an_hour(club: Club) -> None:
    assert club.pk in records.records_due(10)
    records.records_count(club_id=club.pk)
    assert club.pk not in records.records_due(10)
    ClubRecords.objects.update(counted_at=now() - timedelta(hours=1))
    assert club.pk in records.records_due(10)
