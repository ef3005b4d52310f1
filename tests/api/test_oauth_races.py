"""Concurrent use of one refresh token. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from allauth.idp.oidc.models import Client as Program
from allauth.idp.oidc.models import Token
from django.test import Client
from django.utils import timezone as clock

from accounts.models import OAuthGrant, User
from accounts.programs.tokens import token_digest
from tests.concurrency import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_of_two_concurrent_refreshes_one_succeeds_and_then_the_grant_is_revoked(ana: User) -> None:
    board = Program.objects.create(
        id="board", name="Board", type=Program.Type.PUBLIC, scopes="read", grant_types="refresh_token"
    )
    body = {"grant_type": "refresh_token", "client_id": "board"}
    for n in range(8):
        Token.objects.create(
            user=ana,
            client=board,
            type=Token.Type.REFRESH_TOKEN,
            hash=token_digest(f"token {n}"),
            scopes="read",
            expires_at=clock.now() + timedelta(days=1),
        )

        def renew(shown: str = f"token {n}") -> str:
            result = Client().post("/identity/o/api/token", {**body, "refresh_token": shown}).json()
            return "given" if "access_token" in result else str(result["error"])

        assert sorted(at_once(renew, renew)) == ["given", "invalid_grant"]
        assert not Token.objects.exists()
        assert not OAuthGrant.objects.exists()


def test_reusing_a_token_during_a_refresh_of_its_successor_revokes_the_grant_too(ana: User) -> None:
    board = Program.objects.create(
        id="board", name="Board", type=Program.Type.PUBLIC, scopes="read", grant_types="refresh_token"
    )
    for n in range(8):
        later = clock.now() + timedelta(days=1)
        facts = {"user": ana, "client": board, "type": Token.Type.REFRESH_TOKEN, "scopes": "read", "expires_at": later}
        Token.objects.create(hash=token_digest(f"first {n}"), **facts)

        def renew(shown: str) -> str:
            body = {"grant_type": "refresh_token", "client_id": "board", "refresh_token": shown}
            return str(Client().post("/identity/o/api/token", body).json().get("refresh_token", ""))

        second = renew(f"first {n}")
        _, reused = at_once(partial(renew, second), partial(renew, f"first {n}"))
        assert reused == ""
        assert not Token.objects.exists()
        assert not OAuthGrant.objects.exists()
