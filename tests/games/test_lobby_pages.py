"""What the lobby says about open games and live matches."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from games import services
from games.models import Match

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
