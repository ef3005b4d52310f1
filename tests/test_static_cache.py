"""Immutable files are served from memory as Django served them; special requests go to Django."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import override_settings

from backgammon.static_cache import StaticCache

PATH = "/static/js/site.0123456789ab.js"
FOR_EVER = [(b"Cache-Control", b"max-age=315360000, public, immutable"), (b"ETag", b'"1"')]


class Files:
    """Replaces Django: it responds with the number of times it was called."""

    def __init__(self, status: int = 200, headers: list[tuple[bytes, bytes]] = FOR_EVER) -> None:
        self.asked, self.status, self.headers = 0, status, headers

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.asked += 1
        told = [*self.headers, (b"X-Request-ID", b"of-the-first")]
        await send({"type": "http.response.start", "status": self.status, "headers": told})
        await send({"type": "http.response.body", "body": b"told ", "more_body": True})
        await send({"type": "http.response.body", "body": b"%d" % self.asked})


async def ask(shelf: StaticCache, path: str = PATH, method: str = "GET", query: bytes = b"", **headers: str) -> Any:
    """Return (status, headers, body) of one request."""
    told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": query, "scheme": "http", "headers": told}
    caller = ApplicationCommunicator(shelf, scope)
    start = await caller.receive_output()
    body, more = b"", True
    while more:
        part = await caller.receive_output()
        body, more = body + part["body"], part.get("more_body", False)
    return start["status"], {name.lower(): value for name, value in start["headers"]}, body


async def test_the_second_who_asks_gets_the_same_with_a_mark_of_his_own() -> None:
    files = Files()
    shelf = StaticCache(files)
    status, headers, body = await ask(shelf)
    again = await ask(shelf)
    assert files.asked == 1
    assert again[0] == status == 200
    assert again[2] == body == b"told 1"
    marks = headers.pop(b"x-request-id"), again[1].pop(b"x-request-id")
    assert marks[0] == b"of-the-first"
    assert len(marks[1]) == 16
    assert again[1] == headers == {b"cache-control": FOR_EVER[0][1], b"etag": b'"1"'}


@override_settings(TRUST_PROXY=True)
async def test_behind_a_proxy_the_mark_is_the_one_that_it_gave() -> None:
    shelf = StaticCache(Files())
    await ask(shelf)
    assert (await ask(shelf, x_request_id="given-by-nginx"))[1][b"x-request-id"] == b"given-by-nginx"
    assert (await ask(shelf, x_request_id="no good\n"))[1][b"x-request-id"] != b"no good\n"


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
async def test_what_is_special_is_asked_each_time(special: dict[str, Any]) -> None:
    files = Files()
    shelf = StaticCache(files)
    await ask(shelf)
    await ask(shelf, **special)
    assert (await ask(shelf, **special))[2] == b"told 3"
    assert (await ask(shelf))[2] == b"told 1"


@pytest.mark.parametrize("status", [301, 404, 500])
async def test_only_a_file_is_kept(status: int) -> None:
    shelf = StaticCache(Files(status))
    await ask(shelf)
    assert (await ask(shelf))[2] == b"told 2"


@pytest.mark.parametrize("said", [[], [(b"Cache-Control", b"max-age=60, public")]])
async def test_only_what_says_that_it_never_changes_is_kept(said: list[tuple[bytes, bytes]]) -> None:
    shelf = StaticCache(Files(headers=said))
    await ask(shelf)
    assert (await ask(shelf))[2] == b"told 2"


async def test_who_takes_packed_files_and_who_comes_by_https_have_copies_of_their_own() -> None:
    shelf = StaticCache(Files())
    assert [
        (await ask(shelf, **headers))[2]
        for headers in (
            {},
            {"accept_encoding": "gzip, deflate"},
            {"accept_encoding": "gzip, br, zstd"},
            {"x_forwarded_proto": "https"},
            {"accept_encoding": "br;q=0.5, gzip"},
            {"x_forwarded_proto": "https"},
        )
    ] == [b"told 1", b"told 2", b"told 3", b"told 4", b"told 3", b"told 4"]


@override_settings(LOG_REQUESTS=True)
async def test_where_each_request_has_its_line_in_the_log_django_is_asked_each_time() -> None:
    shelf = StaticCache(Files())
    await ask(shelf)
    assert (await ask(shelf))[2] == b"told 2"
