"""Who listens, and a program of his on this machine that takes what webhooks bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.models import User
from hooks import services
from hooks.models import Hook
from hooks.selectors.events import events_after
from tests.games.conftest import act, open_table, thrown
from tests.games.ladders.conftest import club, make
from tests.services import webhook_taker
from tests.services.webhook_taker import Taker
from tests.tournaments.conftest import tournament

__all__ = ["act", "club", "make", "open_table", "thrown", "tournament"]

Told = dict[str, Any]


@pytest.fixture
def taker(settings: Any) -> Iterator[Taker]:
    """A program that takes what is sent to it."""
    settings.HOOKS_LOOPBACK = True
    with webhook_taker.running() as running:
        yield running


@pytest.fixture
def hook(taker: Taker) -> Callable[..., Hook]:
    """A function that makes a webhook which leads to the taker: `hook(ana, kinds=["notice"])`."""

    def make(user: User, **more: Any) -> Hook:
        made = services.hook_add(user=user, url=taker.url, **more)
        taker.secrets.add(made.secret)
        return made

    return make


class Listener:
    """Somebody who listens from now on; `news()` is what he has not heard yet."""

    def __init__(self, user: User, subjects: tuple[str, ...] = ()) -> None:
        self.user = user
        self.topics = services.topics_of(user, subjects=subjects)
        self.after = 0
        services.listen(user=user, topics=self.topics)
        self.news()

    def news(self) -> list[Told]:
        services.events_take()
        told, self.after = events_after(self.user, self.topics, after=self.after)
        return told

    def kinds(self) -> list[str]:
        """The kinds of what is new, notices left out: their own tests look for them."""
        return [one["kind"] for one in self.news() if one["kind"] != "notice"]


@pytest.fixture
def listen(db: None) -> Callable[..., Listener]:
    """A function that lets somebody listen: `listen(ana, "match:k3Yp")`."""
    return lambda user, *subjects: Listener(user, subjects)
