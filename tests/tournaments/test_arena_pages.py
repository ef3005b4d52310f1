"""An arena on its pages, on the TV display, at the desk and in the API (ruling E26)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import services as play
from tests.tournaments.conftest import fresh, terms
from tournaments import services
from tournaments.models import Meeting, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.looks]

JSON = "application/json"
Make = Callable[..., Tournament]


@pytest.fixture
def arena(dora: User) -> Make:
    """A function that starts an arena of some players: `arena(ana, bea)`."""

    def begin(*players: User) -> Tournament:
        chosen = terms("arena", config={"minutes": 60}, clock="blitz", lengths=[1], venue="online")
        made = services.tournament_create(creator=dora, name="Arena", terms=chosen)
        for user in players:
            services.entrant_register(tournament_id=made.pk, user=user)
        services.tournament_start(tournament_id=made.pk, user=dora)
        return made

    return begin


def _page(client: Client, tournament: Tournament, path: str = "") -> str:
    response = client.get(f"/tournaments/{tournament.pk}/{path}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_visitor_sees_the_end_and_a_way_to_enter(arena: Make, ana: User) -> None:
    page = _page(Client(headers={"accept-language": "en"}), arena(ana))
    assert "Pairing ends in" in page
    assert "Sign in to enter" in page


def test_a_member_joins_a_running_arena_with_one_click(
    arena: Make, as_user: Callable[..., Client], ana: User, bea: User
) -> None:
    made = arena(ana)
    assert "Join</button>" in _page(as_user(bea), made)
    as_user(bea).post(f"/tournaments/{made.pk}/enter/")
    assert fresh(made).order == (1, 2)
    assert "Finding you an opponent…" in _page(as_user(bea), made)


def test_a_player_pauses_and_comes_back(arena: Make, as_user: Callable[..., Client], ana: User) -> None:
    made, client = arena(ana), as_user(ana)
    client.post(f"/tournaments/{made.pk}/pause/", {"action": "pause"})
    assert fresh(made).paused == {1}
    assert "You're paused" in _page(client, made)
    client.post(f"/tournaments/{made.pk}/pause/", {"action": "back"})
    assert fresh(made).paused == frozenset()


def test_a_paired_player_is_taken_to_the_board(
    arena: Make, as_user: Callable[..., Client], ana: User, bea: User
) -> None:
    made = arena(ana, bea)
    services.arena_due(tournament_id=made.pk)
    page = _page(as_user(ana), made)
    assert "Your match against <bdi>bea</bdi>" in page
    assert "data-taken" in page
    assert "Pause after this match" in page


def test_the_table_says_what_everybody_is_doing(
    arena: Make, ana: User, bea: User, carlos: User, person: Callable[..., User]
) -> None:
    made = arena(ana, bea, carlos, person("p4"))
    services.arena_pause(tournament_id=made.pk, user=carlos, number=3)
    services.arena_due(tournament_id=made.pk)
    meeting = Meeting.objects.get(tournament=made)
    for user in (ana, bea):
        play.match_arrive(match_id=meeting.match_id, user=user)
    page = _page(Client(headers={"accept-language": "en"}), made)
    assert page.count(f'<span class="arena-now is-playing"><a href="/match/{meeting.match_id}/">playing</a>') == 2
    assert page.count('<span class="arena-now is-paused">paused') == 1
    assert page.count('<span class="arena-now is-waiting">waiting') == 1


def test_the_last_results_are_drawn_and_said(arena: Make, dora: User, ana: User, bea: User) -> None:
    made = arena(ana, bea)
    services.arena_due(tournament_id=made.pk)
    services.result_enter(tournament_id=made.pk, user=dora, key="arena-1-1", winner=1, points=(1, 0))
    page = _page(Client(headers={"accept-language": "en"}), made)
    assert '<rect class="is-won" x="0" y="8" width="7" height="8" rx="1"/>' in page
    assert '<rect class="is-lost" x="0" y="17" width="7" height="8" rx="1"/>' in page
    assert page.count('role="img" aria-label="won"') == 1


def test_the_desk_shows_the_clock_and_ends_the_pairing(arena: Make, desk: Client, ana: User, bea: User) -> None:
    made = arena(ana, bea)
    page = _page(desk, made, "desk/")
    assert '<strong class="number">2</strong> waiting' in page
    assert "Pause ana" in page
    desk.post(f"/tournaments/{made.pk}/desk/stop/")
    assert fresh(made).phase == "over"


def test_the_director_pauses_a_player(arena: Make, desk: Client, ana: User, bea: User) -> None:
    made = arena(ana, bea)
    desk.post(f"/tournaments/{made.pk}/desk/entrants/", {"entrant": "2", "action": "pause"})
    assert fresh(made).paused == {2}


def test_the_tv_display_has_the_table_and_the_time(arena: Make, ana: User, bea: User) -> None:
    made = arena(ana, bea)
    services.arena_due(tournament_id=made.pk)
    page = _page(Client(headers={"accept-language": "en"}), made, "tv/")
    assert "Pairing ends" in page
    assert "<bdi>ana</bdi> <small>playing</small>" in page


@pytest.mark.parametrize("path", ["", "tv/", "print/", "boards/", "embed/", "export.json", "desk/"])
def test_every_page_asks_as_much_for_three_matches_as_for_one(
    arena: Make, desk: Client, person: Callable[..., User], django_assert_max_num_queries: Any, path: str
) -> None:
    asked = []
    for count in (2, 6):
        made = arena(*(person(f"n{count}{n}") for n in range(count)))
        services.arena_due(tournament_id=made.pk)
        _page(desk, made, path)
        with django_assert_max_num_queries(25) as queries:
            _page(desk, made, path)
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_the_log_says_who_was_paired_and_who_pauses(arena: Make, desk: Client, ana: User, bea: User) -> None:
    made = arena(ana, bea)
    services.arena_due(tournament_id=made.pk)
    services.arena_pause(tournament_id=made.pk, user=ana, number=1)
    page = _page(desk, made, "desk/log/")
    assert "Paired: ana – bea." in page
    assert "ana pauses." in page


def test_the_preset_makes_an_arena_of_an_hour(desk: Client) -> None:
    form = desk.get("/tournaments/new/?from=arena").context["form"]
    assert (form["format"].value(), form["minutes"].value(), form["lengths"].value()) == ("arena", 60, "1")
    posted = {"name": "Arena", "format": "arena", "minutes": "45", "lengths": "3", "clock": "blitz", "timezone": "UTC"}
    assert desk.post("/tournaments/new/", posted).status_code == 302
    made = Tournament.objects.get()
    assert (made.terms["config"]["minutes"], made.terms["venue"], made.terms["pace"]) == (45, "online", "flow")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("minutes", "10", "Ensure this value is greater than or equal to 20."),
        ("lengths", "5", "Matches of an arena are to 1 or 3 points."),
        ("clock", "days1", "An arena needs a clock that runs during play. Choose another one."),
    ],
)
def test_an_impossible_arena_is_refused_at_its_field(desk: Client, field: str, value: str, text: str) -> None:
    posted = {"name": "Arena", "format": "arena", "minutes": "45", "lengths": "3", "clock": "blitz", "timezone": "UTC"}
    response = desk.post("/tournaments/new/", {**posted, field: value})
    assert response.status_code == 422
    assert response.context["form"].errors[field] == [text]


def test_the_api_has_the_table(arena: Make, dora: User, ana: User, bea: User) -> None:
    made = arena(ana, bea)
    services.arena_due(tournament_id=made.pk)
    services.result_enter(tournament_id=made.pk, user=dora, key="arena-1-1", winner=2, points=(0, 1))
    found = Client().get(f"/api/v1/tournaments/{made.pk}/arena/").json()
    assert (found["minutes"], found["pairing"]) == (60, True)
    assert found["players"] == [
        {
            "place": place,
            "entrant": entrant,
            "name": name,
            "points": points,
            "wins": points // 2,
            "losses": 1 - points // 2,
            "results": [result],
            "on_streak": False,
            "activity": "waiting",
        }
        for place, entrant, name, points, result in ((1, 2, "bea", 2, "won"), (2, 1, "ana", 0, "lost"))
    ]


def test_the_api_pauses_and_takes_back(arena: Make, as_user: Callable[..., Client], ana: User) -> None:
    made, client = arena(ana), as_user(ana)
    path = f"/api/v1/tournaments/{made.pk}/pause/"
    assert client.post(path, {}, JSON).json() == {"number": 1, "paused": True}
    assert fresh(made).paused == {1}
    assert client.post(path, {"paused": False}, JSON).json() == {"number": 1, "paused": False}
    assert fresh(made).paused == frozenset()


def test_another_tournament_has_no_table_of_an_arena(tournament: Make) -> None:
    made = tournament(walk_ins=2)
    assert Client().get(f"/api/v1/tournaments/{made.pk}/arena/").status_code == 404
