"""Notifications with a clock that a test moves; mail goes into `mail.outbox`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from accounts.users import services as accounts
from games import services as games
from games.models import Match
from notifications.models import Notification

TIMED = ("notifications", "digest_mail", "preferences", "push_sweep")


class Hours:
    """The clock of notifications, stopped until the test moves it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.moment = datetime(2026, 3, 2, 20, 20, tzinfo=UTC)
        for module in TIMED:
            monkeypatch.setattr(f"notifications.services.{module}.now", lambda: self.moment)

    def __call__(self, **passes: float) -> datetime:
        self.moment += timedelta(**passes)
        return self.moment


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    """It is 20:20 in London on 2 March 2026."""
    return Hours(monkeypatch)


@pytest.fixture
def has_mail(settings: Any) -> None:
    """A site that sends mail, at https://club.example."""
    settings.HAS_MAIL = True
    settings.SITE_URL = "https://club.example"


def with_address(user: User, *, verified: bool = True) -> User:
    EmailAddress.objects.create(user=user, email=f"{user.username}@club.example", verified=verified, primary=True)
    return user


@pytest.fixture
def as_user() -> Callable[[User], Client]:
    """Return a function that gives a client signed in as a user."""

    def sign_in(user: User) -> Client:
        client = Client()
        client.force_login(user, backend=accounts.BACKEND)
        return client

    return sign_in


def challenge(ana: User, bea: User, *, clock: str = "club") -> Match:
    """ana challenges bea to backgammon, to 5."""
    return games.match_create(creator=ana, variant="backgammon", length=5, clock=clock, rated=False, invited=bea)


def unread(user: User) -> list[tuple[str, str]]:
    """The unread notifications of a user as (kind, URL), newest last."""
    found = Notification.objects.filter(user=user, read_at=None, shown=True).order_by("at", "pk")
    return list(found.values_list("kind", "url"))
