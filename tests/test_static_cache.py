"""Immutable files are served from memory as Django served them; special requests go to Django."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from backgammon.static_cache import StaticCache
from tests.patient_sockets import PatientCommunicator

PATH = "/static/js/site.0123456789ab.js"
FOR_EVER = [(b"Cache-Control", b"max-age=315360000, public, immutable"), (b"ETag", b'"1"')]


class Files:
    """Replaces Django: it responds with the number of times it was called."""

    def __init__(self, status: int = 200, headers: list[tuple[bytes, bytes]] = FOR_EVER) -> None:
        self.requests, self.status, self.headers = 0, status, headers

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.requests += 1
        headers = [*self.headers, (b"X-Request-ID", b"of-the-first")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"response ", "more_body": True})
        await send({"type": "http.response.body", "body": b"%d" % self.requests})


async def ask(
    static_cache: StaticCache, path: str = PATH, method: str = "GET", query: bytes = b"", **headers: str
) -> Any:
    """Return (status, headers, body) of one request."""
    raw_headers = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query,
        "scheme": "http",
        "headers": raw_headers,
    }
    caller = PatientCommunicator(static_cache, scope)
    start = await caller.receive_output()
    body, more = b"", True
    while more:
        part = await caller.receive_output()
        body, more = body + part["body"], part.get("more_body", False)
    return start["status"], {name.lower(): value for name, value in start["headers"]}, body


async def test_a_second_request_gets_the_same_response_with_its_own_request_id() -> None:
    files = Files()
    static_cache = StaticCache(files)
    status, headers, body = await ask(static_cache)
    second = await ask(static_cache)
    assert files.requests == 1
    assert second[0] == status == 200
    assert second[2] == body == b"response 1"
    request_ids = headers.pop(b"x-request-id"), second[1].pop(b"x-request-id")
    assert request_ids[0] == b"of-the-first"
    assert len(request_ids[1]) == 16
    assert second[1] == headers == {b"cache-control": FOR_EVER[0][1], b"etag": b'"1"'}


@override_settings(TRUST_PROXY=True)
async def test_the_request_id_of_a_trusted_proxy_is_used() -> None:
    static_cache = StaticCache(Files())
    await ask(static_cache)
    assert (await ask(static_cache, x_request_id="given-by-nginx"))[1][b"x-request-id"] == b"given-by-nginx"
    assert (await ask(static_cache, x_request_id="no good\n"))[1][b"x-request-id"] != b"no good\n"


@pytest.mark.parametrize(
    "special",
    [
        {"method": "HEAD"},
        {"method": "POST"},
        {"query": b"v=1"},
        {"path": "/rules/"},
        {"range": "bytes=0-9"},
        {"if_none_match": '"1"'},
        {"x_forwarded_proto": "https,http"},
        {"if_modified_since": "Wed, 21 Oct 2015 07:28:00 GMT"},
    ],
    ids=str,
)
async def test_special_requests_are_not_cached(special: dict[str, Any]) -> None:
    files = Files()
    static_cache = StaticCache(files)
    await ask(static_cache)
    await ask(static_cache, **special)
    assert (await ask(static_cache, **special))[2] == b"response 3"
    assert (await ask(static_cache))[2] == b"response 1"


@pytest.mark.parametrize("status", [301, 404, 500])
async def test_only_files_are_cached(status: int) -> None:
    static_cache = StaticCache(Files(status))
    await ask(static_cache)
    assert (await ask(static_cache))[2] == b"response 2"


@pytest.mark.parametrize("response_headers", [[], [(b"Cache-Control", b"max-age=60, public")]])
async def test_only_immutable_files_are_cached(response_headers: list[tuple[bytes, bytes]]) -> None:
    static_cache = StaticCache(Files(headers=response_headers))
    await ask(static_cache)
    assert (await ask(static_cache))[2] == b"response 2"


async def test_each_encoding_and_scheme_has_its_own_copy() -> None:
    static_cache = StaticCache(Files())
    assert [
        (await ask(static_cache, **headers))[2]
        for headers in (
            {},
            {"accept_encoding": "gzip, deflate"},
            {"accept_encoding": "gzip, br, zstd"},
            {"x_forwarded_proto": "https"},
            {"accept_encoding": "br;q=0.5, gzip"},
            {"x_forwarded_proto": "https"},
        )
    ] == [b"response 1", b"response 2", b"response 3", b"response 4", b"response 3", b"response 4"]


@override_settings(LOG_REQUESTS=True)
async def test_nothing_is_cached_if_every_request_is_logged() -> None:
    static_cache = StaticCache(Files())
    await ask(static_cache)
    assert (await ask(static_cache))[2] == b"response 2"
