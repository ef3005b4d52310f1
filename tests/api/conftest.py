"""API clients: browser sessions, and apps with tokens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from accounts.programs import services as programs
from accounts.programs.scopes import ALL_SCOPES
from accounts.users import services as users


@pytest.fixture
def browser_of() -> Callable[[User | None], Client]:
    """A function that returns a client signed in as a user, or an anonymous one."""

    def make(user: User | None = None) -> Client:
        client = Client(headers={"Accept-Language": "en"})
        if user is not None:
            client.force_login(user, backend=users.BACKEND)
        return client

    return make


@pytest.fixture
def program_of() -> Callable[..., Client]:
    """A function that returns a client with a token of a user and these scopes (default: all)."""

    def make(user: User, *scopes: str) -> Client:
        _token, text = programs.token_create(user=user, name="my program", scopes=scopes or ALL_SCOPES)
        return Client(headers={"Authorization": f"Bearer {text}", "Accept-Language": "en"})

    return make
