"""The pages of players: public, in few queries, and with nothing private on them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.users import services as accounts
from games import services
from games.models import Match, MatchMark, MatchTag, Rating, RatingEvent
from games.selectors import players
from games.selectors.players import RecentResult
from tests.games.finished_matches import START, keep, sample

pytestmark = pytest.mark.django_db

SECRET = "she always runs too late"


def finish(name: str, white: User, black: User, *, days: int = 0, **more: object) -> Match:
    """A rated match, played to its end, counted and rated."""
    match = keep(sample(name), white, black, at=START + timedelta(days=days), clock_preset="club", rated=True, **more)
    services.facts_make(match_id=match.pk)
    services.match_rate_late(match_id=match.pk)
    return match


def urls() -> list[str]:
    return [
        reverse("player", args=["ana"]),
        reverse("player-statistics", args=["ana"]),
        reverse("player-against", args=["ana", "bea"]),
        reverse("player-rating", args=["ana", "backgammon", "live"]),
        reverse("players"),
    ]


@pytest.fixture
def played(ana: User, bea: User) -> Match:
    """bea beat ana in m10, ana beat bea in m11, a day later."""
    finish("m10.mat", ana, bea)
    return finish("m11.mat", ana, bea, days=1)


def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert client.get(url).status_code == 200
    return len(caught)


# Access


@pytest.mark.parametrize("role", ["passer-by", "guest", "ana", "bea", "carlos", "staff"])
def test_everyone_may_read_them(role: str, played: Match, carlos: User, person: Callable[..., User]) -> None:
    client = Client()
    if role == "guest":
        client.force_login(accounts.guest_create(), backend=accounts.BACKEND)
    elif role != "passer-by":
        user = person("staff", is_staff=True) if role == "staff" else User.objects.get(username=role)
        client.force_login(user, backend=accounts.BACKEND)
    for url in urls():
        assert client.get(url).status_code == 200, url


def test_private_data_is_on_none_of_them(played: Match, ana: User, client: Client) -> None:
    MatchMark.objects.create(user=ana, match=played, note=SECRET, favourite=True, changed_at=played.ended_at)
    MatchTag.objects.create(user=ana, match=played, name="leccion", key="leccion")
    client.force_login(ana, backend=accounts.BACKEND)
    for url in urls():
        page = client.get(url).content.decode()
        assert SECRET not in page, url
        assert "leccion" not in page, url


@pytest.mark.parametrize(
    "path",
    [
        "/players/nobody/",
        "/players/nobody/statistics/",
        "/players/ana/against/nobody/",
        "/players/ana/against/ana/",
        "/players/ana/ratings/backgammon/correspondence/",
        "/players/ana/ratings/chess/live/",
        "/players/ana/ratings/backgammon/slow/",
    ],
)
def test_an_unknown_page_is_a_404(path: str, played: Match, client: Client) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "query", ["?variant=chess", "?pace=%00", "?variant=&pace=", "?range=9e9", "?page=x", "?rival=%F0%9F%92%A9"]
)
def test_an_invalid_query_shows_everything(query: str, played: Match, client: Client) -> None:
    for url in urls():
        assert client.get(url + query).status_code == 200


def test_a_newcomer_has_pages_too(carlos: User, ana: User, client: Client) -> None:
    for url in ("/players/carlos/", "/players/carlos/statistics/", "/players/carlos/against/ana/"):
        assert client.get(url).status_code == 200
    assert b"finished a match against each other yet" in client.get("/players/carlos/against/ana/").content


def test_no_page_has_a_style_or_a_script_of_its_own(played: Match, client: Client) -> None:
    for url in urls():
        page = client.get(url).content.decode()
        assert " style=" not in page
        assert "<script>" not in page


# Content


def test_the_overview_has_ratings_form_and_games(played: Match, ana: User, client: Client) -> None:
    page = client.get("/players/ana/", headers={"accept-language": "en"})
    (card, line), *others = page.context["cards"]
    assert (card.variant, card.pace, card.matches, others) == ("backgammon", "live", 2, [])
    assert line == list(RatingEvent.objects.filter(user=ana).order_by("n").values_list("rating_after", flat=True))
    assert page.context["variants"]["backgammon"].matches == 2
    text = page.content.decode()
    assert 'class="spark"' in text
    assert "provisional" in text


def test_the_form_is_the_last_results(played: Match, ana: User, bea: User, carlos: User) -> None:
    form = players.recent_results_by_user([ana.pk, bea.pk, carlos.pk])
    assert [result.won for result in form[ana.pk]] == [not result.won for result in form[bea.pk]]
    assert form[ana.pk][0] == RecentResult(played.pk, played.winner == "white", played.ended_at)
    assert len(form[ana.pk]) == 2
    assert form[carlos.pk] == []
    assert [players.recent_results(user) for user in (ana, bea, carlos)] == list(form.values())


def test_the_form_has_no_more_than_asked_and_no_match_that_was_called_off(ana: User, bea: User) -> None:
    for day in range(4):
        finish("m10.mat", ana, bea, days=day)
    keep(sample("m10.mat"), ana, bea, at=START + timedelta(days=9), ended_by=Match.EndedBy.STOPPED, winner="")
    form = players.recent_results_by_user([ana.pk, bea.pk], most=3)[ana.pk]
    assert len(form) == 3
    assert form[0].at == Match.objects.filter(ended_by="score").latest("ended_at").ended_at


def test_a_match_that_was_called_off_is_listed_but_no_result(played: Match, ana: User, client: Client) -> None:
    Match.objects.filter(pk=played.pk).update(winner="", ended_by=Match.EndedBy.STOPPED)
    played.seats.update(won=None)
    page = client.get(reverse("player", args=["ana"])).content.decode()
    assert '<dt>matches</dt><dd class="number">1</dd>' in page
    assert ">2 matches</p>" in page
    assert players.last_results(ana) == ([RecentResult(Match.objects.exclude(pk=played.pk).get().pk, True)], [True])


def test_two_players_are_compared(played: Match, ana: User, bea: User, carlos: User) -> None:
    finish("m10.mat", ana, carlos, days=3)
    from_ana, from_bea = players.head_to_head(ana, bea), players.head_to_head(bea, ana)
    assert (from_ana.stats.matches, from_ana.stats.won) == (2, from_bea.stats.lost)
    assert (from_ana.stats.points, from_ana.stats.rival_points) == (from_bea.stats.rival_points, from_bea.stats.points)
    assert from_ana.recent[0].match == played
    assert len(from_ana.recent) == 2
    assert from_ana.recent[0].own_seat is not None
    assert from_ana.recent[0].own_seat.user == ana


def test_the_page_of_an_opponent_links_to_the_head_to_head(played: Match, ana: User, client: Client) -> None:
    client.force_login(ana, backend=accounts.BACKEND)
    assert reverse("player-against", args=["ana", "bea"]) in client.get("/players/bea/").content.decode()


def test_the_graph_has_every_match_of_its_range(played: Match, ana: User, client: Client) -> None:
    url = reverse("player-rating", args=["ana", "backgammon", "live"])
    assert len(client.get(url).context["points"]) == 2
    RatingEvent.objects.filter(user=ana, n=1).update(at=START - timedelta(days=3000))
    assert len(client.get(url).context["points"]) == 2
    RatingEvent.objects.filter(user=ana).update(at=START - timedelta(days=3000))
    month = client.get(url, {"range": "month"}, headers={"accept-language": "en"})
    assert month.context["points"] == []
    assert b"No rated matches in this period." in month.content


def test_the_list_shows_the_rating_of_the_main_pool(played: Match, ana: User, client: Client) -> None:
    rating = Rating.objects.get(user=ana)
    assert players.main_ratings([ana.pk])[ana.pk] == rating.rating
    assert f"{rating.rating:.0f}" in client.get(reverse("players")).content.decode()


def test_statistics_cover_the_chosen_games(played: Match, ana: User, bea: User, client: Client) -> None:
    page = client.get("/players/ana/statistics/?variant=backgammon&pace=live")
    assert page.context["wanted"] == {"variant": "backgammon", "pace": "live"}
    assert page.context["stats"].matches == 2
    assert page.context["dice"].rolls == page.context["stats"].rolls
    assert client.get("/players/ana/statistics/?variant=damas").context["wanted"]["variant"] == ""


def test_numbers_are_in_the_language_of_the_reader(played: Match, client: Client) -> None:
    page = client.get("/players/ana/statistics/", headers={"accept-language": "es"}).content.decode()
    assert "8,17" in page
    assert "8.17" not in page


# Queries


def test_no_page_takes_more_than_sixteen_queries_however_much_was_played(
    played: Match, ana: User, bea: User, carlos: User, client: Client
) -> None:
    client.force_login(carlos, backend=accounts.BACKEND)
    before = {url: queries(client, url) for url in urls()}
    for day in range(3):
        finish("m10.mat", ana, bea, days=5 + day)
    assert {url: queries(client, url) for url in urls()} == before
    assert max(before.values()) <= 16, before
