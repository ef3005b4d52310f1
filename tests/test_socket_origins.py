"""The Origin of sockets: the site's own scheme, host and port, or a trusted one."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any

import pytest
from channels.routing import URLRouter
from django.conf import LazySettings
from django.core.handlers.asgi import ASGIRequest
from django.urls import re_path

from backgammon.socket_origins import SameOriginMiddleware
from tests.access.sockets import application_of_site, paths
from tests.patient_sockets import PatientSocket

Answer = Callable[..., bool]


async def accept(scope: Any, receive: Any, send: Any) -> None:
    """A socket that lets everybody in."""
    await receive()
    await send({"type": "websocket.accept"})
    await receive()


def opens(application: Any, path: str = "/ws/lobby/", **headers: str) -> bool:
    """Whether a handshake with these headers is accepted. `_` is written as `-`."""

    async def scene() -> bool:
        sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        socket = PatientSocket(application, path, headers=sent)
        connected, _ = await socket.connect()
        await socket.disconnect()
        return bool(connected)

    return asyncio.run(scene())


@pytest.fixture
def page_opens(settings: LazySettings) -> Answer:
    settings.ALLOWED_HOSTS = ["club.example", "127.0.0.1"]

    def answer(**headers: str) -> bool:
        return opens(SameOriginMiddleware(accept, required=True), **headers)

    return answer


@pytest.mark.parametrize(
    ("host", "origin", "opened"),
    [
        ("club.example", "http://club.example", True),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("127.0.0.1:8000", "http://127.0.0.1:9000", False),
        ("127.0.0.1:8000", "http://127.0.0.1", False),
        ("127.0.0.1:8000", "https://127.0.0.1:8000", False),
        ("club.example", "https://club.example", False),
        ("club.example", "http://127.0.0.1", False),
        ("club.example", "http://www.club.example", False),
        ("club.example", "http://evil.example", False),
        ("evil.example", "http://evil.example", False),
        ("club.example", "null", False),
        ("club.example", "http://[", False),
    ],
)
def test_a_page_has_the_scheme_host_and_port_of_its_socket(
    page_opens: Answer, host: str, origin: str, opened: bool
) -> None:
    assert page_opens(host=host, origin=origin) is opened


def test_a_page_without_an_origin_gets_no_socket(page_opens: Answer) -> None:
    assert not page_opens(host="club.example")


def test_trusted_origins_hold_for_sockets_as_for_forms(page_opens: Answer, settings: LazySettings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://club.example", "https://*.league.example:8443"]
    trusted = ["https://club.example", "https://spring.league.example:8443", "http://club.example"]
    others = ["https://club.example:8443", "http://spring.league.example:8443", "https://spring.league.example"]
    assert [page_opens(host="club.example", origin=origin) for origin in [*trusted, *others]] == [True] * 3 + [
        False
    ] * 3


def test_behind_a_trusted_proxy_the_scheme_is_the_one_that_the_proxy_names(
    page_opens: Answer, settings: LazySettings
) -> None:
    def answers(origin: str) -> bool:
        return page_opens(host="club.example", origin=origin, x_forwarded_proto="https")

    assert not answers("https://club.example")
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")  # as TRUST_PROXY sets it
    assert answers("https://club.example")
    assert not answers("http://club.example")


def test_a_program_sends_no_origin_and_a_page_of_another_port_cannot_pass_for_one(settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["club.example"]
    program = SameOriginMiddleware(URLRouter([re_path(r"", accept)]), required=False)
    assert opens(program, host="club.example")
    assert opens(program, host="club.example", origin="http://club.example")
    assert not opens(program, host="club.example", origin="http://club.example:9000")


def test_an_open_socket_does_not_keep_the_request_of_its_check(settings: LazySettings) -> None:
    async def count(scope: Any, receive: Any, send: Any) -> None:
        gc.collect()
        requests = [each for each in gc.get_objects() if type(each) is ASGIRequest]
        kept.append([each.path for each in requests if each.path == scope["path"]])
        await accept(scope, receive, send)

    settings.ALLOWED_HOSTS = ["club.example"]
    kept: list[list[str]] = []
    middleware = SameOriginMiddleware(count, required=True)
    assert opens(middleware, "/ws/only-here/", host="club.example", origin="http://club.example")
    assert kept == [[]]


def test_every_socket_of_the_site_refuses_another_port() -> None:
    site = application_of_site()
    patterns = [*paths(site), "ws/nowhere/"]
    assert "ws/match/<slug:match_id>/" in patterns
    for pattern in patterns:
        path = "/" + pattern.replace("<slug:match_id>", "k3xPq9Zt").replace("<slug:tournament_id>", "k3xPq9Zt")
        assert not opens(site, path, host="testserver", origin="http://testserver:9000"), path
