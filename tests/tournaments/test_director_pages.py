"""Late entries, preferences, breaks and invitations on the desk, and what players see of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from tests.tournaments.conftest import fresh
from tests.tournaments.desk_browser import As, Make, do, messages, page
from tests.tournaments.staging import staged
from tests.tournaments.test_desk import NEW
from tests.tournaments.test_services import enter
from tournaments import services
from tournaments.forms.director import BreakForm
from tournaments.forms.settings import TournamentForm
from tournaments.forms.settings_answers import answers_of
from tournaments.models import Entrant, Tournament
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db
MOST_QUERIES = 16


@pytest.fixture
def as_user() -> As:
    def enter_as(user: User) -> Client:
        client = Client(headers={"accept-language": "en"})
        client.force_login(user, backend=people.BACKEND)
        return client

    return enter_as


@pytest.fixture
def desk(as_user: As, dora: User) -> Client:
    """dora's browser."""
    return as_user(dora)


def public(client: Client, tournament: Tournament, query: str = "") -> str:
    return str(client.get(reverse("tournament", args=[tournament.pk]) + query).content.decode())


def row(tournament: Tournament, name: str) -> Entrant:
    return next(entrant for entrant in Entrant.objects.filter(tournament=tournament) if entrant.name == name)


# Entering


def test_the_conditions_are_part_of_the_form_and_stay_in_it() -> None:
    asked = {**NEW, "entry": "password", "club_only": "on", "rating_from": "1400", "closes_minutes": "15"}
    form = TournamentForm({**asked, "rating_to": "1300"})
    assert list(form.errors) == ["rating_to"]
    form = TournamentForm(asked)
    assert form.is_valid(), form.errors
    terms = form.terms()
    assert (terms.entry, terms.club_only, terms.rating_from, terms.rating_to) == ("password", True, 1400, 0)
    assert terms.closes_minutes == 15
    kept = answers_of(Tournament(name="x", terms=terms.as_json(), timezone="UTC"))
    assert TournamentForm(answers=kept).restricted()
    assert Terms.read(terms.as_json()) == terms


def test_a_player_enters_by_the_link_and_by_the_password(
    tournament: Make, as_user: As, desk: Client, ana: User, bea: User
) -> None:
    made = tournament(entry="password")
    do(desk, "desk-invitation", made, action="password", password="gammon")
    do(desk, "desk-invitation", made)
    made.refresh_from_db()
    link = f"?invite={made.invitation}"
    assert link in page(desk, made)
    anas, beas = as_user(ana), as_user(bea)
    assert 'name="password"' in public(anas, made)
    wrong = do(anas, "tournament-enter", made, password="backgammon")
    assert messages(wrong) == ["Wrong password. Ask the director for the tournament password."]
    assert messages(do(anas, "tournament-enter", made, password="gammon")) == ["You're registered."]
    assert f'name="invitation" value="{made.invitation}"' in public(beas, made, link)
    assert messages(do(beas, "tournament-enter", made, invitation=made.invitation)) == ["You're registered."]
    assert "password required" in public(beas, made)


def test_the_waiting_list_shows_the_place_and_a_director_admits(
    tournament: Make, as_user: As, desk: Client, ana: User, bea: User
) -> None:
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana)
    beas = as_user(bea)
    assert "Join waiting list" in public(beas, made)
    assert messages(do(beas, "tournament-enter", made)) == ["You're on the waiting list."]
    assert "You're number 2 on the waiting list" in public(beas, made)
    assert "2 / 2" in page(desk, made)
    do(desk, "desk-entrant", made, entrant=row(made, "bea").number, action="admit")
    assert "You're entered" in public(beas, made)


def test_paid_is_switched_on_and_off(tournament: Make, desk: Client) -> None:
    made = tournament(walk_ins=2)
    do(desk, "desk-entrant", made, entrant=1, action="paid")
    assert row(made, "W1").paid
    assert "1 paid" in page(desk, made)
    do(desk, "desk-entrant", made, entrant=1, action="unpaid")
    assert not row(made, "W1").paid


# Late, and for another


def test_a_late_entry_and_a_substitute_are_added(
    tournament: Make, as_user: As, desk: Client, ana: User, bea: User
) -> None:
    made = tournament(walk_ins=3, lengths=[5], start=True)
    assert "Admit late" in page(desk, made)
    assert messages(do(desk, "desk-late", made, name="ana", walk_in="no", points=2)) == ["Late entry added."]
    assert fresh(made).penalties == {("main-1-1", 1, 4): {4: 2}}
    assert messages(do(desk, "desk-late", made, name="Fifth")) == ["The bracket has no free bye for a late entry."]
    answer = do(desk, "desk-substitute", made, entrant=4, name="bea", walk_in="no")
    assert messages(answer) == ["bea now plays as a substitute."]
    assert "replaces ana" in page(desk, made)
    assert "replaces ana" in public(as_user(bea), made)
    answer = do(desk, "desk-penalty", made, key="main-1-1", entrant=1, points=9)
    assert messages(answer) == ["Enter a penalty of 0 to 5 points."]
    do(desk, "desk-penalty", made, key="main-1-1", entrant=1, points=1)
    assert fresh(made).penalties == {("main-1-1", 1, 4): {4: 2, 1: 1}}


# Breaks, times, pairing preferences


def test_a_break_is_shown_to_all_and_ended_by_a_button(tournament: Make, as_user: As, desk: Client, ana: User) -> None:
    made = tournament(walk_ins=4, start=True)
    do(desk, "desk-recess", made, at="21:15", why="pizza", pause="on")
    text = public(as_user(ana), made)
    assert "Break until 21:15" in text
    assert "data-until=" in text
    assert "pizza" in text
    assert "End break and resume play" in page(desk, made)
    assert messages(do(desk, "desk-recess", made, action="end")) == ["Play has resumed."]
    do(desk, "desk-recess", made, at="")
    assert "Play is adjourned" in public(as_user(ana), made)


@pytest.mark.parametrize(("hour", "day"), [("23:30", 20), ("00:15", 21)])
def test_the_end_of_a_break_is_the_next_such_hour_in_the_time_zone(hour: str, day: int) -> None:
    form = BreakForm(QueryDict(f"at={hour}"))
    assert form.is_valid()
    until = form.until(ZoneInfo("Europe/Madrid"), datetime(2026, 11, 20, 22, 0, tzinfo=UTC))
    assert until is not None
    assert (until.strftime("%H:%M"), until.day) == (hour, day)


def test_the_next_round_has_a_time(tournament: Make, desk: Client) -> None:
    made = tournament(walk_ins=4, pace="hand", start=True)
    do(desk, "desk-round-time", made, at="2030-01-14T20:30")
    assert fresh(made).round_times == {("main", 1): "2030-01-14T20:30:00+00:00"}
    assert "14 Jan, 20:30" in page(desk, made)
    do(desk, "desk-round-time", made, at="")
    assert fresh(made).round_times == {}


def test_pairing_preferences_are_added_and_removed_one_by_one(tournament: Make, desk: Client) -> None:
    made = tournament(walk_ins=4, format_="swiss", config={"rounds": 3}, pace="hand", start=True)
    do(desk, "desk-wish", made, kind="together", a=1, b=2)
    do(desk, "desk-wish", made, kind="apart", a=3, b=1)
    shown = page(desk, made)
    assert "W1 plays W2 in the next round" in shown
    assert "W3 never plays W1" in shown
    refused = do(desk, "desk-wish", made, kind="apart", a=3, b=4)
    assert messages(refused) == ["With these preferences, these players have no possible opponent: W3, W4."]
    assert messages(do(desk, "desk-wish", made, kind="apart", a=3, b=3)) == ["Choose two different players."]
    do(desk, "desk-wish", made, kind="apart", a=3, b=1, action="remove")
    do(desk, "desk-round", made)
    state = fresh(made)
    assert [pairing.entrants for pairing in state.pairings] == [(1, 2), (3, 4)]
    assert "The director asked for this pairing." in public(desk, made)


def test_the_reason_of_a_ruling_is_shown_with_the_result(tournament: Make, desk: Client) -> None:
    made = tournament(walk_ins=2, start=True)
    do(desk, "desk-result", made, key="main-1-1", how="walkover", winner=1, why="went home")
    assert "Reason: went home" in page(desk, made)
    assert "Ruling: went home" in public(desk, made)


@pytest.mark.parametrize("players", [4, 32])
def test_the_desk_takes_as_many_queries_for_many_players(
    players: int, desk: Client, dora: User, django_assert_max_num_queries: Callable[..., object]
) -> None:
    made = staged("swiss", players, rounds=3, played=0.3, online=0, pace="hand")
    for number in range(1, players // 2):
        services.entrant_paid(tournament_id=made.pk, user=dora, number=number)
        services.entrant_substitute(tournament_id=made.pk, user=dora, number=number, name=f"New {number}")
    with django_assert_max_num_queries(MOST_QUERIES):
        page(desk, made)
