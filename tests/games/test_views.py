"""The pages of play: permissions, and refusals as messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from django.contrib.auth import get_user
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from accounts.users import services as user_services
from games import services
from games.models import Match

pytestmark = pytest.mark.django_db
AGREED = {"cube": True, "cube_cap": 64, "desahogo": False, "as_libre": False}
TERMS = {"variant": "backgammon", "length": "5", "clock": "club", "cube": "on", "rated": "on"}


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    def enter(user: User) -> Client:
        client = Client()
        client.force_login(user, backend=user_services.BACKEND)
        return client

    return enter


@pytest.fixture
def finished(open_table: Callable[..., Match]) -> Callable[[], Match]:
    def make() -> Match:
        match = open_table(length=3)
        bea = match.seats.get(side="black").user
        services.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="give-up")
        match.refresh_from_db()
        return match

    return make


def seek(user: User, **terms: object) -> Match:
    wanted: dict[str, object] = {"variant": "backgammon", "length": 5, "clock": "club", "rated": False, **terms}
    return services.match_create(creator=user, **wanted)  # type: ignore[arg-type]


def test_a_player_posts_a_game_and_another_joins_it(as_user: Callable[[User], Client], ana: User, bea: User) -> None:
    as_user(ana).post(reverse("match-create"), {**TERMS, "opponent": "anyone"})
    match = Match.objects.get()
    assert (match.length, match.rated, match.options, match.invited) == (5, True, AGREED, None)
    assert match.pk in as_user(bea).get("/").content.decode()
    answer = as_user(bea).post(reverse("match-join", args=[match.pk]))
    assert answer.headers["Location"] == reverse("match", args=[match.pk])
    match.refresh_from_db()
    assert match.status == "live"
    assert as_user(bea).get(reverse("match", args=[match.pk])).status_code == 200


def test_a_challenge_is_for_one_player_only(
    as_user: Callable[[User], Client], ana: User, bea: User, carlos: User
) -> None:
    as_user(ana).post(reverse("match-create"), {**TERMS, "opponent": "player", "name": "BEA"})
    match = Match.objects.get()
    assert match.invited == bea
    assert as_user(carlos).get(reverse("match", args=[match.pk])).status_code == 404
    assert match.pk not in as_user(carlos).get("/").content.decode()
    as_user(carlos).post(reverse("match-join", args=[match.pk]))
    as_user(carlos).post(reverse("match-decline", args=[match.pk]))
    match.refresh_from_db()
    assert match.status == "open"
    as_user(bea).post(reverse("match-decline", args=[match.pk]))
    match.refresh_from_db()
    assert match.status == "cancelled"


def test_any_length_from_1_is_accepted(as_user: Callable[[User], Client], ana: User) -> None:
    client = as_user(ana)
    client.post(reverse("match-create"), {**TERMS, "opponent": "anyone", "length": "other", "length_other": "13"})
    assert Match.objects.get().length == 13


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"opponent": "player", "name": ""}, "name"),
        ({"opponent": "player", "name": "nobody"}, "name"),
        ({"opponent": "player", "name": "ana"}, "__all__"),
        ({"opponent": "anyone", "length": "other"}, "length_other"),
        ({"opponent": "anyone", "length": "other", "length_other": "100"}, "length_other"),
        ({"opponent": "anyone", "variant": "chess"}, "variant"),
        ({"opponent": "anyone", "clock": "sundial"}, "clock"),
        ({"opponent": "bot"}, "opponent"),
        ({}, "opponent"),
    ],
)
def test_an_invalid_open_game_explains_the_error(
    as_user: Callable[[User], Client], ana: User, wrong: dict[str, str], field: str
) -> None:
    answer = as_user(ana).post(reverse("match-create"), {**TERMS, **wrong})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not Match.objects.exists()


def test_a_guest_never_plays_rated(as_user: Callable[[User], Client]) -> None:
    guest = user_services.guest_create()
    as_user(guest).post(reverse("match-create"), {**TERMS, "opponent": "anyone"})
    assert not Match.objects.get().rated


def test_an_anonymous_visitor_joins_an_open_game_as_a_guest(client: Client, ana: User) -> None:
    match = seek(ana)
    answer = client.post(reverse("guest-create"), {"join": match.pk})
    assert answer.headers["Location"] == reverse("match", args=[match.pk])
    assert get_user(client).is_guest
    match.refresh_from_db()
    assert match.status == "live"


def test_a_rated_open_game_is_refused_to_a_guest_with_a_message(client: Client, ana: User) -> None:
    match = seek(ana, rated=True)
    page = client.post(reverse("guest-create"), {"join": match.pk}, follow=True)
    assert "Guests can only play unrated" in page.content.decode()


def test_only_the_creator_cancels(as_user: Callable[[User], Client], ana: User, bea: User) -> None:
    match = seek(ana)
    page = as_user(bea).post(reverse("match-cancel", args=[match.pk]), follow=True)
    assert "Only the player who posted this match" in page.content.decode()
    as_user(ana).post(reverse("match-cancel", args=[match.pk]))
    match.refresh_from_db()
    assert match.status == "cancelled"
    assert as_user(ana).get(reverse("match", args=[match.pk])).status_code == 200
    assert as_user(bea).get(reverse("match", args=[match.pk])).status_code == 404


@pytest.mark.parametrize("name", ["match-arrive", "match-join", "match-cancel", "match-decline", "match-rematch"])
def test_an_unknown_match_is_a_404(as_user: Callable[[User], Client], ana: User, name: str) -> None:
    assert as_user(ana).post(reverse(name, args=["nothing"])).status_code == 404


def test_a_rematch_is_offered_by_one_and_joined_by_the_other(
    as_user: Callable[[User], Client], ana: User, bea: User, finished: Callable[[], Match]
) -> None:
    match = finished()
    as_user(ana).post(reverse("match-rematch", args=[match.pk]))
    rematch = Match.objects.get(rematch_of=match)
    page = as_user(ana).post(reverse("match-rematch", args=[match.pk]), follow=True)
    assert page.status_code == 200
    as_user(bea).post(reverse("match-rematch", args=[match.pk]))
    rematch.refresh_from_db()
    assert rematch.status == "live"


def test_a_spectator_sees_the_board_and_no_buttons(client: Client, open_table: Callable[..., Match]) -> None:
    match = open_table()
    page = client.get(reverse("match", args=[match.pk]))
    assert page.context["seat"] is None
    assert page.context["state"]["may"] == []


def test_a_finished_match_is_shown_with_its_replay_and_downloaded(
    client: Client, finished: Callable[[], Match]
) -> None:
    match = finished()
    page = client.get(reverse("match", args=[match.pk]))
    assert page.context["over"]
    assert [game["number"] for game in page.context["replay"]["games"]] == [1]
    answer = client.get(reverse("match-file", args=[match.pk, "mat"]))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="tablero-{match.pk}.mat"'
    assert " 3 point match" in answer.content.decode()


def test_a_running_match_is_not_downloaded(client: Client, open_table: Callable[..., Match]) -> None:
    answer = client.get(reverse("match-file", args=[open_table().pk, "mat"]), follow=True)
    assert "not finished yet" in answer.content.decode()


def test_the_history_is_filtered_by_its_url(
    as_user: Callable[[User], Client], ana: User, bea: User, finished: Callable[[], Match]
) -> None:
    match = finished()
    for query, shown in [
        ("", True),
        ("?rival=BE", True),
        ("?rival=carlos", False),
        ("?result=won", True),
        ("?result=lost", False),
        ("?length=3&variant=backgammon", True),
        ("?length=5", False),
        ("?since=2000-01-01&until=2999-01-01", True),
        ("?until=2000-01-01", False),
        ("?length=nonsense&page=x", True),
    ]:
        page = as_user(ana).get(reverse("history") + query)
        assert [row.match.pk for row in page.context["listing"].rows] == ([match.pk] if shown else []), query
    assert as_user(bea).get(reverse("history") + "?result=lost").context["listing"].rows


def test_a_players_page_is_found_whatever_the_case(client: Client, finished: Callable[[], Match]) -> None:
    finished()
    page = client.get(reverse("player", args=["ANA"]))
    assert (page.context["totals"].played, page.context["totals"].won) == (1, 1)
    assert client.get(reverse("player", args=["nobody"])).status_code == 404


def test_players_are_searched_by_name(client: Client, ana: User, bea: User) -> None:
    page = client.get(reverse("players"), {"q": "AN"})
    assert [user.username for user in page.context["page"].object_list] == ["ana"]


def test_pages_take_the_same_queries_for_one_row_and_for_three(
    as_user: Callable[[User], Client],
    ana: User,
    bea: User,
    open_table: Callable[..., Match],
    finished: Callable[[], Match],
    next_rolls: deque[tuple[int, int]],
) -> None:
    paths = ["/", reverse("lobby-lists"), reverse("history"), reverse("player", args=["bea"]), reverse("players")]
    client = as_user(ana)

    def more() -> None:
        finished()
        open_table()
        seek(bea)
        seek(ana)
        seek(bea, invited=ana)

    def query_counts() -> list[int]:
        counts = []
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == 200
            counts.append(len(queries))
        return counts

    more()
    query_counts()  # the first one draws the puzzle of the day
    counts = query_counts()
    more()
    more()
    assert query_counts() == counts
    assert dict(zip(paths, counts, strict=True)) == {
        "/": 13,
        "/lobby/lists/": 12,
        "/history/": 11,
        "/players/bea/": 14,
        "/players/": 7,
    }


@pytest.mark.parametrize("name", ["lobby", "players"])
@pytest.mark.parametrize("language", ["es", "en"])
def test_pages_exist_in_both_languages(client: Client, name: str, language: str) -> None:
    page = client.get(reverse(name), headers={"accept-language": language})
    assert f'<html lang="{language}"' in page.content.decode()


@pytest.mark.parametrize(("language", "message"), [("es", "Página no encontrada"), ("en", "Page not found")])
def test_the_404_page_is_in_both_languages(client: Client, language: str, message: str) -> None:
    page = client.get("/nowhere/", headers={"accept-language": language})
    assert page.status_code == 404
    assert message in page.content.decode()


@pytest.mark.parametrize("name", ["400.html", "500.html"])
def test_the_error_pages_need_no_request(name: str) -> None:
    with override("es"):
        assert "Volver al sal\u00f3n" in render_to_string(name)
