"""Subscribers, and a local server that receives webhook deliveries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.models import User
from eventlog import services
from eventlog.models import Webhook
from eventlog.selectors.events import events_after
from tests.games.conftest import act, next_rolls, open_table
from tests.ladders.conftest import club, make
from tests.services import webhook_receiver
from tests.services.webhook_receiver import WebhookReceiver
from tests.tournaments.conftest import tournament

__all__ = ["act", "club", "make", "next_rolls", "open_table", "tournament"]

EventData = dict[str, Any]


@pytest.fixture
def receiver(settings: Any) -> Iterator[WebhookReceiver]:
    """A server that accepts every delivery."""
    settings.HOOKS_LOOPBACK = True
    with webhook_receiver.running() as running:
        yield running


@pytest.fixture
def hook(receiver: WebhookReceiver) -> Callable[..., Webhook]:
    """Return a function that creates a webhook to the receiver: `hook(ana, kinds=["notice"])`."""

    def make(user: User, **more: Any) -> Webhook:
        made = services.webhook_add(user=user, url=receiver.url, **more)
        receiver.secrets.add(made.secret)
        return made

    return make


class Listener:
    """A user subscribed from now on; `news()` returns the events not read yet."""

    def __init__(self, user: User, subjects: tuple[str, ...] = ()) -> None:
        self.user = user
        self.topics = services.topics_of(user, subjects=subjects)
        self.after = 0
        services.subscribe(user=user, topics=self.topics)
        self.news()

    def news(self) -> list[EventData]:
        services.events_record()
        events, self.after = events_after(self.user, self.topics, after=self.after)
        return events

    def kinds(self) -> list[str]:
        """The kinds of new events, without notifications: these have their own tests."""
        return [event["kind"] for event in self.news() if event["kind"] != "notice"]


@pytest.fixture
def subscribe(db: None) -> Callable[..., Listener]:
    """Return a function that subscribes a user: `subscribe(ana, "match:k3Yp")`."""
    return lambda user, *subjects: Listener(user, subjects)
