"""What the log says of the doors: who came in by what, and what was refused; nothing that was typed."""

from __future__ import annotations

import logging

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.second import SecondStepAdapter
from accounts.services import BACKEND
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def knock(client: Client, name: str, password: str) -> None:
    client.post(reverse("account_login"), {"login": name, "password": password})


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == "accounts.receivers"]


@pytest.fixture(autouse=True)
def _all(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="accounts.receivers")


def test_who_comes_in_and_who_is_refused(client: Client, ana: User, caplog: pytest.LogCaptureFixture) -> None:
    knock(client, "ana", "not her word")
    knock(client, "nobody", "no word")
    knock(client, "ana", PASSWORD)
    refused = "a log-in was refused: name or password"
    assert said(caplog) == [refused, refused, f"user {ana.pk} has come in by password"]


def test_a_form_that_is_refused(client: Client, ana: User, bea: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="accounts.flashes")
    client.force_login(ana, backend=BACKEND)
    for name in ("ana", "bea"):
        client.post(reverse("tie-follow", args=[name]))
    refused = [each.getMessage() for each in caplog.records if each.name == "accounts.flashes"]
    assert refused == [f"a form of user {ana.pk} was refused: tie-follow"]  # nobody follows himself


def test_a_wrong_second_step(client: Client, ana: User, caplog: pytest.LogCaptureFixture) -> None:
    secret = SecondStepAdapter().encrypt("A" * 32)
    Authenticator.objects.create(user=ana, type="totp", data={"secret": secret})
    knock(client, "ana", PASSWORD)
    client.post(reverse("mfa_authenticate"), {"code": "000000x"})
    assert said(caplog) == [f"a log-in of user {ana.pk} was refused: second step"]
