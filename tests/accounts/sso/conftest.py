"""A provider with an account of eva, and the site that lets people sign in with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from accounts.models import User
from accounts.users import services as users
from tests.accounts.sso.browser import PERSON, Browser
from tests.services import oidc_provider
from tests.services.oidc_provider import CLIENT_SECRET, OIDCProvider
from tests.services.sso_site import single_sign_on


@pytest.fixture
def browser_of() -> Browser:
    """A function that returns a client signed in as a user."""

    def make(user: User) -> Client:
        client = Client()
        client.force_login(user, backend=users.BACKEND)
        return client

    return make


@pytest.fixture
def provider() -> Iterator[OIDCProvider]:
    """The provider at which eva has an account, and the site that lets people sign in with it."""
    with oidc_provider.running(**PERSON) as running, single_sign_on(running.url, secret=CLIENT_SECRET):
        yield running


@pytest.fixture
def trusted(provider: OIDCProvider) -> Iterator[OIDCProvider]:
    """The same provider, whose verified addresses link accounts."""
    with single_sign_on(provider.url, secret=CLIENT_SECRET, link_by_email=True):
        yield provider
