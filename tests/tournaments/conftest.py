"""Fixtures of tournaments: dora directs them, the others enter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.users import services as people
from tournaments import services
from tournaments.models import Tournament
from tournaments.services.transaction import load_state
from tournaments.state import State
from tournaments.terms import Terms


def terms(format_: str = "knockout", *, config: dict[str, Any] | None = None, **chosen: Any) -> Terms:
    """Unrated matches to 3 without a clock, unless the test says otherwise."""
    settings = {"clock": "none", "rated": False, "lengths": [3], "seeding": "hand", **chosen}
    return Terms.read({"config": {"format": format_, **(config or {})}, **settings})


def fresh(tournament: Tournament) -> State:
    """The state of a tournament now, from its events."""
    return load_state(tournament)


def ready(tournament: Tournament) -> list[str]:
    """The keys of the pairings that can be played, in the order of the page."""
    return [pairing.key for pairing in fresh(tournament).pairings if pairing.state == "ready"]


@pytest.fixture
def tournament(dora: User) -> Callable[..., Tournament]:
    """A function that creates a tournament of dora's with some walk-ins in it: `tournament(walk_ins=4)`."""

    def make(*, walk_ins: int = 0, start: bool = False, format_: str = "knockout", **chosen: Any) -> Tournament:
        facts = {name: chosen.pop(name) for name in ("capacity", "starts_at", "starts_itself") if name in chosen}
        made = services.tournament_create(
            creator=dora, name="Torneo semanal del club", terms=terms(format_, **chosen), **facts
        )
        for number in range(1, walk_ins + 1):
            services.entrant_add(tournament_id=made.pk, user=dora, name=f"W{number}")
        if start:
            services.tournament_start(tournament_id=made.pk, user=dora)
        made.refresh_from_db()
        return made

    return make


@pytest.fixture
def in_english() -> Iterator[None]:
    """Texts that are made outside a request are English, whatever the request before."""
    with translation.override("en"):
        yield


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    def enter(user: User) -> Client:
        client = Client(headers={"accept-language": "en"})
        client.force_login(user, backend=people.BACKEND)
        return client

    return enter


@pytest.fixture
def desk(as_user: Callable[[User], Client], dora: User) -> Client:
    """dora's browser."""
    return as_user(dora)
