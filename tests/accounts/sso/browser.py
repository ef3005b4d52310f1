"""What a person does with single sign-on: leave for the provider, come back, sign up."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.auth.linked_accounts import account_link
from accounts.models import User
from tests.conftest import PASSWORD
from tests.services import oidc_provider

Browser = Callable[..., Client]
PERSON = {"sub": "248289761001", "preferred_username": "eva", "email": "eva@norte.example", "email_verified": True}


def leave(client: Client, route: str = "sso-sign-in", **form: str) -> str:
    """Press the button, and return where the browser goes."""
    page = client.post(reverse(route), form)
    assert page.status_code == 200, page.headers
    found = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', page.content.decode())
    assert found is not None
    return unescape(found[1])


def come_back(client: Client, route: str = "sso-sign-in", **form: str) -> Any:
    """Go to the provider and come back."""
    return client.get(oidc_provider.back_from(leave(client, route, **form)))


def sign_up(client: Client, username: str = "eva", email: str = "eva@norte.example") -> Any:
    assert come_back(client).headers["Location"] == reverse("sso-sign-up")
    return client.post(reverse("sso-sign-up"), {"username": username, "email": email})


def code_of(page: Any) -> str:
    """The code of the page that says why a sign-in failed."""
    return re.findall(r'data-code="(\w+)"', page.content.decode())[0]


def link(user: User, label: str = "eva") -> None:
    account_link(user=user, subject=PERSON["sub"], label=label)


def confirm(client: Client) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
