"""The site's staff: dora is staff, carla a superuser; both have two-factor authentication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from accounts.users.services import BACKEND

REASON = "asked for it at the club"


def with_mfa(user: User) -> User:
    """Add two-factor authentication, which staff must have."""
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    return user


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


@pytest.fixture(autouse=True)
def staff_mfa(settings: Any) -> None:
    """Require two-factor authentication of staff, as on a public site."""
    settings.STAFF_SECOND_STEP = True


@pytest.fixture
def dora(person: Callable[..., User]) -> User:
    return with_mfa(person("dora", is_staff=True))


@pytest.fixture
def carla(person: Callable[..., User]) -> User:
    return with_mfa(person("carla", is_staff=True, is_superuser=True))
