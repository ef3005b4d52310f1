"""The session and the user of a socket's cookie."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from daphne.ws_protocol import WebSocketProtocol
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.connections.transport import ClientBuffers
from games.connections.visitors import VisitorMiddleware

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", password="a long password of ana")


@pytest.fixture
def key(ana: User) -> str:
    """The key of a session in which ana is signed in."""
    client = Client()
    client.force_login(ana, backend=BACKEND)
    return str(client.cookies["sessionid"].value)


def scope_of(cookie: str, **more: Any) -> dict[str, Any] | None:
    """What an application receives as the scope of a socket with this cookie; None if it is not called."""
    received: list[dict[str, Any]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        received.append(scope)

    headers = [(b"cookie", cookie.encode())] if cookie else []
    scope = {"type": "websocket", "headers": headers, **more}
    async_to_sync(VisitorMiddleware(application))(scope, None, None)
    return received[0] if received else None


def user_of(key: str) -> Any:
    scope = scope_of(f"sessionid={key}")
    assert scope is not None
    return scope["user"]


def client_buffers(*, gone: bool) -> ClientBuffers:
    """Those of a client whose connection has ended, or not."""
    protocol = WebSocketProtocol()
    protocol.transport = SimpleNamespace(disconnected=gone)
    return ClientBuffers(protocol, {})


def test_a_socket_has_the_user_the_session_and_the_cookies_of_its_browser(ana: User, key: str) -> None:
    scope = scope_of(f"sessionid={key}; other=1")
    assert scope is not None
    assert (scope["user"], scope["session"].session_key) == (ana, key)
    assert scope["cookies"] == {"sessionid": key, "other": "1"}


def test_without_a_cookie_nothing_is_read() -> None:
    with CaptureQueriesContext(connection) as queries:
        scope = scope_of("")
    assert scope is not None
    assert isinstance(scope["user"], AnonymousUser)
    assert scope["session"].session_key is None
    assert len(queries) == 0


def test_two_queries_find_a_member(key: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        scope_of(f"sessionid={key}")
    assert len(queries) == 2


def test_the_key_of_no_session_is_an_anonymous_visitor() -> None:
    assert isinstance(user_of("nobodys"), AnonymousUser)


def test_a_new_password_and_a_closed_account_end_the_session(ana: User, key: str) -> None:
    ana.is_active = False
    ana.save()
    assert isinstance(user_of(key), AnonymousUser)
    ana.is_active = True
    ana.set_password("another long password")
    ana.save()
    assert isinstance(user_of(key), AnonymousUser)


def test_a_session_of_the_former_secret_key_stays_as_it_is(ana: User, key: str, settings: Any) -> None:
    """Django would give it a new key, of which the browser of a socket never hears."""
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key that was made for this test alone"
    assert user_of(key) == ana
    assert Session.objects.get().session_key == key


def test_nothing_is_read_for_a_client_that_has_gone(key: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert scope_of(f"sessionid={key}", client_buffers=client_buffers(gone=True)) is None
    assert len(queries) == 0
    assert scope_of(f"sessionid={key}", client_buffers=client_buffers(gone=False)) is not None
