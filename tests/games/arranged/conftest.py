"""A match set for ana and bea, and what is said of it."""

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
Told = list[tuple[int, dict[str, Any]]]


@pytest.fixture
def arranged(ana: User, bea: User) -> Callable[..., Match]:
    """A match set for ana (White) and bea, to whom nobody has come yet."""

    def make(**terms: Any) -> Match:
        wanted = {"white": ana, "black": bea, "variant": "backgammon", "length": 5, "clock": "club"}
        return services.match_arrange(**{**wanted, "title": TITLE, "from_url": FROM, **terms})

    return make


@pytest.fixture
def begun(arranged: Callable[..., Match], ana: User, bea: User) -> Match:
    """The match once both have come."""
    match = arranged()
    services.match_arrive(match_id=match.pk, user=ana)
    return services.match_arrive(match_id=match.pk, user=bea)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """Every word for one person: (his key, the word)."""
    words: Told = []
    monkeypatch.setattr(notify, "user_told", lambda user_id, message: words.append((user_id, message)))
    return words


@pytest.fixture
def ended() -> Iterator[list[str]]:
    """The matches that were announced as finished."""
    heard: list[str] = []

    def hear(match_id: str, **_more: object) -> None:
        heard.append(match_id)

    match_finished.connect(hear)
    yield heard
    match_finished.disconnect(hear)


@pytest.fixture
def robots(person: Callable[..., User], monkeypatch: pytest.MonkeyPatch) -> list[User]:
    """Two bots whose engine plays anything."""
    monkeypatch.setattr(bots, "why_not", lambda variant, options: None)
    return [person(name, is_bot=True) for name in ("tin", "zinc")]
