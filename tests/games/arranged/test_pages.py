"""The pages of an arranged match: waiting for the other one, and the way back to what it is part of."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts import services as people
from accounts.models import User
from games import services
from games.models import Match
from games.selectors import archive, lists
from games.services import Answer
from tests.games.arranged.conftest import FROM, TITLE

pytestmark = pytest.mark.django_db


def entered(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=people.BACKEND)
    return client


def test_a_match_that_was_called_off_is_written_to_every_format_and_counts_for_nobody(begun: Match, ana: User) -> None:
    match = services.match_call_off(match_id=begun.pk)
    match = lists.match_seen(match_id=match.pk, user=None)
    for kind in archive.kinds(match):
        assert archive.text_of(match, kind)
    assert '"by": "stopped"' in archive.text_of(match, "json")
    assert lists.totals(ana) == lists.Totals(played=0, won=0, lost=0)
    assert {user.username: user.played for user in lists.players()} == {"ana": 0, "bea": 0}


# What is shown


def test_it_stands_on_top_of_ones_own_matches_and_among_nobodys_offers(
    arranged: Callable[..., Match], open_table: Callable[..., Match], ana: User, bea: User, carlos: User
) -> None:
    running = open_table()
    match = arranged()
    services.match_arrive(match_id=match.pk, user=bea)
    mine, hers, his = (lists.lobby(user) for user in (ana, bea, carlos))
    for lobby, waits in ((mine, True), (hers, False)):
        assert [row.match.pk for row in lobby.running] == [match.pk, running.pk]
        assert lobby.running[0].waits is waits
        assert lobby.offered == lobby.seeks == lobby.challenges == []
    assert his.seeks == his.running == lists.lobby(None).seeks == []


def test_a_page_hears_again_what_it_missed(arranged: Callable[..., Match], ana: User, bea: User, carlos: User) -> None:
    match = arranged()
    since = int(match.created_at.timestamp() * 1000) - 1

    def missed(user: User) -> list[tuple[str, str, str | None]]:
        words, _ = lists.missed(user_id=user.pk, since=since)
        return [(word["t"], word["id"], word.get("from")) for word in words if word["t"] != "notice"]

    assert (missed(ana), missed(carlos)) == ([("ready", match.pk, "bea")], [])
    services.match_arrive(match_id=match.pk, user=bea)
    assert (missed(ana), missed(bea)) == ([("ready", match.pk, "bea")], [])
    services.match_arrive(match_id=match.pk, user=ana)
    assert missed(ana) == missed(bea) == [("go", match.pk, None)]


def test_a_player_comes_by_one_button_and_waits(arranged: Callable[..., Match], ana: User, bea: User) -> None:
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
            assert "The match has not begun" in page
            assert "<bdi>ana</bdi>" in page
            assert reverse("match-arrive", args=[match.pk]) not in page
        assert visitor.get(reverse("api-match", args=[match.pk])).json()["match"]["status"] == "open"


def test_the_waiting_page_looks_again_once_there_is_something_else_to_see(
    arranged: Callable[..., Match], begun: Match, open_table: Callable[..., Match], client: Client
) -> None:
    off = services.match_call_off(match_id=arranged().pk)
    for match in (begun, off, open_table()):
        answer = client.get(reverse("match-ready", args=[match.pk]))
        assert (answer.headers["HX-Refresh"], answer.content) == ("true", b"")
    assert client.get(reverse("match-ready", args=["nothing"])).status_code == 404


def test_a_stranger_who_comes_is_told_why_not(arranged: Callable[..., Match], carlos: User) -> None:
    page = entered(carlos).post(reverse("match-arrive", args=[arranged().pk]), follow=True)
    assert "Only the two players can act in this match." in page.content.decode()


def test_a_match_that_was_called_off_says_so_and_leads_back(arranged: Callable[..., Match], client: Client) -> None:
    match = services.match_call_off(match_id=arranged().pk)
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "This match was called off" in page
    assert f'href="{FROM}"' in page


def test_the_table_leads_back_to_what_it_is_part_of_and_offers_no_rematch(
    begun: Match, act: Callable[..., Answer], ana: User
) -> None:
    url = reverse("match", args=[begun.pk])
    page = entered(ana).get(url)
    assert f'<a href="{FROM}">{TITLE}</a>' in page.content.decode()
    shown = page.context["state"]["match"]
    assert (shown["arranged"], shown["title"], shown["from_url"]) == (True, TITLE, FROM)
    act(begun, ana, "resign match")
    page = entered(ana).get(url)
    assert f'<a class="btn btn-primary" href="{FROM}">Back to the tournament</a>' in page.content.decode()
    assert reverse("match-rematch", args=[begun.pk]) not in page.content.decode()


def test_the_history_names_it(begun: Match, arranged: Callable[..., Match], ana: User, bea: User) -> None:
    services.match_call_off(match_id=begun.pk)
    page = entered(ana).get(reverse("history")).content.decode()
    assert TITLE in page
    assert '<span class="badge">called off</span>' in page
    assert "Level</span>" not in page
    assert not entered(ana).get(reverse("history") + "?result=level").context["listing"].rows


def test_an_ordinary_match_is_part_of_nothing(open_table: Callable[..., Match], client: Client) -> None:
    shown = client.get(reverse("match", args=[open_table().pk])).context["state"]["match"]
    assert (shown["arranged"], shown["title"], shown["from_url"]) == (False, "", "")
