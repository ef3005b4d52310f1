"""Seeds by rating, by hand and by lot, from one page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.database import now
from games.models import Rating, RatingPool
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, of, refused
from tests.tournaments.conftest import fresh
from tests.tournaments.desk_browser import do, messages
from tournaments import services
from tournaments.api.seeding import SeedingSerializer
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def rate(user: User, rating: float, pace: str = "live") -> None:
    pool, _made = RatingPool.objects.get_or_create(variant="backgammon", pace=pace)
    Rating.objects.create(user=user, pool=pool, rating=rating, peak=rating, peak_at=now(), last_at=now())


@pytest.fixture
def rated(tournament: Make, ana: User, bea: User, carlos: User) -> Tournament:
    """A walk-in, then ana (1500), bea (1640), carlos (1500), and another walk-in."""
    made = tournament(walk_ins=1)
    for user, rating in ((ana, 1500), (bea, 1640), (carlos, 1500)):
        rate(user, rating)
        services.entrant_register(tournament_id=made.pk, user=user)
    services.entrant_add(tournament_id=made.pk, user=made.created_by, name="W5")
    return made


def post(user: User, path: str, body: dict[str, Any]) -> Any:
    return of(user).post(f"/api/v1/{path}", body, content_type="application/json")


def seeds(made: Tournament) -> list[int | None]:
    return list(made.entrants.order_by("number").values_list("seed_rank", flat=True))


def test_seeds_go_to_the_highest_ratings_and_equal_ones_to_the_earlier_entry(rated: Tournament, dora: User) -> None:
    services.seeding_set(tournament_id=rated.pk, user=dora, method="rating")
    assert seeds(rated) == [None, 2, 1, 3, None]
    services.seeding_set(tournament_id=rated.pk, user=dora, method="rating", most=2)
    assert seeds(rated) == [None, 2, 1, None, None]
    services.entrant_withdraw(tournament_id=rated.pk, user=dora, number=3)
    services.seeding_set(tournament_id=rated.pk, user=dora, method="rating", most=2)
    assert seeds(rated) == [None, 1, None, 2, None]


def test_a_rating_at_another_pace_does_not_seed(tournament: Make, ana: User, dora: User) -> None:
    made = tournament()
    rate(ana, 1900, pace="correspondence")
    services.entrant_register(tournament_id=made.pk, user=ana)
    services.seeding_set(tournament_id=made.pk, user=dora, method="rating")
    assert seeds(made) == [None]


def test_without_seeds_everybody_is_placed_by_lot(rated: Tournament, dora: User) -> None:
    services.seeding_set(tournament_id=rated.pk, user=dora, method="hand", ranks={1: 1, 5: 2})
    assert (seeds(rated), fresh(rated).rules.seeding) == ([1, None, None, None, 2], "hand")
    services.seeding_set(tournament_id=rated.pk, user=dora, method="lot")
    assert (seeds(rated), fresh(rated).rules.seeding) == ([None] * 5, "drawn")


def test_players_without_a_seed_are_placed_as_chosen(rated: Tournament, dora: User) -> None:
    services.seeding_set(tournament_id=rated.pk, user=dora, method="rating", most=1, rest="hand")
    services.tournament_draw(tournament_id=rated.pk, user=dora)
    assert fresh(rated).order == (3, 1, 2, 4, 5)


def test_the_page_shows_ratings_and_seeds_by_rating_and_by_hand(rated: Tournament, desk: Client) -> None:
    url = reverse("desk-seeds", args=[rated.pk])
    page = desk.get(url)
    assert [(player.name, player.rating) for player in page.context["seeding"].players] == [
        ("W1", None),
        ("ana", 1500),
        ("bea", 1640),
        ("carlos", 1500),
        ("W5", None),
    ]
    assert "3 of 5 players have a rating in Backgammon." in page.content.decode()
    assert messages(do(desk, "desk-seeds", rated, method="rating", most="1", rest="drawn")) == ["Seeds saved."]
    assert (seeds(rated), fresh(rated).rules.seeding) == ([None, None, 1, None, None], "drawn")
    assert messages(do(desk, "desk-seeds", rated, method="hand", seed_1="2", seed_2="2")) == [
        "Use each seed number once, for a player in this tournament."
    ]
    services.tournament_draw(tournament_id=rated.pk, user=rated.created_by)
    assert messages(desk.get(url))[-1] == "The draw has already been made."


def test_the_api_seeds_by_rating(rated: Tournament, ana: User, dora: User) -> None:
    path = f"tournaments/{rated.pk}/desk/seeding/"
    assert post(dora, path, {"method": "rating", "most": 2}).status_code == 200
    found = get_json(dora, path)
    assert undeclared(SeedingSerializer, found) == []
    assert [(player["name"], player["rank"]) for player in found["players"]][:3] == [
        ("bea", 1),
        ("ana", 2),
        ("W1", None),
    ]
    assert refused(ana, path) == (403, "not_director")
    twice = {"method": "hand", "seeds": [{"number": 1, "rank": 1}, {"number": 2, "rank": 1}]}
    assert post(dora, path, twice).json()["code"] == "ranks"
