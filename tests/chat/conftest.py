"""A live match of ana and bea and its chat; carlos watches, dora owns the default club."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Club, Membership, User
from chat import services
from chat.models import Message
from chat.selectors.messages import chat_history
from games import services as play
from games.models import Match
from tests.games.clock_control import Time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The clock of the chat, moved only by the test."""
    clock = Time(monkeypatch)
    for module in (
        "visibility",
        "services.messages",
        "services.reports",
        "services.moderation",
        "services.preferences",
    ):
        monkeypatch.setattr(f"chat.{module}.now", lambda: clock.moment)
    return clock


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    """A live match of ana against bea."""
    seek = play.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=False)
    return play.match_join(match_id=seek.pk, user=bea)


@pytest.fixture
def owner(dora: User) -> User:
    """dora, who owns the default club and so is a moderator."""
    Membership.objects.create(club=Club.objects.get(is_default=True), user=dora, role=Membership.Role.OWNER)
    return dora


@pytest.fixture
def say(match: Match) -> Callable[..., Message]:
    """Return a function that posts a message under a new id: `say(ana, "Hi")`, `say(ana, phrase="luck")`."""
    count = itertools.count(1)

    def post(user: User, text: str = "", **more: Any) -> Message:
        client_id = more.pop("client_id", f"test-{next(count)}")
        return services.message_say(match_id=match.pk, user_id=user.pk, client_id=client_id, text=text, **more)

    return post


@pytest.fixture
def reads(match: Match) -> Callable[[User | None], list[str]]:
    """Return a function that lists the messages a user can read now."""

    def post(user: User | None) -> list[str]:
        frame = chat_history(match_id=match.pk, user_id=user.pk if user else None).frame()
        return [line["text"] for line in frame["messages"]]

    return post


@pytest.fixture
def finish(match: Match, bea: User) -> Callable[[], None]:
    """bea resigns the match."""

    def post() -> None:
        play.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="the-end")

    return post
