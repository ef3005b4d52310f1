"""The pages of an arranged match: waiting for the opponent, and the link to its tournament."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from games import services
from games.models import Match
from games.selectors import lobby as lobby_selectors
from games.selectors import match_files
from games.selectors.matches import visible_match
from games.selectors.missed_events import missed_events
from games.selectors.players import Totals, player_totals, players
from games.services import Answer
from tests.games.arranged.conftest import FROM, TITLE

pytestmark = pytest.mark.django_db


def entered(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=user_services.BACKEND)
    return client


def test_a_cancelled_match_is_exported_to_every_format_and_not_counted(started: Match, ana: User) -> None:
    match = services.match_call_off(match_id=started.pk)
    match = visible_match(match_id=match.pk, user=None)
    for kind in match_files.available_formats(match):
        assert match_files.match_text(match, kind)
    assert '"by": "stopped"' in match_files.match_text(match, "json")
    assert player_totals(ana) == Totals(played=0, won=0, lost=0, listed=1)
    assert {user.username: user.played for user in players()} == {"ana": 0, "bea": 0}


# What is shown


def test_it_is_first_in_the_players_own_matches_and_not_in_the_open_games(
    arranged: Callable[..., Match], open_table: Callable[..., Match], ana: User, bea: User, carlos: User
) -> None:
    running = open_table()
    match = arranged()
    services.match_arrive(match_id=match.pk, user=bea)
    ana_lobby, bea_lobby, carlos_lobby = (lobby_selectors.lobby(user) for user in (ana, bea, carlos))
    for lobby, waits in ((ana_lobby, True), (bea_lobby, False)):
        assert [row.match.pk for row in lobby.running] == [match.pk, running.pk]
        assert lobby.running[0].waits is waits
        assert lobby.offered == lobby.seeks == lobby.challenges == []
    assert carlos_lobby.seeks == carlos_lobby.running == lobby_selectors.lobby(None).seeks == []


def test_a_page_receives_what_it_missed(arranged: Callable[..., Match], ana: User, bea: User, carlos: User) -> None:
    match = arranged()
    since = int(match.created_at.timestamp() * 1000) - 1

    def missed(user: User) -> list[tuple[str, str, str | None]]:
        messages, _ = missed_events(user_id=user.pk, since=since)
        return [(message["t"], message["id"], message.get("from")) for message in messages if message["t"] != "notice"]

    assert (missed(ana), missed(carlos)) == ([("ready", match.pk, "bea")], [])
    services.match_arrive(match_id=match.pk, user=bea)
    assert (missed(ana), missed(bea)) == ([("ready", match.pk, "bea")], [])
    services.match_arrive(match_id=match.pk, user=ana)
    assert missed(ana) == missed(bea) == [("go", match.pk, None)]


def test_a_player_arrives_with_one_button_and_waits(arranged: Callable[..., Match], ana: User, bea: User) -> None:
    match = arranged()
    url, arrive = reverse("match", args=[match.pk]), reverse("match-arrive", args=[match.pk])
    client = entered(ana)
    for path in ("/", url, reverse("match-ready", args=[match.pk])):
        page = client.get(path).content.decode()
        assert f'action="{arrive}"' in page, path
        assert TITLE in page, path
    assert client.post(arrive).headers["Location"] == url
    page = client.get(url).content.decode()
    assert "Waiting for <bdi>bea</bdi>" in page
    assert arrive not in page
    assert arrive not in client.get("/").content.decode()
    entered(bea).post(arrive)
    assert client.get(url).templates[0].name == "games/match.html"


def test_strangers_see_who_will_play(arranged: Callable[..., Match], client: Client, carlos: User) -> None:
    match = arranged()
    for visitor in (client, entered(carlos)):
        for path in (reverse("match", args=[match.pk]), reverse("match-ready", args=[match.pk])):
            page = visitor.get(path).content.decode()
            assert "The match hasn't started yet" in page
            assert "<bdi>ana</bdi>" in page
            assert reverse("match-arrive", args=[match.pk]) not in page
        assert visitor.get(reverse("api-match", args=[match.pk])).json()["match"]["status"] == "open"


def test_the_waiting_page_reloads_when_something_changes(
    arranged: Callable[..., Match], started: Match, open_table: Callable[..., Match], client: Client
) -> None:
    off = services.match_call_off(match_id=arranged().pk)
    for match in (started, off, open_table()):
        answer = client.get(reverse("match-ready", args=[match.pk]))
        assert (answer.headers["HX-Refresh"], answer.content) == ("true", b"")
    assert client.get(reverse("match-ready", args=["nothing"])).status_code == 404


def test_the_page_of_an_open_game_stays_as_it_is_while_it_waits(ana: User) -> None:
    client = entered(ana)
    game = services.match_create(creator=ana, variant="backgammon", length=3, clock="none", rated=False)
    answer = client.get(reverse("match-ready", args=[game.pk]))
    assert (answer.status_code, answer.content) == (204, b"")
    services.match_cancel(match_id=game.pk, user=ana)
    assert client.get(reverse("match-ready", args=[game.pk])).headers["HX-Refresh"] == "true"


def test_a_stranger_who_arrives_sees_why_they_cannot_play(arranged: Callable[..., Match], carlos: User) -> None:
    page = entered(carlos).post(reverse("match-arrive", args=[arranged().pk]), follow=True)
    assert "Only the two players of this match can do that." in page.content.decode()


def test_a_cancelled_match_says_so_and_links_back(arranged: Callable[..., Match], client: Client) -> None:
    match = services.match_call_off(match_id=arranged().pk)
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "This match was cancelled" in page
    assert f'href="{FROM}"' in page


def test_the_match_page_links_back_to_its_event_and_offers_no_rematch(
    started: Match, act: Callable[..., Answer], ana: User
) -> None:
    url = reverse("match", args=[started.pk])
    page = entered(ana).get(url)
    assert f'<a href="{FROM}">{TITLE}</a>' in page.content.decode()
    shown = page.context["state"]["match"]
    assert (shown["arranged"], shown["title"], shown["from_url"]) == (True, TITLE, FROM)
    act(started, ana, "resign match")
    page = entered(ana).get(url)
    assert f'<a class="btn btn-primary" href="{FROM}">Back to the tournament</a>' in page.content.decode()
    assert reverse("match-rematch", args=[started.pk]) not in page.content.decode()


def test_the_history_names_its_event(started: Match, arranged: Callable[..., Match], ana: User, bea: User) -> None:
    services.match_call_off(match_id=started.pk)
    page = entered(ana).get(reverse("history")).content.decode()
    assert TITLE in page
    assert '<span class="badge">called off</span>' in page
    assert "Level</span>" not in page
    assert not entered(ana).get(reverse("history") + "?result=level").context["listing"].rows


def test_an_ordinary_match_has_no_event(open_table: Callable[..., Match], client: Client) -> None:
    shown = client.get(reverse("match", args=[open_table().pk])).context["state"]["match"]
    assert (shown["arranged"], shown["title"], shown["from_url"]) == (False, "", "")
