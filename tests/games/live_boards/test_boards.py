"""The live boards from the rows: selection for each viewer, display, and queries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.users.services import BACKEND
from games import frames, live_boards, services
from games.consumers import live_boards as consumer
from games.models import Match
from games.selectors import live_boards as read
from tests.games.live_boards.seats import SECRETS, seat_others
from tests.games.match_sockets import find_key

# Which is the best


Open = Callable[..., Match]
Act = Callable[..., Any]


@pytest.fixture
def table(open_table: Open, act: Act, ana: User, bea: User, next_rolls: Any) -> Match:
    """ana is to play 31."""
    next_rolls.append((3, 1))
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
    assert set(board["position"]) <= set(live_boards.POSITION_KEYS)


@pytest.mark.parametrize("variant", ["backgammon", "acey-deucey", "damas"])
def test_the_event_projection_and_the_database_rows_agree(
    open_table: Open, act: Act, ana: User, bea: User, variant: str
) -> None:
    from games.selectors.match_state import match_event

    match = open_table(variant=variant, length={"acey-deucey": 15}.get(variant, 5), clock="none")
    act(match, ana, "roll")
    act(match, bea, "roll")
    event, _ = match_event(match_id=match.pk, user_id=ana.pk)
    [board] = read.boards([match.pk], user_id=None)
    board.pop("about")
    assert live_boards.board_json(event) == board


def test_at_most_sixteen_matches_are_shown_and_unknown_ids_are_skipped(db: None) -> None:
    made = [match.pk for match in seat_others(18)]
    assert len(read.boards(made, user_id=None)) == live_boards.MAX_BOARDS
    assert read.boards(["nothing", made[0], made[0]], user_id=None)[0]["id"] == made[0]
    assert read.boards([], user_id=None) == []
    shown = frames.parse_boards_frame({"t": "show", "ids": [*made, 7, None, "a b", "x" * 17]})
    assert shown == frames.Show(tuple(made))
    assert consumer.parse_query({"query_string": f"ids={','.join(made)}".encode()}).ids == tuple(made[:16])


@pytest.mark.usefixtures("table")
def test_open_and_cancelled_matches_are_never_shown(ana: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    assert read.boards([seek.pk], user_id=ana.pk) == []
    services.match_cancel(match_id=seek.pk, user=ana)
    assert read.boards([seek.pk], user_id=ana.pk) == []


def test_live_boards_can_be_filtered(table: Match, ana: User, carlos: User) -> None:
    [other] = seat_others(1)
    Match.objects.filter(pk=other.pk).update(from_url="/tournaments/7/", title="Jueves · Round 1", variant="nackgammon")

    def found(**filters: Any) -> set[str]:
        return {candidate.match_id for candidate in read.candidates(read.BoardFilter(**filters))}

    assert found() == {table.pk, other.pk}
    assert found(game="nackgammon") == {other.pk}
    assert found(from_url="/tournaments/7/") == {other.pk}
    assert found(people=frozenset([ana.pk])) == {table.pk}
    assert found(people=frozenset([carlos.pk])) == set()
    assert found(people=frozenset()) == set()


def test_abandoned_and_adjourned_matches_are_not_chosen(table: Match) -> None:
    Match.objects.filter(pk=table.pk).update(pause={"by": "ana", "adjourned": True, "ready": []})
    assert read.candidates(read.BoardFilter()) == []
    Match.objects.filter(pk=table.pk).update(pause=None, clock_at=table.clock_at - timedelta(minutes=31))
    assert read.candidates(read.BoardFilter()) == []


@pytest.mark.parametrize(
    ("facts", "minutes", "shown"),
    [
        ({}, 2, True),
        ({}, 4, False),  # a guest who went away
        ({"arranged": True}, 29, True),
        ({"arranged": True}, 31, False),
        ({"clock_preset": "days1"}, 29, True),
        ({"clock_preset": "days1"}, 31, False),
    ],
)
def test_a_casual_match_leaves_the_lists_after_three_minutes_without_an_action(
    table: Match, facts: dict[str, Any], minutes: int, shown: bool
) -> None:
    Match.objects.filter(pk=table.pk).update(clock_at=table.clock_at - timedelta(minutes=minutes), **facts)
    assert bool(read.candidates(read.BoardFilter())) is shown


def test_the_selection_uses_ratings_spectators_and_idle_time(table: Match, ana: User) -> None:
    Match.objects.filter(pk=table.pk).update(clock_at=table.clock_at - timedelta(seconds=90))
    User.objects.filter(pk=ana.pk).update(is_bot=True)
    [candidate] = read.candidates(read.BoardFilter())
    assert (candidate.facts.humans, candidate.facts.live, candidate.facts.length) == (1, True, 5)
    assert 90 <= candidate.facts.idle < 95
    assert candidate.score == "0–0"


@pytest.mark.django_db
def test_the_same_queries_for_one_board_and_for_three() -> None:
    viewer = User.objects.create_user("carlos")
    made: list[str] = []
    counts: list[tuple[int, int]] = []
    for _ in range(3):
        made += [match.pk for match in seat_others(1, first=len(made))]
        with CaptureQueriesContext(connection) as chosen:
            assert len(read.candidates(read.BoardFilter())) == len(made)
        with CaptureQueriesContext(connection) as captured:
            assert len(read.boards(made, user_id=viewer.pk)) == len(made)
        counts.append((len(chosen), len(captured)))
    assert counts == [counts[0]] * 3
    assert max(counts[0]) <= 7


def test_a_block_hides_a_match_from_both(table: Match, ana: User, carlos: User) -> None:
    relationships.relationship_create(by=ana, about=carlos, kind=relationship_selectors.BLOCK)
    assert read.boards([table.pk], user_id=carlos.pk) == []
    assert len(read.boards([table.pk], user_id=None)) == 1
    client = Client()
    client.force_login(carlos, backend=BACKEND)
    assert table.pk not in client.get(reverse("wall")).content.decode()
    assert client.get(reverse("match-overlay", args=[table.pk])).status_code == 404


# Pages


def test_the_pages_include_the_list_for_browsers_without_scripts(client: Client, table: Match) -> None:
    for name in ("tv", "wall"):
        page = client.get(reverse(name)).content.decode()
        assert reverse("match", args=[table.pk]) in page
    assert table.pk not in client.get(reverse("wall"), {"game": "damas"}).content.decode()
    strange = {"game": "x", "of": "y", "from": "<script>"}
    assert '<script>"' not in client.get(reverse("wall"), strange).content.decode()


def test_the_overlay_accepts_only_its_options(client: Client, table: Match) -> None:
    page = client.get(reverse("match-overlay", args=[table.pk])).content.decode()
    assert 'data-theme="dark"' in page
    assert "ov-left ov-m" in page
    assert "ov-board" not in page
    options = {"side": "right", "size": "l", "theme": "light", "board": "1"}
    page = client.get(reverse("match-overlay", args=[table.pk]), options).content.decode()
    assert 'data-theme="light"' in page
    assert "ov-right ov-l" in page
    assert "ov-board" in page
    strange = client.get(reverse("match-overlay", args=[table.pk]), {"size": '"><b>'}).content.decode()
    assert "<b>&" not in strange
    assert "ov-left ov-m" in strange
    assert client.get(reverse("match-overlay", args=["nothing"])).status_code == 404


# The socket


def test_the_url_of_live_boards_is_validated() -> None:
    def parsed(query: str) -> consumer.Query:
        return consumer.parse_query({"query_string": query.encode()})

    assert parsed("") == consumer.Query()
    assert parsed("game=damas&from=/tournaments/7/&show=tv").board_filter == read.BoardFilter(
        "damas", "/tournaments/7/"
    )
    assert parsed("show=tv").tv
    assert parsed("of=followed").followed
    assert parsed("ids=a,b,a,../x").ids == ("a", "b")
    assert parsed("game=poker&from=//evil/&ids=").board_filter == read.BoardFilter()
