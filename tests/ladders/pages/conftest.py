"""Visitors, dora's club, and ladders of hers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import Club, Membership, User
from accounts.users import services as people
from ladders import services
from ladders.models import Ladder
from tests.ladders.pages.visits import As, Make


@pytest.fixture
def as_user() -> As:
    def enter(user: User | None) -> Client:
        client = Client(headers={"accept-language": "en"})
        if user is not None:
            client.force_login(user, backend=people.BACKEND)
        return client

    return enter


@pytest.fixture
def club(dora: User) -> Club:
    """The default club, which dora directs."""
    club = Club.objects.get(is_default=True)
    Membership.objects.update_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    return club


@pytest.fixture
def ladder(club: Club, dora: User) -> Make:
    """A function that sets up a ladder of dora's with these players on it, the first on top."""

    def make(*players: User, kind: str = "challenge", **config: Any) -> Ladder:
        terms: dict[str, Any] = {"variant": "backgammon", "length": 1, "clock": "none", "rated": False}
        name = f"Ladder {Ladder.objects.count() + 1}"
        made = services.ladder_create(by=dora, club=club, name=name, kind=kind, config=config, **terms)
        for player in players:
            services.ladder_join(ladder_id=made.pk, user=player)
        made.refresh_from_db()
        return made

    return make
