"""A table with ana and bea, and what a test says there. carlos watches, dora looks after the default club."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Club, Membership, User
from games import services as play
from games.models import Match
from talk import services
from talk.models import Message
from talk.selectors.rooms import talk_of
from tests.games.hands_of_time import Time


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The clock that counts, moved by the test alone."""
    clock = Time(monkeypatch)
    for module in ("hearing", "services.saying", "services.reports", "services.moderation", "services.wishes"):
        monkeypatch.setattr(f"talk.{module}.now", lambda: clock.moment)
    return clock


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    """A live match of ana against bea."""
    seek = play.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=False)
    return play.match_join(match_id=seek.pk, user=bea)


@pytest.fixture
def owner(dora: User) -> User:
    """dora, who owns the default club and so moderates."""
    Membership.objects.create(club=Club.objects.get(is_default=True), user=dora, role=Membership.Role.OWNER)
    return dora


@pytest.fixture
def say(match: Match) -> Callable[..., Message]:
    """Say something at the table under an id of its own: `say(ana, "Hi")`, `say(ana, phrase="luck")`."""
    count = itertools.count(1)

    def do(user: User, text: str = "", **more: Any) -> Message:
        client_id = more.pop("client_id", f"test-{next(count)}")
        return services.message_say(match_id=match.pk, user_id=user.pk, client_id=client_id, text=text, **more)

    return do


@pytest.fixture
def reads(match: Match) -> Callable[[User | None], list[str]]:
    """The words that somebody reads at the table now."""

    def do(user: User | None) -> list[str]:
        frame = talk_of(match_id=match.pk, user_id=user.pk if user else None).frame()
        return [line["text"] for line in frame["messages"]]

    return do


@pytest.fixture
def finish(match: Match, bea: User) -> Callable[[], None]:
    """bea resigns the match."""

    def do() -> None:
        play.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="the-end")

    return do
