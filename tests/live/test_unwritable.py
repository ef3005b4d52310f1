"""A real site whose disk or database cannot be written: nothing is a server error, and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.conftest import ON_POSTGRES
from tests.live.test_sockets import seated
from tests.services.web_processes import Web, webs
from tools.load.http_visitor import TOKEN, Visitor

pytestmark = pytest.mark.processes

Frame = dict[str, Any]


@contextmanager
def full_disk(web: Web) -> Iterator[None]:
    """No file of the process may grow or be written: as SQLite and Python see it, the disk does not take a byte."""
    pid = web.processes[-1].pid
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def read_only_database(web: Web) -> Iterator[None]:
    """All new connections to PostgreSQL may only read, and there are no old ones."""
    import psycopg

    url = web.env["DATABASE_URL"]
    name = urllib.parse.urlsplit(url).path.strip("/")
    server = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)

    def switch(state: str) -> None:
        server.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {state}')  # type: ignore[call-overload]
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    with server:
        switch("on")
        try:
            yield
        finally:
            switch("off")


def ready(web: Web) -> tuple[int, Frame]:
    try:
        with urllib.request.urlopen(f"{web.url}/health/ready", timeout=60) as answer:  # noqa: S310
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def wait_until_ready(web: Web, *, status: int) -> Frame:
    """The body of the probe once it has this status: results are kept for a second."""
    for _ in range(100):
        found, body = ready(web)
        if found == status:
            return body
        time.sleep(0.2)
    raise AssertionError(body)


def log_in(visitor: Visitor, name: str, token: str) -> tuple[int, str]:
    form = {"csrfmiddlewaretoken": token, "login": name, "password": "a-table-of-walnut"}
    headers = {"Referer": f"{visitor.base}/accounts/login/", "Accept-Language": "es"}
    body = urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(f"{visitor.base}/accounts/login/", body, headers)  # noqa: S310
    try:
        with visitor.opener.open(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


async def answer_to(line: ClientConnection, frame: Frame) -> Frame:
    """The answer to a frame with an id."""
    await line.send(json.dumps(frame))
    while True:
        answer: Frame = json.loads(await asyncio.wait_for(line.recv(), 60))
        if answer.get("id") == frame["id"]:
            return answer


async def answer_from(web: Web, match_id: str, visitor: Visitor, frame: Frame) -> Frame:
    """The answer to a frame, sent again over a new socket until one lasts: a lost database connection closes it."""
    url = f"{web.url.replace('http', 'ws', 1)}/ws/match/{match_id}/"
    headers = {"Cookie": visitor.cookie_header, "Origin": web.url, "Accept-Language": "en"}
    for _ in range(20):
        with suppress(WebSocketException, EOFError):
            async with connect(url, additional_headers=headers, compression=None, proxy=None) as line:
                return await answer_to(line, frame)
    raise AssertionError("no socket lasted")


async def play_through(web: Web, broken: Callable[[Web], AbstractContextManager[None]]) -> None:
    match_id, (ana, _) = await asyncio.to_thread(seated, web.site)
    ((name,),) = web.site.rows("SELECT username FROM accounts_user WHERE username LIKE ?", "ana%")
    stranger = Visitor(web.url)
    found = TOKEN.search((await asyncio.to_thread(stranger.get, "/accounts/login/"))[1])
    assert found is not None
    ((version,),) = web.site.rows("SELECT version FROM games_match WHERE id = ?", match_id)
    act = {"t": "act", "id": "0123456789abcdef-1", "after": version, "action": "resign match"}
    with broken(web):
        body = await asyncio.to_thread(wait_until_ready, web, status=503)
        assert body["database"] == "away"
        status, page = await asyncio.to_thread(log_in, stranger, name, found.group(1))
        assert (status, "No se puede guardar nada" in page) == (503, True)
        assert (await asyncio.to_thread(stranger.get, "/rules/"))[0].endswith("/rules/")
        for _ in range(2):
            refusal = await answer_from(web, match_id, ana, act)
            assert (refusal["t"], refusal["code"]) == ("refused", "unwritable")
            assert refusal["text"] == "The site can't save anything right now. Nothing was changed."
    assert (await asyncio.to_thread(wait_until_ready, web, status=200))["ready"] is True
    assert web.site.rows("SELECT version FROM games_match WHERE id = ?", match_id) == [(version,)]
    answer = await answer_from(web, match_id, ana, act)
    assert answer["t"] == "ack"
    assert await answer_from(web, match_id, ana, act) == answer  # once, however often it is sent
    assert web.site.rows("SELECT answer FROM games_action WHERE client_id = ?", act["id"]) == [(answer["version"],)]


@pytest.mark.skipif(ON_POSTGRES, reason="the disk of a database server is another one")
def test_with_a_full_disk_an_act_is_refused_and_later_taken(tmp_path: Path) -> None:
    with webs(tmp_path / "var") as web:
        web.started()
        asyncio.run(play_through(web, full_disk))


@pytest.mark.postgres
def test_with_a_read_only_database_an_act_is_refused_and_later_taken(tmp_path: Path) -> None:
    with webs(tmp_path / "var") as web:
        web.started()
        asyncio.run(play_through(web, read_only_database))
