"""Idle connections at a real web process with few descriptors: pages are still served, and sockets stay open."""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from websockets.asyncio.client import connect

from tests.services.web_processes import Web, webs
from tools.load.http_visitor import Visitor

pytestmark = pytest.mark.processes

DESCRIPTORS = 256
SOFT = 128


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with webs(tmp_path_factory.mktemp("limits")) as web:
        yield web


@pytest.fixture
def web(address: Web) -> Iterator[Web]:
    """An address without a process; that of the test ends with it."""
    yield address
    address.processes[-1].send_signal(signal.SIGTERM)
    address.processes[-1].wait(60)


@contextmanager
def idle_connections(web: Web, count: int) -> Iterator[list[socket.socket]]:
    """Connections that send half of a request's headers and wait."""
    with ExitStack() as stack:
        clients = []
        for _ in range(count):
            client = stack.enter_context(socket.create_connection(web.listening.getsockname(), timeout=60))
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            clients.append(client)
        yield clients


def is_cut(client: socket.socket) -> bool:
    client.settimeout(0.01)
    try:
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def page_status(web: Web) -> int:
    with urllib.request.urlopen(f"{web.url}/accounts/login/", timeout=60) as answer:  # noqa: S310
        return int(answer.status)


def test_a_web_process_raises_its_soft_limit_and_more_idle_connections_than_that_shut_nobody_out(web: Web) -> None:
    process = web.started(descriptors=(SOFT, DESCRIPTORS))
    assert resource.prlimit(process.pid, resource.RLIMIT_NOFILE) == (DESCRIPTORS, DESCRIPTORS)
    with idle_connections(web, DESCRIPTORS + 50) as clients:
        assert page_status(web) == 200
        assert all(is_cut(client) for client in clients[: -DESCRIPTORS // 2 + 1])  # one of them for the page


def test_an_address_has_its_share_and_its_open_sockets_are_not_cut(web: Web) -> None:
    async def scene() -> str:
        cookie = Visitor(web.url)
        cookie.sign_up("ana")
        headers = {"Cookie": cookie.cookie_header, "Origin": web.url}
        url = f"{web.url.replace('http', 'ws', 1)}/ws/lobby/"
        async with connect(url, additional_headers=headers, proxy=None) as lobby:
            await lobby.recv()
            with idle_connections(web, 30) as clients:
                assert await asyncio.to_thread(page_status, web) == 200
                assert all(is_cut(client) for client in clients[:-8])  # eight beside the socket and the page
                await lobby.send('{"t":"ping"}')
                return str(await lobby.recv())

    web.started(CONNECTIONS_PER_ADDRESS="10")
    assert asyncio.run(scene()).startswith('{"t":"pong"')
