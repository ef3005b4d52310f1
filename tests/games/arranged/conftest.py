"""A match arranged for ana and bea, and its notifications."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.models import User
from games import bots, notify, services
from games.models import Match
from games.signals import match_finished

TITLE, FROM = "Thursday knock-out · Round 2", "/tournaments/7/"
Committed = Callable[..., Any]
SentMessages = list[tuple[int, dict[str, Any]]]


@pytest.fixture
def arranged(ana: User, bea: User) -> Callable[..., Match]:
    """An arranged match of ana (White) and bea, where neither has arrived yet."""

    def make(**terms: Any) -> Match:
        wanted = {"white": ana, "black": bea, "variant": "backgammon", "length": 5, "clock": "club"}
        return services.match_arrange(**{**wanted, "title": TITLE, "from_url": FROM, **terms})

    return make


@pytest.fixture
def started(arranged: Callable[..., Match], ana: User, bea: User) -> Match:
    """The match once both players have arrived."""
    match = arranged()
    services.match_arrive(match_id=match.pk, user=ana)
    return services.match_arrive(match_id=match.pk, user=bea)


@pytest.fixture
def sent_messages(monkeypatch: pytest.MonkeyPatch) -> SentMessages:
    """Every message to a user: (user id, message)."""
    sent: SentMessages = []
    monkeypatch.setattr(notify, "notify_user", lambda user_id, message: sent.append((user_id, message)))
    return sent


@pytest.fixture
def ended() -> Iterator[list[str]]:
    """The matches that were announced as finished."""
    received: list[str] = []

    def receive(match_id: str, **_more: object) -> None:
        received.append(match_id)

    match_finished.connect(receive)
    yield received
    match_finished.disconnect(receive)


@pytest.fixture
def robots(person: Callable[..., User], monkeypatch: pytest.MonkeyPatch) -> list[User]:
    """Two bots whose engine plays anything."""
    monkeypatch.setattr(bots, "why_unavailable", lambda variant, options: None)
    return [person(name, is_bot=True) for name in ("tin", "zinc")]
