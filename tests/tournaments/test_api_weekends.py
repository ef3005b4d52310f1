"""Weekends over the API: by the same rules as their pages, with the same people."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from accounts.clubs.services import default_club_ensure
from accounts.models import Club, User
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, of, queries, refused, sent
from tests.tournaments.weekend_stage import weekend_of
from tournaments import services
from tournaments.api.weekend_people import (
    FeeRegisterSerializer,
    WeekendBoardsSerializer,
    WeekendPersonSerializer,
)
from tournaments.api.weekend_records import RecordsSerializer, WeekendPrizesSerializer
from tournaments.api.weekends import (
    OfferedTournamentSerializer,
    WeekendDeskSerializer,
    WeekendDetailSerializer,
    WeekendSerializer,
    WeekendSettingsBody,
    WeekendSettingsSerializer,
)
from tournaments.boards import Boards, Room
from tournaments.errors import Refused
from tournaments.forms.weekends import WeekendForm
from tournaments.models import Tournament, Weekend
from tournaments.prizes import Purse
from tournaments.selectors.weekends.people import register
from tournaments.services.prizes import purse_set
from tournaments.services.weekend_people import weekend_fees_paid
from tournaments.services.weekends import weekend_publish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

Make = Callable[..., Tournament]
DAYS = {"first": "2026-12-05", "last": "2026-12-06"}
START = datetime(2026, 12, 5, 9, 30, tzinfo=UTC)
HALL = {"name": "Hall", "first": 1, "last": 2}


@pytest.fixture
def club() -> Club:
    club = default_club_ensure()
    club.timezone = "Europe/Madrid"
    club.save()
    return club


@pytest.fixture
def two(tournament: Make, dora: User) -> tuple[Weekend, Tournament, Tournament]:
    """A published weekend of two tournaments that can be entered; W1 and W2 are in the first, W1 in the second."""
    first, second = tournament(walk_ins=2), tournament(walk_ins=1)
    return weekend_of(dora, first, second), first, second


def entered(made: Tournament, *players: User) -> Tournament:
    for player in players:
        services.entrant_add(tournament_id=made.pk, user=made.created_by, player=player)
    return made


def names_in(made: Tournament) -> list[str]:
    return [entrant.name for entrant in made.entrants.order_by("number")]


# The list, one weekend, and what organizers do


def test_a_weekend_is_created_changed_published_and_deleted(club: Club, dora: User, ana: User, bea: User) -> None:
    status, made = sent(dora, f"clubs/{club.slug}/weekends/", name="Open", place="Hotel Sol", **DAYS)
    assert (status, undeclared(WeekendSerializer, made)) == (201, [])
    path = f"weekends/{made['id']}/"
    assert made == {
        "id": made["id"],
        "club": club.slug,
        "name": "Open",
        "place": "Hotel Sol",
        **DAYS,
        "published": False,
        "page": f"/weekends/{made['id']}/",
        "calendar": f"/weekends/{made['id']}/calendar.ics",
    }
    assert refused(bea, path) == (404, "no_weekend")
    assert sent(bea, f"{path}desk/publish/")[1]["code"] == "no_weekend"
    assert sent(dora, f"{path}desk/publish/") == (200, {**made, "published": True})
    status, changed = sent(dora, f"{path}desk/settings/", "patch", about="Bring a board", last="2026-12-07")
    assert (status, undeclared(WeekendSettingsSerializer, changed)) == (200, [])
    wanted = {"name": "Open", "first": "2026-12-05", "last": "2026-12-07", "place": "Hotel Sol"}
    assert changed == {**wanted, "about": "Bring a board"}
    assert sent(bea, f"{path}desk/settings/", "patch", name="Mine")[1]["code"] == "not_organizer"
    assert of(bea).delete(f"/api/v1/{path}").json()["code"] == "not_organizer"
    assert of(dora).delete(f"/api/v1/{path}").status_code == 204
    assert Weekend.objects.count() == 0


def test_the_body_of_a_weekend_has_the_fields_of_its_form() -> None:
    assert set(WeekendSettingsBody().fields) == set(WeekendForm.base_fields)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "Open", "first": "2026-12-05"}, 400, "invalid"),
        ({"name": "Open", "first": "2026-12-06", "last": "2026-12-05"}, 409, "weekend_days"),
        ({"name": "Open", "first": "2026-12-05", "last": "2027-12-05"}, 409, "weekend_days"),
        ({"name": "Open", "first": "0001-01-01", "last": "0001-01-01"}, 409, "weekend_years"),
        ({"name": " ", **DAYS}, 400, "invalid"),
        ({"name": "Open", "published": True, **DAYS}, 400, "unknown_field"),
    ],
)
def test_an_impossible_weekend_is_refused(club: Club, dora: User, body: dict[str, Any], status: int, code: str) -> None:
    found, answer = sent(dora, f"clubs/{club.slug}/weekends/", **body)
    assert (found, answer["code"], Weekend.objects.count()) == (status, code, 0)


def test_who_may_not_create_tournaments_of_a_club_creates_no_weekend(ana: User) -> None:
    Club.objects.create(name="Peña", slug="pena", makers="directors")
    status, answer = sent(ana, "clubs/pena/weekends/", name="Open", **DAYS)
    assert (status, answer["code"]) == (403, "not_club_director")
    assert refused(ana, "clubs/nowhere/weekends/") == (404, "nothing_here")


def test_a_change_of_what_was_changed_since_is_refused(two: tuple[Weekend, Any, Any], dora: User) -> None:
    path = f"/api/v1/weekends/{two[0].pk}/desk/settings/"
    tag = of(dora).get(path).headers["ETag"]
    assert of(dora).get(path, headers={"If-None-Match": tag}).status_code == 304
    change = {"content_type": "application/json", "headers": {"If-Match": tag}}
    assert of(dora).patch(path, {"name": "First"}, **change).status_code == 200
    answer = of(dora).patch(path, {"name": "Second"}, **change)
    assert (answer.status_code, answer.json()["code"]) == (412, "changed_since")
    assert Weekend.objects.get().name == "First"


def test_the_list_has_what_the_viewer_may_see_and_what_is_past_apart(
    two: tuple[Weekend, Any, Any], dora: User, ana: User
) -> None:
    weekend = two[0]
    path = f"clubs/{weekend.club.slug}/weekends/"
    names = lambda user, **query: [row["name"] for row in get_json(user, path, **query)["results"]]  # noqa: E731
    weekend_of(dora, published=False)
    Weekend.objects.filter(pk=weekend.pk).update(name="Shown")
    assert (names(None), names(ana), names(dora)) == (["Shown"], ["Shown"], ["Shown", "Open"])
    Weekend.objects.filter(pk=weekend.pk).update(first=date(2001, 1, 6), last=date(2001, 1, 7))
    assert (names(None), names(None, past="true")) == ([], ["Shown"])


def test_a_weekend_shows_its_schedule_its_tournaments_and_the_matches_of_the_viewer(
    club: Club, tournament: Make, dora: User, ana: User
) -> None:
    first = entered(tournament(walk_ins=1, starts_at=START, venue="board"), ana)
    second = tournament(walk_ins=1, capacity=4)
    weekend = weekend_of(dora, first, second)
    services.boards_set(tournament_id=first.pk, user=dora, boards=Boards((Room("Hall", 1, 2),)))
    services.tournament_start(tournament_id=first.pk, user=dora)
    found = get_json(ana, f"weekends/{weekend.pk}/")
    assert undeclared(WeekendDetailSerializer, found) == []
    assert (found["timezone"], found["may"]) == ("Europe/Madrid", [])
    assert [(row["id"], row["players"], row["places_free"], row["entered"]) for row in found["tournaments"]] == [
        (first.pk, 2, None, True),
        (second.pk, 1, 3, False),
    ]
    assert found["schedule"] == [
        {"at": "2026-12-05T09:30:00Z", "tournament": first.pk, "what": "Start", "rooms": "Hall"}
    ]
    (match,) = found["matches"]
    assert (match["tournament"], match["opponent"], match["board"], match["room"]) == (first.pk, "W1", 1, "Hall")
    assert get_json(None, f"weekends/{weekend.pk}/")["matches"] == []
    directors = ["keep_records", "manage_people", "organize", "view_desk"]
    assert get_json(dora, f"weekends/{weekend.pk}/")["may"] == directors


def test_the_tournaments_of_a_weekend_are_chosen_among_those_it_may_have(
    two: tuple[Weekend, Tournament, Tournament], tournament: Make, dora: User, ana: User
) -> None:
    weekend, first, second = two
    third = tournament()
    path = f"weekends/{weekend.pk}/desk/tournaments/"
    found = get_json(dora, path)
    assert undeclared(OfferedTournamentSerializer(many=True), found) == []
    assert {row["id"]: row["chosen"] for row in found} == {first.pk: True, second.pk: True, third.pk: False}
    status, found = sent(dora, path, tournaments=[second.pk, third.pk])
    assert status == 200
    assert {row["id"]: row["chosen"] for row in found} == {first.pk: False, second.pk: True, third.pk: True}
    assert sent(dora, path, tournaments=["nothing"])[1]["code"] == "weekend_tournament"
    assert sent(ana, path, tournaments=[])[1]["code"] == "not_organizer"
    assert set(weekend.tournaments.values_list("pk", flat=True)) == {second.pk, third.pk}


def test_the_desk_shows_who_is_wanted_in_two_tournaments_to_officials_only(
    club: Club, tournament: Make, dora: User, ana: User, bea: User
) -> None:
    first, second = (entered(tournament(), ana, bea) for _ in range(2))
    later = [entered(tournament(starts_at=START), ana, bea) for _ in range(2)]
    for made in (first, second):
        services.tournament_start(tournament_id=made.pk, user=dora)
    weekend = weekend_of(dora, first, second, *later)
    path = f"weekends/{weekend.pk}/desk/"
    found = get_json(dora, path)
    assert undeclared(WeekendDeskSerializer, found) == []
    both = [{"tournament": each.pk, "board": None} for each in (first, second)]
    assert found["conflicts"] == [{"name": "ana", "wanted": both}, {"name": "bea", "wanted": both}]
    (clash,) = found["clashes"]
    assert {clash["first"]["tournament"], clash["second"]["tournament"]} == {each.pk for each in later}
    assert (clash["first"]["begins"], clash["names"]) == ("2026-12-05T09:30:00Z", ["ana", "bea"])
    assert refused(ana, path) == (403, "not_weekend_official")
    assert refused(None, path) == (401, "not_authenticated")
    services.official_appoint(tournament_id=first.pk, user=dora, official=ana, role="scorekeeper")
    assert get_json(ana, path)["may"] == ["view_desk"]


# People, boards and fees


def test_a_person_is_entered_in_all_chosen_tournaments_or_in_none(
    two: tuple[Weekend, Tournament, Tournament], dora: User, ana: User
) -> None:
    weekend, first, second = two
    path = f"weekends/{weekend.pk}/desk/people/"
    both = [first.pk, second.pk]
    assert sent(dora, path, name="ana", tournaments=both)[1]["code"] == "is_member"
    status, person = sent(dora, path, name="ana", walk_in=False, tournaments=both)
    assert (status, undeclared(WeekendPersonSerializer, person)) == (201, [])
    assert (person["name"], person["player"]) == ("ana", {"name": "ana", "kind": "member"})
    assert {(entry["tournament"], entry["number"]) for entry in person["entries"]} == {(first.pk, 3), (second.pk, 2)}
    services.tournament_draw(tournament_id=second.pk, user=dora)
    assert sent(dora, path, name="Paco", tournaments=both)[1]["code"] == "in_tournament"
    assert (names_in(first), names_in(second)) == (["W1", "W2", "ana"], ["W1", "ana"])
    assert sent(dora, path, name="Paco", tournaments=["nothing"])[1]["code"] == "no_tournament_chosen"
    assert sent(ana, path, name="Paco", tournaments=both) == (403, Refused("not_weekend_director").as_json())
    found = get_json(dora, path)["results"]
    assert [(row["name"], row["player"], len(row["entries"])) for row in found] == [
        ("ana", {"name": "ana", "kind": "member"}, 2),
        ("W1", None, 2),
        ("W2", None, 1),
    ]


def test_a_person_is_checked_in_where_registration_is_open(
    two: tuple[Weekend, Tournament, Tournament], dora: User, ana: User
) -> None:
    weekend, first, second = two
    path = f"weekends/{weekend.pk}/desk/people/check-in/"
    entry = first.entrants.get(number=1).pk
    here = lambda made: made.entrants.get(number=1).checked_in  # noqa: E731
    status, person = sent(dora, path, entry=entry)
    assert (status, [each["checked_in"] for each in person["entries"]]) == (200, [True, True])
    assert sent(dora, path, entry=entry, tournament=second.pk, here=False)[0] == 200
    assert (here(first), here(second)) == (True, False)
    services.tournament_draw(tournament_id=first.pk, user=dora)
    assert sent(dora, path, entry=entry)[0] == 200
    assert here(second) is True
    assert sent(dora, path, entry=entry, tournament=first.pk)[1]["code"] == "in_tournament"
    assert sent(dora, path, entry=entry + 1000)[1]["code"] == "no_person"
    assert sent(dora, path, entry=first.entrants.get(number=2).pk, tournament=second.pk)[1]["code"] == "no_person"
    assert sent(ana, path, entry=entry)[1]["code"] == "not_weekend_director"


def test_boards_are_set_for_several_tournaments_which_share_them(tournament: Make, dora: User, ana: User) -> None:
    first, second = (tournament(walk_ins=4, start=True) for _ in range(2))
    weekend = weekend_of(dora, first, second)
    path = f"weekends/{weekend.pk}/desk/boards/"
    both = [first.pk, second.pk]
    status, found = sent(dora, path, tournaments=both, rooms=[{**HALL, "last": 3}])
    assert (status, undeclared(WeekendBoardsSerializer, found)) == (200, [])
    rooms = {"rooms": [{**HALL, "last": 3}], "reserved": [], "streamed": [], "automatic": True}
    assert sorted(found["tournaments"], key=lambda row: row["tournament"]) == [
        {"tournament": pk, **rooms} for pk in sorted(both)
    ]
    assert [(row["board"], row["key"]) for row in found["called"]] == [(1, "main-1-1"), (2, "main-1-2")]
    assert get_json(dora, path) == found
    wrong = sent(dora, path, tournaments=both, rooms=[{"name": "", "first": 3, "last": 1}])
    assert (wrong[0], wrong[1]["code"]) == (409, "in_tournament")
    assert sent(ana, path, tournaments=both, rooms=[])[1]["code"] == "not_weekend_director"


def test_the_register_of_fees_adds_up_and_records_payments(
    two: tuple[Weekend, Tournament, Tournament], dora: User, ana: User
) -> None:
    weekend, first, second = two
    for made, fee in ((first, 2000), (second, 550)):
        purse_set(tournament_id=made.pk, user=dora, purse=Purse(fee=fee, currency="€"))
    path, entry = f"weekends/{weekend.pk}/desk/fees/", first.entrants.get(number=1).pk
    found = get_json(dora, path)
    assert undeclared(FeeRegisterSerializer, found) == []
    assert (found["collected"], found["outstanding"], found["owing"]) == ("", "45.50 €", 2)
    status, found = sent(dora, f"{path}paid/", entry=entry, tournament=second.pk)
    assert (status, found["collected"], found["outstanding"], found["owing"]) == (200, "5.50 €", "40 €", 2)
    payer = next(row for row in found["payers"] if row["name"] == "W1")
    assert (payer["entry"], payer["paid"], payer["to_pay"]) == (entry, "5.50 €", "20 €")
    paid = next(fee for fee in payer["fees"] if fee["paid"])
    assert (paid["tournament"], paid["fee"], paid["currency"], paid["by"]) == (second.pk, 550, "€", "dora")
    assert sent(dora, f"{path}paid/", entry=entry)[1]["owing"] == 1
    assert sent(dora, f"{path}paid/", entry=entry)[1]["owing"] == 1
    assert second.events.filter(kind="paid").count() == 1
    found = sent(dora, f"{path}paid/", entry=entry, paid=False)[1]
    assert (found["collected"], found["owing"]) == ("", 2)
    assert sent(dora, f"{path}paid/", entry=0)[0] == 400
    assert sent(dora, f"{path}paid/", entry=entry + 1000)[1]["code"] == "no_person"
    assert refused(ana, path) == (403, "not_weekend_director")
    assert sent(ana, f"{path}paid/", entry=entry)[1]["code"] == "not_weekend_director"


# Records and prizes


def test_records_are_added_corrected_and_removed_with_their_history(
    two: tuple[Weekend, Tournament, Tournament], dora: User, ana: User
) -> None:
    weekend, first, second = two
    path = f"weekends/{weekend.pk}/desk/records/"
    one, other = (entrant.pk for entrant in first.entrants.order_by("number"))
    status, found = sent(dora, f"{path}pools/", name="Last", stake=1000, currency="€", people=[one, other])
    assert (status, undeclared(RecordsSerializer, found)) == (201, [])
    pool = {"name": "Last", "stake": 1000, "currency": "€", "people": [one, other]}
    status, found = sent(dora, f"{path}pools/1/", "put", **pool, winners=[other])
    assert (status, found["pools"][0]["winners"]) == (200, [other])
    facts = ["stake 10 €, total 20 €", "In it: W1, W2", "Won by: W2 20 €"]
    assert (found["pools"][0]["ref"], found["pools"][0]["facts"]) == (1, facts)
    assert [(line["by"], line["removed"]) for line in found["pools"][0]["history"]] == [("dora", False)] * 2
    lot = {"player": one, "buyer": "Luis", "price": 5000, "currency": "€", "share": 60}
    assert sent(dora, f"{path}lots/", **lot)[0] == 201
    assert sent(dora, f"{path}lots/", **lot)[1]["code"] == "record_twice"
    assert sent(dora, f"{path}lots/", **{**lot, "player": other, "share": 41})[1]["code"] == "record_shares"
    assert sent(dora, f"{path}lots/1/", "put", **lot)[1]["code"] == "no_record"
    assert sent(dora, f"{path}consolations/", tournament=first.pk, percent=20)[0] == 201
    found = sent(dora, f"{path}consolations/4/", "put", tournament=second.pk, percent=25)[1]
    assert [(row["ref"], row["tournament"], row["percent"]) for row in found["consolations"]] == [(4, second.pk, 25)]
    assert sent(dora, f"{path}pools/", name="Far", stake=1, people=[10**6])[1]["code"] == "record_people"
    assert sent(dora, f"{path}pools/", name="Odd", stake=1, winners=[one])[1]["code"] == "record_invalid"
    assert of(dora).delete(f"/api/v1/{path}1/").status_code == 204
    answer = of(dora).delete(f"/api/v1/{path}1/")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_record")
    found = get_json(dora, path)
    assert (found["pools"], [line["removed"] for line in found["removed"]]) == ([], [True])
    assert (found["lots"][0]["buyer"], found["auction_total"]) == ("Luis", "50 €")
    assert refused(ana, path) == (403, "not_weekend_director")
    assert sent(ana, f"{path}pools/", name="Mine", stake=1)[1]["code"] == "not_weekend_director"


def test_prizes_are_shown_to_players_where_their_tournament_shows_them(
    two: tuple[Weekend, Tournament, Tournament], dora: User
) -> None:
    weekend, first, second = two
    for made, shown in ((first, True), (second, False)):
        purse = Purse(added=10000, currency="€", shares=(100,), shown=shown)
        purse_set(tournament_id=made.pk, user=dora, purse=purse)
    path = f"weekends/{weekend.pk}/"
    sent(dora, f"{path}desk/records/consolations/", tournament=first.pk, percent=20)
    found = get_json(None, f"{path}prizes/")
    assert undeclared(WeekendPrizesSerializer, found) == []
    assert [(row["tournament"], row["total"], row["consolation"]) for row in found["tournaments"]] == [
        (first.pk, "100 €", "20 €")
    ]
    both = get_json(dora, f"{path}prizes/")["tournaments"]
    assert {(row["tournament"], row["consolation"]) for row in both} == {(first.pk, "20 €"), (second.pk, "")}


# Everywhere


READS = (
    "weekends/{weekend}/",
    "weekends/{weekend}/prizes/",
    "weekends/{weekend}/desk/",
    "weekends/{weekend}/desk/tournaments/",
    "weekends/{weekend}/desk/people/",
    "weekends/{weekend}/desk/boards/",
    "weekends/{weekend}/desk/fees/",
    "weekends/{weekend}/desk/records/",
)


@pytest.mark.parametrize("path", READS)
def test_a_reading_needs_as_many_queries_with_three_tournaments_as_with_one(
    tournament: Make, dora: User, path: str
) -> None:
    counts = []
    for number in (1, 3):
        made = [tournament(walk_ins=2 * number) for _ in range(number)]
        weekend = weekend_of(dora, *made)
        for each in made:
            purse_set(tournament_id=each.pk, user=dora, purse=Purse(fee=500, currency="€", shown=True))
            sent(dora, f"weekends/{weekend.pk}/desk/records/consolations/", tournament=each.pk, percent=10)
        entrants = [each.entrants.get(number=1).pk for each in made]
        weekend_fees_paid(weekend_id=weekend.pk, user=dora, entrant_id=entrants[0])
        counts.append(queries(dora, path.format(weekend=weekend.pk)))
        for each in made:
            services.tournament_cancel(tournament_id=each.pk, user=dora)
            Tournament.objects.filter(pk=each.pk).update(weekend=None)
    assert counts[0] == counts[1]


def test_the_list_needs_as_many_queries_with_three_weekends_as_with_one(club: Club, dora: User) -> None:
    counts = []
    for _ in range(3):
        weekend_of(dora)
        counts.append(queries(None, f"clubs/{club.slug}/weekends/"))
    assert len(set(counts)) == 1


def test_a_draft_is_hidden_from_those_without_a_role_at_all_its_addresses(
    two: tuple[Weekend, Tournament, Tournament], dora: User, ana: User
) -> None:
    weekend = two[0]
    weekend_publish(weekend_id=weekend.pk, user=dora, published=False)
    assert [refused(ana, path.format(weekend=weekend.pk)) for path in READS] == [(404, "no_weekend")] * len(READS)
    assert len(register(weekend).people) == 2
