"""The log lines of sign-ins, refusals and changed credentials."""

from __future__ import annotations

import logging

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from accounts.auth.mfa import MFAAdapter
from accounts.models import User
from accounts.users.services import BACKEND
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def try_to_sign_in(client: Client, name: str, password: str) -> None:
    client.post(reverse("account_login"), {"login": name, "password": password})


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == "accounts.auth.receivers"]


@pytest.fixture(autouse=True)
def _all(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="accounts.auth.receivers")


def test_successful_and_failed_sign_ins_are_logged(client: Client, ana: User, caplog: pytest.LogCaptureFixture) -> None:
    try_to_sign_in(client, "ana", "not her word")
    try_to_sign_in(client, "nobody", "no word")
    try_to_sign_in(client, "ana", PASSWORD)
    refused = "a sign-in was refused: name or password"
    assert logged(caplog) == [refused, refused, f"user {ana.pk} has signed in by password"]


def test_a_refused_form_is_logged(client: Client, ana: User, bea: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="accounts.web.message_storage")
    client.force_login(ana, backend=BACKEND)
    for name in ("ana", "bea"):
        client.post(reverse("tie-follow", args=[name]))
    refused = [each.getMessage() for each in caplog.records if each.name == "accounts.web.message_storage"]
    assert refused == [f"a form of user {ana.pk} was refused: tie-follow"]  # users cannot follow themselves


def test_a_wrong_mfa_code_is_logged(client: Client, ana: User, caplog: pytest.LogCaptureFixture) -> None:
    secret = MFAAdapter().encrypt("A" * 32)
    Authenticator.objects.create(user=ana, type="totp", data={"secret": secret})
    try_to_sign_in(client, "ana", PASSWORD)
    client.post(reverse("mfa_authenticate"), {"code": "000000x"})
    assert logged(caplog) == [f"a sign-in of user {ana.pk} was refused: second factor"]
