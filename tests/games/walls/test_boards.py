"""The boards of a wall out of the rows: who is chosen for whom, what is shown, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import ties
from accounts.models import User
from accounts.services import BACKEND
from games import services, wall
from games.consumers import wall as consumer
from games.models import Match
from games.selectors import wall as read
from tests.games.test_consumers import find_key
from tests.games.walls.seats import SECRETS, seat_others

# Which is the best


Open = Callable[..., Match]
Act = Callable[..., Any]


@pytest.fixture
def table(open_table: Open, act: Act, ana: User, bea: User, thrown: Any) -> Match:
    """ana is to play 31."""
    thrown.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    match.refresh_from_db()
    return match


def test_a_board_is_what_any_spectator_sees_and_nothing_more(table: Match) -> None:
    [board] = read.boards([table.pk], user_id=None)
    for secret in SECRETS:
        assert find_key(board, secret) == [], secret
    assert board["position"]["dice"] == [3, 1]
    assert (board["version"], board["status"], board["score"]["length"]) == (3, "live", 5)
    assert board["clock"]["running"] == "white"
    assert [board["about"]["players"][side]["name"] for side in ("white", "black")] == ["ana", "bea"]
    assert set(board["position"]) <= set(wall.BOARD)


@pytest.mark.parametrize("variant", ["backgammon", "acey-deucey", "damas"])
def test_the_projection_of_an_event_and_the_reading_of_the_rows_agree(
    open_table: Open, act: Act, ana: User, bea: User, variant: str
) -> None:
    from games.selectors.table import match_event

    match = open_table(variant=variant, length={"acey-deucey": 15}.get(variant, 5), clock="none")
    act(match, ana, "roll")
    act(match, bea, "roll")
    event, _ = match_event(match_id=match.pk, user_id=ana.pk)
    [board] = read.boards([match.pk], user_id=None)
    board.pop("about")
    assert wall.board(event) == board


def test_at_most_sixteen_and_what_is_no_match_is_passed_over(db: None) -> None:
    made = [match.pk for match in seat_others(18)]
    assert len(read.boards(made, user_id=None)) == wall.MOST
    assert read.boards(["nothing", made[0], made[0]], user_id=None)[0]["id"] == made[0]
    assert read.boards([], user_id=None) == []
    assert consumer.named([*made, 7, None, "a b", "x" * 17]) == tuple(made[:16])


@pytest.mark.usefixtures("table")
def test_open_and_cancelled_matches_are_never_shown(ana: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    assert read.boards([seek.pk], user_id=ana.pk) == []
    services.match_cancel(match_id=seek.pk, user=ana)
    assert read.boards([seek.pk], user_id=ana.pk) == []


def test_the_filters_of_a_wall(table: Match, ana: User, carlos: User) -> None:
    [other] = seat_others(1)
    Match.objects.filter(pk=other.pk).update(from_url="/tournaments/7/", title="Jueves · Round 1", variant="nackgammon")

    def found(**wish: Any) -> set[str]:
        return {one.match_id for one in read.candidates(read.Wish(**wish))}

    assert found() == {table.pk, other.pk}
    assert found(game="nackgammon") == {other.pk}
    assert found(from_url="/tournaments/7/") == {other.pk}
    assert found(people=frozenset([ana.pk])) == {table.pk}
    assert found(people=frozenset([carlos.pk])) == set()
    assert found(people=frozenset()) == set()


def test_who_left_the_table_or_adjourned_is_not_chosen(table: Match) -> None:
    Match.objects.filter(pk=table.pk).update(pause={"by": "ana", "adjourned": True, "ready": []})
    assert read.candidates(read.Wish()) == []
    Match.objects.filter(pk=table.pk).update(pause=None, clock_at=table.clock_at - timedelta(minutes=31))
    assert read.candidates(read.Wish()) == []


def test_the_choice_knows_ratings_people_and_how_long_nothing_happened(table: Match, ana: User) -> None:
    Match.objects.filter(pk=table.pk).update(clock_at=table.clock_at - timedelta(seconds=90))
    User.objects.filter(pk=ana.pk).update(is_bot=True)
    [one] = read.candidates(read.Wish())
    assert (one.facts.humans, one.facts.live, one.facts.length) == (1, True, 5)
    assert 90 <= one.facts.idle < 95
    assert one.score == "0–0"


@pytest.mark.django_db
def test_the_same_queries_for_one_board_and_for_three() -> None:
    viewer = User.objects.create_user("carlos")
    made: list[str] = []
    asked: list[tuple[int, int]] = []
    for _ in range(3):
        made += [match.pk for match in seat_others(1, first=len(made))]
        with CaptureQueriesContext(connection) as chosen:
            assert len(read.candidates(read.Wish())) == len(made)
        with CaptureQueriesContext(connection) as told:
            assert len(read.boards(made, user_id=viewer.pk)) == len(made)
        asked.append((len(chosen), len(told)))
    assert asked == [asked[0]] * 3
    assert max(asked[0]) <= 7


def test_a_block_keeps_a_match_from_both(table: Match, ana: User, carlos: User) -> None:
    ties.tie_make(by=ana, about=carlos, kind=ties.BLOCK)
    assert read.boards([table.pk], user_id=carlos.pk) == []
    assert len(read.boards([table.pk], user_id=None)) == 1
    client = Client()
    client.force_login(carlos, backend=BACKEND)
    assert table.pk not in client.get(reverse("wall")).content.decode()
    assert client.get(reverse("match-overlay", args=[table.pk])).status_code == 404


# Pages


def test_the_pages_hold_the_list_for_who_has_no_script(client: Client, table: Match) -> None:
    for name in ("tv", "wall"):
        page = client.get(reverse(name)).content.decode()
        assert reverse("match", args=[table.pk]) in page
    assert table.pk not in client.get(reverse("wall"), {"game": "damas"}).content.decode()
    strange = {"game": "x", "of": "y", "from": "<script>"}
    assert '<script>"' not in client.get(reverse("wall"), strange).content.decode()


def test_the_overlay_knows_its_choices_and_no_others(client: Client, table: Match) -> None:
    page = client.get(reverse("match-overlay", args=[table.pk])).content.decode()
    assert 'data-theme="dark"' in page
    assert "ov-left ov-m" in page
    assert "ov-board" not in page
    said = {"side": "right", "size": "l", "theme": "light", "board": "1"}
    page = client.get(reverse("match-overlay", args=[table.pk]), said).content.decode()
    assert 'data-theme="light"' in page
    assert "ov-right ov-l" in page
    assert "ov-board" in page
    strange = client.get(reverse("match-overlay", args=[table.pk]), {"size": '"><b>'}).content.decode()
    assert "<b>&" not in strange
    assert "ov-left ov-m" in strange
    assert client.get(reverse("match-overlay", args=["nothing"])).status_code == 404


# The socket


def test_the_address_of_a_wall_is_read_with_care() -> None:
    def asked(query: str) -> consumer.Asked:
        return consumer.asked_by({"query_string": query.encode()})

    assert asked("") == consumer.Asked()
    assert asked("game=damas&from=/tournaments/7/&show=tv").wish == read.Wish("damas", "/tournaments/7/")
    assert asked("show=tv").tv
    assert asked("of=followed").followed
    assert asked("ids=a,b,a,../x").ids == ("a", "b")
    assert asked("game=poker&from=//evil/&ids=").wish == read.Wish()
