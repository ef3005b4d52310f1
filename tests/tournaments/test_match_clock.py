"""The match clock of a pairing: who may open it, when, and what its page knows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match
from tests.tournaments.conftest import fresh
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.models import Meeting, Tournament

pytestmark = pytest.mark.django_db

AsUser = Callable[[User], Client]


def open_clock(client: Client, cup: Tournament, key: str = "main-1-1") -> HttpResponseBase:
    return client.get(reverse("tournament-clock", args=[cup.pk, key]))


def data_of(response: Any) -> dict[str, Any]:
    found = re.search(r'<script id="clock-data" type="application/json">(.*?)</script>', response.content.decode())
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def refusal(client: Client, cup: Tournament, key: str = "main-1-1") -> str:
    """The message on the tournament's page to which a refused clock leads."""
    answer = client.get(reverse("tournament-clock", args=[cup.pk, key]), follow=True)
    assert answer.redirect_chain == [(reverse("tournament", args=[cup.pk]), 302)]
    return str(next(iter(answer.context["messages"])))


@pytest.fixture
def cup(ana: User, bea: User, dora: User) -> Tournament:
    """ana and bea meet in a knockout to 7 over the board; dora directs."""
    return staged("knockout", 2, people=(ana, bea), venue="board")


def test_both_players_open_their_clock(cup: Tournament, ana: User, bea: User, as_user: AsUser) -> None:
    data = data_of(open_clock(as_user(ana), cup))
    assert data == {
        "place": f"tablero.clock.{cup.pk}.main-1-1.1-2",
        "key": "main-1-1",
        "numbers": [1, 2],
        "names": ["ana", "bea"],
        "near": 0,
        "match": {"length": 7, "start": [0, 0], "cube": True, "crawford": True},
        "clock": {"reserve": 840_000, "delay": 12_000, "bonus": 0, "overtime": 0, "eachGame": False},
        "report": {"as": "player", "url": reverse("api-result-report", args=[cup.pk])},
    }
    assert data_of(open_clock(as_user(bea), cup))["near"] == 1


def test_a_director_opens_the_clock_and_enters_the_result(cup: Tournament, desk: Client) -> None:
    data = data_of(open_clock(desk, cup))
    assert data["report"] == {"as": "director", "url": reverse("desk-send", args=[cup.pk])}


def test_others_are_refused(cup: Tournament, carlos: User, as_user: AsUser) -> None:
    answer = open_clock(as_user(carlos), cup)
    assert answer.status_code == 403
    assert "Only the two players and the directors can do that." in answer.content.decode()  # type: ignore[attr-defined]


def test_visitors_sign_in_first(cup: Tournament) -> None:
    answer = open_clock(Client(), cup)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(reverse("account_login"))


def test_an_unknown_pairing_or_tournament_is_not_found(cup: Tournament, desk: Client) -> None:
    assert open_clock(desk, cup, "main-9-1").status_code == 404
    assert desk.get(reverse("tournament-clock", args=["nowhere", "main-1-1"])).status_code == 404


def test_a_pairing_without_its_two_players_has_no_clock(dora: User, desk: Client) -> None:
    cup = staged("knockout", 3, online=0, venue="board")
    bye = next(pairing.key for pairing in fresh(cup).pairings if pairing.state == "bye")
    assert refusal(desk, cup, bye) == "This pairing can't be played now."
    assert refusal(desk, cup, "main-2-1") == "This pairing can't be played now."


def test_a_played_pairing_has_no_clock(dora: User, desk: Client) -> None:
    cup = staged("knockout", 4, online=0, venue="board")
    services.result_enter(tournament_id=cup.pk, user=dora, key="main-1-1", winner=1, points=(7, 2))
    assert refusal(desk, cup) == "This match already has a result."


def test_a_round_that_is_not_open_has_no_clock(dora: User, desk: Client) -> None:
    cup = staged("knockout", 4, online=0, venue="board", pace="hand")
    assert refusal(desk, cup) == "The round is not open yet."


def test_a_match_in_play_on_this_site_has_no_clock(ana: User, bea: User, dora: User, desk: Client) -> None:
    cup = staged("knockout", 2, people=(ana, bea), venue="both")
    Match.objects.filter(meeting__tournament=cup).update(status=Match.Status.LIVE)
    assert refusal(desk, cup) == "This match is played online, so its result is recorded automatically."


def test_a_tournament_online_has_no_clock(ana: User, bea: User, dora: User, desk: Client) -> None:
    cup = staged("knockout", 2, people=(ana, bea), venue="online")
    assert refusal(desk, cup) == "Matches in this tournament are played online, on this site."


def test_a_game_without_cube_has_no_clock(dora: User, desk: Client) -> None:
    cup = staged("knockout", 2, online=0, venue="board", variant="damas", clock="min10")
    assert refusal(desk, cup) == "The match clock is only for games with a doubling cube."


@pytest.mark.parametrize(
    ("clock", "settings"),
    [
        ("blitz", {"reserve": 420_000, "delay": 8_000, "bonus": 0, "overtime": 0, "eachGame": False}),
        ("overtime", {"reserve": 840_000, "delay": 12_000, "bonus": 0, "overtime": 60_000, "eachGame": False}),
        ("days3", {"reserve": 840_000, "delay": 12_000, "bonus": 0, "overtime": 0, "eachGame": False}),
        ("none", {"reserve": 840_000, "delay": 12_000, "bonus": 0, "overtime": 0, "eachGame": False}),
    ],
)
def test_the_clock_starts_from_the_preset_of_the_round(
    dora: User, desk: Client, clock: str, settings: dict[str, Any]
) -> None:
    cup = staged("knockout", 2, online=0, venue="board", clock=clock)
    assert data_of(open_clock(desk, cup))["clock"] == settings


def test_options_and_a_match_to_one_point_leave_out_the_cube(dora: User, desk: Client) -> None:
    one = staged("knockout", 2, online=0, venue="board", lengths=(1,))
    assert data_of(open_clock(desk, one))["match"] == {"length": 1, "start": [0, 0], "cube": False, "crawford": False}
    free = staged("knockout", 2, online=0, venue="board", options={"crawford": False})
    assert data_of(open_clock(desk, free))["match"] == {"length": 7, "start": [0, 0], "cube": True, "crawford": False}


def test_penalty_points_are_points_of_the_opponent(cup: Tournament, dora: User, desk: Client) -> None:
    services.penalty_give(tournament_id=cup.pk, user=dora, key="main-1-1", number=1, points=2)
    assert data_of(open_clock(desk, cup))["match"]["start"] == [0, 2]


def test_the_page_of_the_tournament_and_the_desk_link_to_the_clock(
    cup: Tournament, ana: User, as_user: AsUser, desk: Client
) -> None:
    link = f'href="{reverse("tournament-clock", args=[cup.pk, "main-1-1"])}"'
    assert link in as_user(ana).get(reverse("tournament", args=[cup.pk])).content.decode()
    assert link in desk.get(reverse("tournament-desk", args=[cup.pk])).content.decode()
    assert link not in desk.get(reverse("tournament", args=[cup.pk])).content.decode()
    Meeting.objects.filter(tournament=cup).update(opened_at=None)
    assert link not in as_user(ana).get(reverse("tournament", args=[cup.pk])).content.decode()
