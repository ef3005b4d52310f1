"""Series on pages, screens and prints, at the desk, in files and in the API (ruling E24)."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.conftest import fresh
from tests.tournaments.series_stage import enter, result, two_members
from tests.tournaments.site_matches import play_on_site
from tournaments.models import Tournament, TournamentEvent
from tournaments.selectors.director_desk import director_desk
from tournaments.selectors.result_line import open_places

Make = Callable[..., Tournament]
SEMIFINAL = "main-1-1"  # of four players: 1 against 4, in the order of the draw


def page(client: Client, name: str, *args: Any, **query: str) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.django_db
def test_the_form_makes_a_tournament_whose_final_is_a_series(desk: Client) -> None:
    form = {"name": "Copa", "format": "knockout", "best_of": "5", "best_of_rounds": "1", "lengths": "5"}
    assert desk.post(reverse("tournament-new"), form).status_code == 302
    made = Tournament.objects.get()
    config = fresh(made).rules.config
    assert (config.best_of, config.best_of_rounds) == (5, 1)
    assert "best of 5 in the final" in page(desk, "tournament", made.pk)
    assert 'value="5" selected' in page(desk, "desk-settings", made.pk)


@pytest.mark.django_db
def test_the_rounds_of_a_bracket_belong_to_brackets_only(desk: Client) -> None:
    form = {"name": "Suizo", "format": "swiss", "rounds": "3", "best_of": "3", "best_of_rounds": "1", "lengths": "5"}
    assert desk.post(reverse("tournament-new"), form).status_code == 302
    config = fresh(Tournament.objects.get()).rules.config
    assert (config.best_of, config.best_of_rounds) == (3, 0)


@pytest.mark.django_db
def test_the_result_line_knows_the_present_match_and_the_whole_series(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 3})
    enter(made, dora, "main-1-1_1", 1)
    places = [place for place in open_places(director_desk(tournament_id=made.pk, user=dora)) if "1" in place["places"]]
    assert [(place["key"], place["length"], place.get("series", False)) for place in places] == [
        ("main-1-1_2", 3, False),
        (SEMIFINAL, 2, True),
    ]
    assert {tuple(place["places"]) for place in places} == {("1", "1-1.2", "1-1")}


@pytest.mark.django_db
def test_the_desk_ends_a_match_or_the_whole_series(tournament: Make, desk: Client, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 3})
    enter(made, dora, "main-1-1_1", 1)
    text = page(desk, "tournament-desk", made.pk)
    assert "best of 3 matches to 3" in text
    assert "series 1–0" in text
    sent = {"key": SEMIFINAL, "winner": "1", "won": "2", "lost": "1", "how": "played"}
    desk.post(reverse("desk-result", args=[made.pk]), sent)
    assert result(fresh(made), SEMIFINAL) == (1, (2, 1), "played")
    assert "Matches won" in page(desk, "desk-correct", made.pk, key=SEMIFINAL)
    change = {**sent, "winner": "4", "won": "2", "lost": "1", "why": "misread"}
    desk.post(reverse("desk-correct", args=[made.pk]), change)
    assert result(fresh(made), SEMIFINAL) == (4, (1, 2), "played")


@pytest.mark.django_db
def test_the_desk_sends_a_score_of_the_series_once(tournament: Make, desk: Client) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 3})
    sent = {
        "key": SEMIFINAL,
        "of": "1 4",
        "winner": "4",
        "won": "2",
        "lost": "0",
        "how": "played",
        "sent": "0123456789",
    }
    answers = [desk.post(reverse("desk-send", args=[made.pk]), sent).json() for _time in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["text"] == "1-1: W4 won 2–0."
    assert TournamentEvent.objects.filter(tournament=made, kind="result").count() == 1


@pytest.mark.django_db
def test_the_page_shows_the_score_of_the_series_and_its_matches(
    tournament: Make, dora: User, ana: User, bea: User, as_user: Callable[[User], Client]
) -> None:
    made = two_members(tournament, dora, ana, bea)
    play_on_site(made, "main-1-1_1", bea)
    text = page(as_user(ana), "tournament", made.pk)
    assert "Best of 3: 0–1, match 2" in text
    assert "1-1: ana against bea, to be played, 0–1." in text
    assert "series-matches" in text
    assert "best of 3 matches to 3" in text


@pytest.mark.django_db
def test_screens_prints_and_files_have_the_series(tournament: Make, dora: User, client: Client) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 3})
    enter(made, dora, "main-1-1_1", 1)
    assert "Semi-finals · match 2 · 1–0" in page(client, "tournament-print", made.pk, sheet="slips")
    assert "<bdi>W1</bdi><b>1</b>" in page(client, "tournament-tv", made.pk)
    enter(made, dora, "main-1-1_2", 1)
    assert "<bdi>W1</bdi><b>2</b>" in page(client, "tournament-tv", made.pk)
    sheet = client.get(reverse("tournament-csv", args=[made.pk]), {"what": "results"})
    rows = b"".join(sheet).decode().splitlines()
    assert [row.split(",")[0] for row in rows if row.startswith("main-1-1")] == [SEMIFINAL, "main-1-1_1", "main-1-1_2"]
    assert next(row for row in rows if row.startswith("main-1-1,")).split(",")[7:11] == ["W1", "2.0", "0.0", "played"]


@pytest.mark.django_db
def test_the_api_lists_matches_or_whole_series(tournament: Make, dora: User, client: Client) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 3})
    enter(made, dora, "main-1-1_1", 1)

    def rows(**query: str) -> list[dict[str, Any]]:
        found = client.get(reverse("api-pairings", args=[made.pk]), {"round": "1", **query}).json()
        return list(found["results"])

    parts = [(row["key"], row["series"], row["number_in_series"], row["best_of"], row["board"]) for row in rows()]
    assert parts == [
        ("main-1-1_1", SEMIFINAL, 1, 1, None),
        ("main-1-1_2", SEMIFINAL, 2, 1, None),
        ("main-1-2_1", "main-1-2", 1, 1, None),
    ]
    assert [(row["key"], row["best_of"]) for row in rows(whole="true")] == [(SEMIFINAL, 3), ("main-1-2", 3)]
