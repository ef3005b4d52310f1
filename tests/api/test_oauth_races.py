"""A token that renews, shown by two at the same moment. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from allauth.idp.oidc.models import Client as Program
from allauth.idp.oidc.models import Token
from django.test import Client
from django.utils import timezone as clock

from accounts.bots import digest_of
from accounts.models import Admission, User
from tests.races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_of_two_who_show_the_same_token_one_is_given_another_and_then_both_have_nothing(ana: User) -> None:
    board = Program.objects.create(
        id="board", name="Board", type=Program.Type.PUBLIC, scopes="read", grant_types="refresh_token"
    )
    body = {"grant_type": "refresh_token", "client_id": "board"}
    for n in range(8):
        Token.objects.create(
            user=ana,
            client=board,
            type=Token.Type.REFRESH_TOKEN,
            hash=digest_of(f"token {n}"),
            scopes="read",
            expires_at=clock.now() + timedelta(days=1),
        )

        def renew(shown: str = f"token {n}") -> str:
            told = Client().post("/identity/o/api/token", {**body, "refresh_token": shown}).json()
            return "given" if "access_token" in told else str(told["error"])

        assert sorted(at_once(renew, renew)) == ["given", "invalid_grant"]
        assert not Token.objects.exists()
        assert not Admission.objects.exists()


def test_a_used_one_that_is_shown_while_its_successor_renews_leaves_nothing_either(ana: User) -> None:
    board = Program.objects.create(
        id="board", name="Board", type=Program.Type.PUBLIC, scopes="read", grant_types="refresh_token"
    )
    for n in range(8):
        later = clock.now() + timedelta(days=1)
        facts = {"user": ana, "client": board, "type": Token.Type.REFRESH_TOKEN, "scopes": "read", "expires_at": later}
        Token.objects.create(hash=digest_of(f"first {n}"), **facts)

        def renew(shown: str) -> str:
            body = {"grant_type": "refresh_token", "client_id": "board", "refresh_token": shown}
            return str(Client().post("/identity/o/api/token", body).json().get("refresh_token", ""))

        second = renew(f"first {n}")
        _, again = at_once(partial(renew, second), partial(renew, f"first {n}"))
        assert again == ""
        assert not Token.objects.exists()
        assert not Admission.objects.exists()
