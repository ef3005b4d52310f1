"""The desk, and the forms that players send: every way from the draw to the last result by clicks alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.clubs.services import default_club_ensure
from accounts.models import Club, Membership, User
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.desk_browser import As, Make, do, messages, page, view
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

MOST_QUERIES = 15


# Making one

NEW = {
    "name": "Thursday cup",
    "timezone": "Europe/Madrid",
    "starts_at": "2027-01-14T20:30",
    "format": "knockout",
    "consolation": "progressive",
    "variant": "backgammon",
    "clock": "club",
    "option_cube": "on",
    "rated": "on",
    "lengths": "7/9/11",
    "check_in": "on",
}


def test_a_member_creates_a_tournament_and_is_redirected_to_its_desk(as_user: As, ana: User) -> None:
    answer = as_user(ana).post(reverse("tournament-new"), NEW)
    made = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("tournament-desk", args=[made.pk])
    terms = fresh(made).rules
    assert (made.name, made.timezone, made.created_by) == ("Thursday cup", "Europe/Madrid", ana)
    assert made.starts_at is not None
    assert made.starts_at.isoformat() == "2027-01-14T19:30:00+00:00"
    assert (terms.lengths, terms.config.consolation, terms.rated) == ((7, 9, 11), "progressive", True)


def test_an_invalid_form_keeps_what_was_typed(as_user: As, ana: User) -> None:
    answer = as_user(ana).post(reverse("tournament-new"), {**NEW, "lengths": "7, many", "about": "Bring a board"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "7, many" in text
    assert "Bring a board" in text
    assert list(answer.context["form"].errors) == ["lengths"]
    assert not Tournament.objects.exists()


def test_a_preset_fills_the_form(as_user: As, ana: User) -> None:
    answer = as_user(ana).get(reverse("tournament-new"), {"from": "league"})
    assert answer.context["form"]["divisions"].value() == 2
    assert 'aria-current="true"' in answer.content.decode()


def test_another_game_has_its_own_fields(as_user: As, ana: User) -> None:
    answer = as_user(ana).get(reverse("tournament-terms"), {"variant": "acey-deucey"})
    assert answer.context["form"]["lengths"].value() == "15"
    assert 'name="clock" value="game5"' in answer.content.decode()


def test_a_tournament_has_the_time_zone_of_the_club_that_was_chosen(as_user: As, ana: User) -> None:
    default_club_ensure()
    club = Club.objects.create(name="Peña", slug="pena", timezone="America/Lima")
    Membership.objects.create(club=club, user=ana, role="owner")
    client = as_user(ana)
    form = client.get(reverse("tournament-new")).context["form"]
    assert not form["timezone"].value()
    client.post(reverse("tournament-new"), {**NEW, "timezone": "", "club": club.pk})
    made = Tournament.objects.get()
    assert (made.timezone, made.starts_at) == ("America/Lima", datetime(2027, 1, 15, 1, 30, tzinfo=UTC))
    url = reverse("desk-settings", args=[made.pk])
    form = client.get(url).context["form"]
    assert (form["timezone"].value(), f"{form['starts_at'].value():%H:%M}") == ("", "20:30")
    client.post(url, {**NEW, "timezone": "Europe/Madrid"})
    made.refresh_from_db()
    assert (made.timezone, made.starts_at) == ("Europe/Madrid", datetime(2027, 1, 14, 19, 30, tzinfo=UTC))
    assert client.get(url).context["form"]["timezone"].value() == "Europe/Madrid"


def test_settings_are_changed_while_it_is_open(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=4)
    url = reverse("desk-settings", args=[made.pk])
    form = desk.get(url).context["form"]
    assert (form["name"].value(), form["lengths"].value(), form["seeding"].value()) == (
        "Torneo semanal del club",
        "3",
        "hand",
    )
    answer = desk.post(url, {**NEW, "lengths": "5", "check_in": ""})
    assert answer.headers["Location"] == reverse("tournament-desk", args=[made.pk])
    made.refresh_from_db()
    assert (made.name, fresh(made).rules.lengths) == ("Thursday cup", (5,))
    do(desk, "desk-draw", made)
    desk.cookies.pop("messages")
    assert messages(desk.post(url, NEW)) == ["The draw has already been made."]


# Running it


def test_the_next_step_leads_from_the_entries_to_the_end(desk: Client, tournament: Make) -> None:
    made = tournament(pace="hand")
    assert view(desk, made).next_steps[0].obstacle == "This format needs at least 2 players."
    for name in ("Paco", "Lola", "Pepe", "Nina"):
        do(desk, "desk-entrant-add", made, name=name)
    assert [(step.url, step.obstacle) for step in view(desk, made).next_steps] == [
        ("desk-draw", ""),
        ("desk-start", ""),
    ]
    do(desk, "desk-draw", made)
    assert [step.url for step in view(desk, made).next_steps] == ["desk-start"]
    do(desk, "desk-start", made)
    assert [(step.label, step.rounds) for step in view(desk, made).next_steps] == [("Open: Semi-finals", ("main 1",))]
    do(desk, "desk-round", made, round="main 1")
    assert view(desk, made).next_steps == []
    assert view(desk, made).waiting_note == "Waiting for 2 results."
    for key in ready(made):
        first = fresh(made).by_key[key].entrants[0]
        do(desk, "desk-result", made, key=key, how="played", winner=first, won="3", lost="1")
    assert [step.label for step in view(desk, made).next_steps] == ["Open: Final"]
    do(desk, "desk-round", made, round="main 2")
    (final,) = ready(made)
    second = fresh(made).by_key[final].entrants[1]
    do(desk, "desk-result", made, key=final, how="played", winner=second, won="3", lost="2")
    assert fresh(made).by_key[final].result.points == (2, 3)
    assert fresh(made).phase == "over"
    assert "The tournament is over." in page(desk, made)


def test_swiss_rounds_are_paired_from_the_desk(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=4, start=True, format_="swiss", config={"rounds": 2}, pace="hand")
    assert [step.label for step in view(desk, made).next_steps] == ["Pair and open round 1"]
    do(desk, "desk-round", made)
    assert len(ready(made)) == 2
    assert messages(do(desk, "desk-round", made)) == ["The round is not finished. Every match needs a result first."]
    for key in ready(made):
        do(desk, "desk-result", made, key=key, how="walkover", winner=fresh(made).by_key[key].entrants[0])
    assert [step.label for step in view(desk, made).next_steps] == ["Pair and open round 2"]


def test_the_same_round_of_all_groups_opens_in_one_click(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=8, start=True, format_="groups", config={"groups": 2, "advance": 2}, pace="hand")
    (first, *_later) = view(desk, made).next_steps
    assert (first.label, first.rounds) == ("Open: Round 1", ("group-1 1", "group-2 1"))
    do(desk, "desk-round", made, round=first.rounds)
    assert {(round_.title, len(round_.pairings)) for round_ in view(desk, made).open_rounds} == {
        ("Group 1: Round 1", 2),
        ("Group 2: Round 1", 2),
    }


def test_the_director_says_whether_the_loser_of_a_walkover_is_present(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=4, start=True, config={"consolation": "simple"})
    choice = 'name="loser_present"'
    assert choice in page(desk, made)
    do(desk, "desk-result", made, key="main-1-1", how="walkover", winner=1)
    do(desk, "desk-result", made, key="main-1-2", how="walkover", winner=2, loser_present="on")
    assert fresh(made).by_key["consolation-1-1"].entrants == (3,)
    correction = {"key": "main-1-1", "how": "walkover", "winner": 1, "why": "They came after all"}
    assert messages(do(desk, "desk-correct", made, **correction)) == ["That result is already recorded."]
    shown = desk.get(reverse("desk-correct", args=[made.pk]), {"key": "main-1-2"}).content.decode()
    assert f"{choice} checked" in shown
    answer = do(desk, "desk-correct", made, **correction, loser_present="on")
    while answer.status_code == 200:
        answer = do(desk, "desk-correct", made, **correction, loser_present="on", agreed=["consolation-1-1"])
    assert fresh(made).by_key["consolation-1-1"].entrants == (4, 3)
    without = tournament(walk_ins=4, start=True)
    assert choice not in page(desk, without)


def test_a_double_walkover_needs_no_winner(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=4, start=True)
    key = ready(made)[0]
    do(desk, "desk-result", made, key=key, how="double", won="3", lost="")
    assert fresh(made).by_key[key].result.winner is None
    assert messages(do(desk, "desk-result", made, key=key, how="walkover")) == ["Choose who won."]


def test_a_wrong_result_shows_a_message(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=4, start=True)
    key = ready(made)[0]
    first = fresh(made).by_key[key].entrants[0]
    for fields, text in (
        ({"key": key, "winner": first, "won": "2", "lost": "1"}, "In a match to 3, the winner has at least 3 points"),
        ({"key": key, "winner": first, "won": "", "lost": "1"}, "Enter the score."),
        ({"key": key, "winner": 99, "won": "3", "lost": "1"}, "The winner must be one of the two players."),
        ({"key": "main-9-9", "winner": first, "won": "3", "lost": "1"}, "Pairing not found."),
    ):
        (message,) = messages(do(desk, "desk-result", made, how="played", **fields))
        assert message.startswith(text)
    assert fresh(made).results == {}


def test_a_report_is_confirmed_by_the_opponent(as_user: As, ana: User, bea: User, tournament: Make) -> None:
    made = tournament(venue="board")
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=made.created_by)
    (key,) = ready(made)
    anas, beas = as_user(ana), as_user(bea)
    answer = do(anas, "tournament-report", made, key=key, winner=2, won="3", lost="1")
    assert answer.headers["Location"] == reverse("tournament", args=[made.pk])
    assert messages(answer) == ["Result reported."]
    assert messages(do(anas, "tournament-confirm", made, key=key)) == [
        "Your opponent has to confirm the result you reported."
    ]
    assert messages(do(beas, "tournament-confirm", made, key=key)) == ["Result confirmed."]
    result = fresh(made).by_key[key].result
    assert (result.winner, result.points) == (2, (1, 3))


def test_a_director_decides_between_two_reports(
    as_user: As, ana: User, bea: User, desk: Client, tournament: Make
) -> None:
    made = tournament(venue="board")
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=made.created_by)
    (key,) = ready(made)
    do(as_user(ana), "tournament-report", made, key=key, winner=1, won="3", lost="1")
    do(as_user(bea), "tournament-dispute", made, key=key, winner=2, won="3", lost="2")
    (alert,) = view(desk, made).alerts
    assert (alert.kind, alert.title) == ("disputed", "ana – bea")
    assert [(claim.by.name, claim.winner.name, claim.score) for claim in alert.pairing.claims.claims] == [
        ("ana", "ana", "3–1"),
        ("bea", "bea", "3–2"),
    ]
    assert "Ask both players" in page(desk, made)
    do(desk, "desk-result", made, key=key, how="played", winner=2, won="3", lost="2")
    assert fresh(made).by_key[key].result.points == (2, 3)
    assert view(desk, made).alerts == []


def test_a_report_against_a_walk_in_waits_for_the_director(
    as_user: As, ana: User, desk: Client, tournament: Make
) -> None:
    made = tournament(walk_ins=1)
    services.entrant_register(tournament_id=made.pk, user=ana)
    services.tournament_start(tournament_id=made.pk, user=made.created_by)
    (key,) = ready(made)
    do(as_user(ana), "tournament-report", made, key=key, winner=2, won="3", lost="0")
    (alert,) = view(desk, made).alerts
    assert (alert.kind, alert.pairing.claims.key) == ("unconfirmed", key)
    do(desk, "desk-alert", made, what="unconfirmed", key=key)
    assert view(desk, made).alerts == []


def test_announcements_directors_and_the_log(desk: Client, ana: User, tournament: Make) -> None:
    made = tournament(walk_ins=2)
    do(desk, "desk-announce", made, text="The bar is open.")
    do(desk, "desk-roles", made, name="Ana", role="director")
    assert [official.user for official in made.directors] == [made.created_by, ana]
    unknown = do(desk, "desk-roles", made, name="nobody", role="director")
    assert messages(unknown) == ["There is no player with that name."]
    do(desk, "desk-roles", made, name="ana", action="dismiss")
    assert [entry.text for entry in view(desk, made).recent_log] == [
        "ana was removed as a director.",
        "ana was added as a director.",
        "Announcement: The bar is open.",
        "W2 registered.",
        "W1 registered.",
        "Settings saved.",
    ]
    assert "The bar is open." in page(desk, made)


def test_cancelling_needs_the_confirmation_box(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=2)
    assert messages(do(desk, "desk-cancel", made)) == ["The tournament was not cancelled. Tick the box to confirm."]
    assert fresh(made).phase == "open"
    do(desk, "desk-cancel", made, sure="1")
    assert fresh(made).phase == "cancelled"
    assert "Tournament cancelled." in page(desk, made)


@pytest.mark.parametrize("format_", ["knockout", "double", "swiss", "round-robin", "groups", "league", "losses"])
def test_the_desk_renders_every_format(desk: Client, dora: User, format_: str) -> None:
    made = staged(format_, 8, played=0.3, online=4, groups=2, rounds=3)
    text = page(desk, made)
    assert "Log" in text
    assert " style=" not in text
    assert view(desk, made).open_rounds


@pytest.mark.parametrize("players", [3, 30])
def test_the_desk_takes_a_constant_number_of_queries(
    desk: Client, dora: User, players: int, django_assert_max_num_queries: Any
) -> None:
    made = staged("double", players, played=0.2, online=players // 2, venue="both")
    page(desk, made)
    with django_assert_max_num_queries(MOST_QUERIES):
        page(desk, made)


def test_the_desk_links_to_the_whole_log(desk: Client, dora: User) -> None:
    made = staged("knockout", 80, played=1)
    shown = view(desk, made)
    assert (len(shown.recent_log), shown.hidden_events) == (60, len(shown.events) - 60)
    answer = desk.get(reverse("tournament-desk", args=[made.pk]), {"log": "all"})
    assert len(answer.context["view"].recent_log) == len(shown.events)
