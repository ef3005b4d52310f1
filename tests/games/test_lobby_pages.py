"""What the lobby says about open games and live matches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.relationships import services as relationships
from accounts.relationships.selectors import FOLLOW
from accounts.users import services as user_services
from games import services
from games.models import Match, Rating, RatingPool
from games.ratings import Standing, stakes
from games.selectors.lobby import lobby

pytestmark = pytest.mark.django_db


def lobby_of(user: User) -> str:
    client = Client()
    client.force_login(user, backend=user_services.BACKEND)
    return client.get(reverse("lobby")).content.decode()


def test_a_player_whose_game_is_open_is_not_told_that_there_is_none(ana: User, carlos: User) -> None:
    assert "No open games right now." in lobby_of(ana)
    services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=False)
    page = lobby_of(ana)
    assert "No other open games right now." in page
    assert "No open games right now." not in page
    assert "No other open games right now." not in lobby_of(carlos)


def test_other_live_matches_are_named_only_beside_an_own_one(
    open_table: Callable[..., Match], ana: User, carlos: User
) -> None:
    assert "No live matches right now." in lobby_of(ana)
    open_table()
    assert "No other live matches right now." in lobby_of(ana)
    assert "No other live matches right now." not in lobby_of(carlos)


def test_a_rated_open_game_shows_the_rating_and_what_is_at_stake(ana: User, bea: User) -> None:
    pool = RatingPool.objects.create(variant="backgammon", pace="live")
    moment = timezone.now()
    facts = {"peak": 1612.7, "peak_at": moment, "last_at": moment}
    Rating.objects.create(pool=pool, user=ana, rating=1612.7, experience=240, **facts)
    services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=True)
    page = lobby_of(bea)
    assert '<span class="rating-beside number">1613</span>' in page
    gain, loss = stakes(Standing(), Standing(1612.7, 240), weight=5, system="fibs", at=datetime(2026, 5, 1, tzinfo=UTC))
    assert f"win +{gain:.1f}, lose −{loss:.1f}" in page


def test_a_provisional_rating_is_marked_and_a_guest_sees_no_stakes(ana: User) -> None:
    services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=True)
    guest = user_services.guest_create()
    assert '<span class="rating-beside number">1500<abbr title="provisional">?</abbr></span>' in lobby_of(guest)
    assert 'class="stakes"' not in lobby_of(guest)


def test_a_guest_reads_first_what_guests_may_join(ana: User, bea: User) -> None:
    unrated = services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=False)
    rated = services.match_create(creator=bea, variant="backgammon", length=5, clock="club", rated=True)
    assert [row.match for row in lobby(None).seeks] == [unrated, rated]
    assert [row.match for row in lobby(User.objects.create(username="carlos")).seeks] == [rated, unrated]


def test_what_waits_for_a_player_stands_above_and_only_once(open_table: Callable[..., Match], ana: User) -> None:
    match = open_table()
    page = lobby_of(ana)
    assert page.count(f'id="go-{match.pk}"') == 1
    assert page.index(f'id="go-{match.pk}"') < page.index('id="seeks"')


def test_a_visitor_sees_the_position_of_a_live_match(open_table: Callable[..., Match], client: Client) -> None:
    assert "hero-live" not in client.get("/").content.decode()
    match = open_table()
    page = client.get("/").content.decode()
    assert "hero-live" in page
    assert f'href="{reverse("match", args=[match.pk])}">Watch live' in page
    assert 'id="featured" hx-swap-oob' in client.get(reverse("lobby-lists")).content.decode()


def test_the_lobby_takes_the_same_queries_for_one_open_game_and_for_three(
    ana: User, bea: User, django_assert_num_queries: Any
) -> None:
    def post() -> None:
        services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=True)

    client = Client()
    client.force_login(bea, backend=user_services.BACKEND)
    post()
    client.get(reverse("lobby-lists"))
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("lobby-lists"))
    post()
    post()
    with django_assert_num_queries(len(queries)):
        client.get(reverse("lobby-lists"))


def test_the_lobby_of_a_member_takes_at_most_twelve_queries(
    open_table: Callable[..., Match], ana: User, carlos: User, django_assert_max_num_queries: Any
) -> None:
    open_table()
    relationships.relationship_create(by=carlos, about=ana, kind=FOLLOW)
    client = Client()
    client.force_login(carlos, backend=user_services.BACKEND)
    assert 'id="friends"' in client.get(reverse("lobby")).content.decode()
    with django_assert_max_num_queries(12):
        client.get(reverse("lobby"))


COUNTED = {
    "accounts_user": {"accounts_user_owner_id_2853a240": "2001 2001", "sqlite_autoindex_accounts_user_1": "2001 1"},
    "games_match": {
        "match_from": "100000 333 333 1 1 1",
        "match_creator_ended": "100000 50 1 1 1",
        "match_longest": "100000 100000 12500 1 1 1 1 1 1",
        "match_finished": "100000 100000 1 1 1 1 1 1 1",
        "match_status_created": "100000 100000 1",
        "sqlite_autoindex_games_match_1": "100000 1",
    },
}
"""What SQLite counted at a large site while no match was open: as if their status told nothing."""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the planner of SQLite")
def test_open_games_are_found_without_reading_all_matches(ana: User) -> None:
    counted = [(table, index, rows) for table, indexes in COUNTED.items() for index, rows in indexes.items()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
        assert {index for _, index, _ in counted} <= {name for (name,) in cursor.fetchall()}
        cursor.execute("ANALYZE")
        cursor.execute("DELETE FROM sqlite_stat1")
        cursor.executemany("INSERT INTO sqlite_stat1 VALUES (%s, %s, %s)", counted)
        cursor.execute("ANALYZE sqlite_schema")
        for viewer in (ana, None):
            with CaptureQueriesContext(connection) as queries:
                assert lobby(viewer).seeks == []
            # The open games, and of a member the own matches that go on.
            statements = [each["sql"] for each in queries if "'open'" in each["sql"]]
            assert len(statements) == (1 if viewer is None else 2)
            plans = []
            for sql in statements:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
                plans.append([step for *_, step in cursor.fetchall()])
            assert [step for plan in plans for step in plan if step.startswith("SCAN")] == []
            assert [step for step in plans[0] if "games_match" in step and "(status=?" not in step] == []
