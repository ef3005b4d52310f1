"""Those who look after the site: dora is staff, carla a superuser; both with a second step at their log-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from accounts.services import BACKEND

WHY = "asked for it at the club"


def looks_after(user: User) -> User:
    """The same person with what staff must have."""
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    return user


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


@pytest.fixture(autouse=True)
def second_step(settings: Any) -> None:
    """Staff waits for a second step, as on a site that is open to the world."""
    settings.STAFF_SECOND_STEP = True


@pytest.fixture
def dora(person: Callable[..., User]) -> User:
    return looks_after(person("dora", is_staff=True))


@pytest.fixture
def carla(person: Callable[..., User]) -> User:
    return looks_after(person("carla", is_staff=True, is_superuser=True))
