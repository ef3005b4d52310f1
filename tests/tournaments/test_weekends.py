"""Weekends: who makes them, of which tournaments they consist, and what their page shows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Club, Membership, User
from tests.tournaments.conftest import terms
from tests.tournaments.desk_browser import messages
from tests.tournaments.weekend_stage import WEEKEND, weekend_of
from tournaments import services
from tournaments.boards import Boards, Room
from tournaments.errors import Refused, WeekendNotFound
from tournaments.models import Tournament, Weekend
from tournaments.selectors.weekends.page import weekend_page
from tournaments.services.weekends import weekend_publish, weekend_remove, weekend_save, weekend_set_tournaments

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

Make = Callable[..., Tournament]
As = Callable[[User], Client]
START = datetime(2026, 12, 5, 9, 30, tzinfo=UTC)


def refused(code: str, service: Callable[..., Any], **arguments: Any) -> Refused:
    with pytest.raises(Refused) as found:
        service(**arguments)
    assert found.value.code == code
    return found.value


# Making and changing


def test_whoever_may_create_tournaments_of_a_club_creates_a_weekend(ana: User, bea: User) -> None:
    club = Club.objects.create(name="Peña", slug="pena", makers="directors")
    Membership.objects.create(club=club, user=ana, role="member")
    Membership.objects.create(club=club, user=bea, role="director")
    refused("not_club_director", weekend_save, user=ana, club=club, **WEEKEND)
    made = weekend_save(user=bea, club=club, **WEEKEND)
    assert (made.name, made.first, made.last, made.published) == ("Open", date(2026, 12, 5), date(2026, 12, 6), False)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"name": " "}, "weekend_name"),
        ({"name": "x" * 81}, "weekend_name"),
        ({"last": date(2026, 12, 4)}, "weekend_days"),
        ({"last": date(2027, 1, 5)}, "weekend_days"),
        ({"first": date(1899, 12, 31), "last": date(1900, 1, 1)}, "weekend_years"),
    ],
)
def test_an_impossible_weekend_is_refused(tournament: Make, dora: User, more: dict[str, Any], code: str) -> None:
    club = tournament().club
    refused(code, weekend_save, user=dora, club=club, **{**WEEKEND, **more})
    assert not Weekend.objects.exists()


def test_only_organizers_change_a_weekend(tournament: Make, ana: User, bea: User, dora: User) -> None:
    made = tournament(walk_ins=2)
    weekend = weekend_of(dora, made)
    services.director_add(tournament_id=made.pk, user=dora, director=bea)
    for user in (ana, bea):
        refused("not_organizer", weekend_save, user=user, club=weekend.club, weekend_id=weekend.pk, **WEEKEND)
        refused("not_organizer", weekend_publish, weekend_id=weekend.pk, user=user, published=True)
        refused("not_organizer", weekend_set_tournaments, weekend_id=weekend.pk, user=user, tournament_ids=[])
        refused("not_organizer", weekend_remove, weekend_id=weekend.pk, user=user)
    Membership.objects.create(club=weekend.club, user=bea, role="director")
    weekend_save(user=bea, club=weekend.club, weekend_id=weekend.pk, **{**WEEKEND, "name": "Masters"})
    weekend.refresh_from_db()
    assert weekend.name == "Masters"


def test_a_weekend_has_tournaments_of_its_club_that_are_in_no_other(tournament: Make, dora: User) -> None:
    first, second, elsewhere = tournament(), tournament(), tournament()
    Tournament.objects.filter(pk=elsewhere.pk).update(club=Club.objects.create(name="Otra", slug="otra"))
    weekend, other = weekend_of(dora, first), weekend_of(dora, second)
    for wrong in (second.pk, elsewhere.pk, "nothing"):
        refused(
            "weekend_tournament",
            weekend_set_tournaments,
            weekend_id=weekend.pk,
            user=dora,
            tournament_ids=[first.pk, wrong],
        )
    weekend_set_tournaments(weekend_id=other.pk, user=dora, tournament_ids=[])
    weekend_set_tournaments(weekend_id=weekend.pk, user=dora, tournament_ids=[second.pk])
    assert list(weekend.tournaments.values_list("pk", flat=True)) == [second.pk]
    assert not other.tournaments.exists()


def test_who_organizes_adds_only_tournaments_that_they_direct(
    tournament: Make, as_user: As, ana: User, dora: User
) -> None:
    theirs = tournament(walk_ins=2)
    Club.objects.filter(pk=theirs.club_id).update(makers="members")
    own = services.tournament_create(creator=ana, name="Own", terms=terms())
    weekend = weekend_of(ana, own)
    ids = [own.pk, theirs.pk]
    error = refused("in_tournament", weekend_set_tournaments, weekend_id=weekend.pk, user=ana, tournament_ids=ids)
    assert error.text == f"{theirs.name}: Only the directors of this tournament can do that."
    page = as_user(ana).get(reverse("weekend-desk", args=[weekend.pk])).content.decode()
    assert [f'value="{pk}"' in page for pk in ids] == [True, False]
    services.director_add(tournament_id=theirs.pk, user=dora, director=ana)
    weekend_set_tournaments(weekend_id=weekend.pk, user=ana, tournament_ids=ids)
    assert weekend.tournaments.count() == 2


def test_who_may_no_longer_create_tournaments_organizes_no_more(ana: User) -> None:
    club = Club.objects.create(name="Peña", slug="pena", makers="members")
    Membership.objects.create(club=club, user=ana, role="member")
    weekend = weekend_save(user=ana, club=club, **WEEKEND)
    Membership.objects.filter(user=ana).delete()
    refused("not_organizer", weekend_publish, weekend_id=weekend.pk, user=ana, published=True)


def test_tournaments_that_play_at_one_board_do_not_come_together(tournament: Make, dora: User) -> None:
    both = [tournament(walk_ins=2, start=True, venue="board") for _number in range(2)]
    for made in both:
        services.boards_set(tournament_id=made.pk, user=dora, boards=Boards((Room("Hall", 1, 4),)))
    weekend = weekend_of(dora, both[0])
    error = refused(
        "board_shared",
        weekend_set_tournaments,
        weekend_id=weekend.pk,
        user=dora,
        tournament_ids=[made.pk for made in both],
    )
    assert error.params["board"] == 1
    assert weekend.tournaments.count() == 1


def test_a_deleted_weekend_keeps_its_tournaments(tournament: Make, dora: User) -> None:
    made = tournament()
    weekend = weekend_of(dora, made)
    weekend_remove(weekend_id=weekend.pk, user=dora)
    made.refresh_from_db()
    assert (made.weekend, Weekend.objects.count()) == (None, 0)
    with pytest.raises(WeekendNotFound):
        weekend_remove(weekend_id=weekend.pk, user=dora)


# The page for players


def test_an_unpublished_weekend_is_hidden_from_all_but_officials(
    tournament: Make, as_user: As, ana: User, bea: User, dora: User, client: Client
) -> None:
    made = tournament(walk_ins=2)
    weekend = weekend_of(dora, made, published=False)
    services.official_appoint(tournament_id=made.pk, user=dora, official=bea, role="scorekeeper")
    urls = [reverse(name, args=[weekend.pk]) for name in ("weekend", "weekend-live", "weekend-calendar")]
    for url in urls:
        assert [each.get(url).status_code for each in (client, as_user(ana))] == [404, 404]
        assert [as_user(user).get(url).status_code for user in (bea, dora)] == [200, 200]
    club_url, tournament_url = reverse("club", args=[weekend.club.slug]), reverse("tournament", args=[made.pk])
    assert [urls[0] in client.get(url).content.decode() for url in (club_url, tournament_url)] == [False, False]
    assert [urls[0] in as_user(bea).get(url).content.decode() for url in (club_url, tournament_url)] == [True, True]
    weekend_publish(weekend_id=weekend.pk, user=dora, published=True)
    assert [client.get(url).status_code for url in urls] == [200, 200, 200]
    assert [urls[0] in client.get(url).content.decode() for url in (club_url, tournament_url)] == [True, True]


def test_the_schedule_has_the_days_of_the_clubs_time_zone(tournament: Make, dora: User) -> None:
    late = datetime(2026, 12, 5, 23, 30, tzinfo=UTC)
    made, other = tournament(starts_at=START), tournament(starts_at=late)
    weekend = weekend_of(dora, made, other, tournament())
    Club.objects.filter(pk=weekend.club_id).update(timezone="Europe/Madrid")
    services.boards_set(tournament_id=made.pk, user=dora, boards=Boards((Room("Hall", 1, 4), Room("", 5, 8))))
    view = weekend_page(weekend_id=weekend.pk, user=None)
    found = [
        (day.title, [(entry.time, entry.row.tournament.pk, entry.what, entry.rooms) for entry in day.entries])
        for day in view.days
    ]
    assert found == [
        ("Saturday 5 December", [("10:30", made.pk, "Start", "Hall, boards 5–8")]),
        ("Sunday 6 December", [("00:30", other.pk, "Start", "")]),
    ]


def test_a_timed_round_is_in_the_schedule_and_in_the_calendar(tournament: Make, dora: User, client: Client) -> None:
    made = tournament(walk_ins=4, start=True, format_="round-robin", pace="timed", round_minutes=60, venue="board")
    weekend = weekend_of(dora, made)
    opens = made.round_rows.get(opened_at=None).open_at
    assert opens is not None
    (day,) = weekend_page(weekend_id=weekend.pk, user=None).days
    assert [(entry.what, entry.at) for entry in day.entries] == [("Round 2", opens)]
    text = client.get(reverse("weekend-calendar", args=[weekend.pk])).content.decode()
    assert f"DTSTART:{opens:%Y%m%dT%H%M%SZ}" in text


def test_players_see_their_matches_with_board_and_room(
    tournament: Make, as_user: As, ana: User, bea: User, dora: User
) -> None:
    made = tournament(venue="board")
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    weekend = weekend_of(dora, made)
    services.boards_set(tournament_id=made.pk, user=dora, boards=Boards((Room("Hall", 12, 14),)))
    assert weekend_page(weekend_id=weekend.pk, user=ana).matches == []
    services.tournament_start(tournament_id=made.pk, user=dora)
    (match,) = weekend_page(weekend_id=weekend.pk, user=ana).matches
    assert (match.opponent, match.board, match.room) == ("bea", 12, "Hall")
    assert weekend_page(weekend_id=weekend.pk, user=dora).matches == []
    assert "Your matches now" in as_user(ana).get(reverse("weekend", args=[weekend.pk])).content.decode()


def test_results_are_shown_until_they_are_undone(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, venue="board")
    weekend = weekend_of(dora, made)
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-1", winner=4, points=(1, 3))
    found = weekend_page(weekend_id=weekend.pk, user=None).results
    assert [(result.winner, result.loser, result.score) for result in found] == [("W4", "W1", "3–1")]
    act = made.events.get(kind="result").act
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert weekend_page(weekend_id=weekend.pk, user=None).results == []


def test_the_places_left_are_those_that_nobody_has(tournament: Make, dora: User) -> None:
    full, open_, started = (
        tournament(walk_ins=3, capacity=2),
        tournament(walk_ins=1, capacity=4),
        tournament(walk_ins=2),
    )
    services.tournament_start(tournament_id=started.pk, user=dora)
    view = weekend_page(weekend_id=weekend_of(dora, full, open_, started).pk, user=None)
    assert {part.tournament.pk: part.places_free for part in view.tournaments} == {
        full.pk: 0,
        open_.pk: 3,
        started.pk: None,
    }


# Pages and forms


def test_a_weekend_is_made_changed_published_and_deleted_by_its_forms(tournament: Make, desk: Client) -> None:
    made = tournament(walk_ins=2)
    form = {"name": "Open", "first": "2026-12-05", "last": "2026-12-06", "place": "Casino, Calle 1"}
    answer = desk.post(reverse("weekend-new", args=[made.club.slug]), form)
    weekend = Weekend.objects.get()
    assert answer.headers["Location"] == reverse("weekend-desk", args=[weekend.pk])
    desk.post(reverse("weekend-change", args=[weekend.pk]), {**form, "name": "Masters"})
    desk.post(reverse("weekend-tournaments", args=[weekend.pk]), {"tournaments": [made.pk]})
    desk.post(reverse("weekend-publish", args=[weekend.pk]))
    weekend.refresh_from_db()
    assert (weekend.name, weekend.place, weekend.published) == ("Masters", "Casino, Calle 1", True)
    assert list(weekend.tournaments.all()) == [made]
    desk.post(reverse("weekend-publish", args=[weekend.pk]), {"action": "hide"})
    weekend.refresh_from_db()
    assert not weekend.published
    answer = desk.post(reverse("weekend-remove", args=[weekend.pk]))
    assert answer.headers["Location"] == reverse("club", args=[made.club.slug])


def test_a_wrong_form_is_shown_again_with_the_reason(tournament: Make, desk: Client) -> None:
    url = reverse("weekend-new", args=[tournament().club.slug])
    for form, text in (
        ({"name": "Open", "first": "2026-12-06", "last": "2026-12-05"}, "it can&#x27;t end before it starts"),
        ({"name": "Open", "first": "yesterday"}, "Enter a valid date"),
    ):
        answer = desk.post(url, form)
        assert (answer.status_code, text in answer.content.decode()) == (422, True)


def test_a_chosen_tournament_that_cannot_be_added_is_refused_with_the_reason(tournament: Make, desk: Client) -> None:
    weekend = weekend_of(User.objects.get(username="dora"), tournament())
    answer = desk.post(reverse("weekend-tournaments", args=[weekend.pk]), {"tournaments": ["nothing", "\0"]})
    assert messages(answer) == ["Choose tournaments of this club that are in no other weekend."]


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_takes_as_many_queries_for_three_tournaments_as_for_one(
    tournament: Make, as_user: As, ana: User, dora: User, language: str, django_assert_max_num_queries: Any
) -> None:
    weekend = weekend_of(dora)
    made: list[str] = []
    for number in (1, 3):
        while len(made) < number:
            new = tournament(walk_ins=3, venue="board", starts_at=START)
            services.entrant_add(tournament_id=new.pk, user=dora, player=ana)
            services.tournament_start(tournament_id=new.pk, user=dora)
            row = new.meetings.exclude(b__user=ana).exclude(a__user=ana).get()
            services.result_enter(tournament_id=new.pk, user=dora, key=row.key, winner=row.a.number)
            made.append(new.pk)
        weekend_set_tournaments(weekend_id=weekend.pk, user=dora, tournament_ids=made)
        client = as_user(ana)
        client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
        with django_assert_max_num_queries(19):
            assert client.get(reverse("weekend", args=[weekend.pk])).status_code == 200
