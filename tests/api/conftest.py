"""Clients of the API: a browser's log-in, and programs with tokens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts import programs, services
from accounts.models import User
from accounts.scopes import ALL


@pytest.fixture
def browser_of() -> Callable[[User | None], Client]:
    """A function that gives the client of somebody who is logged in, or of nobody."""

    def make(user: User | None = None) -> Client:
        client = Client(headers={"Accept-Language": "en"})
        if user is not None:
            client.force_login(user, backend=services.BACKEND)
        return client

    return make


@pytest.fixture
def program_of() -> Callable[..., Client]:
    """A function that gives the client of a program of somebody, with a token of these scopes (all of them)."""

    def make(user: User, *scopes: str) -> Client:
        _token, text = programs.token_make(user=user, name="my program", scopes=scopes or ALL)
        return Client(headers={"Authorization": f"Bearer {text}", "Accept-Language": "en"})

    return make
