"""Real web processes: one that restarts while two play, a flood, a client that does not read."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import psutil  # type: ignore[import-untyped]
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.live.test_sockets import seated
from tests.services.web_processes import Web, webs
from tools.load.http_visitor import Visitor
from tools.load.socket_player import Frame, SocketPlayer

pytestmark = pytest.mark.processes

PATIENCE = 60  # seconds for what takes some on an idle machine
ROWS = "select n, actor, client_id, answer from games_action where match_id = ? order by n"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with webs(tmp_path_factory.mktemp("web")) as web:
        yield web


@pytest.fixture
def alone(address: Web) -> subprocess.Popen[str]:
    """The only process at the address: every connection reaches it."""
    alive = [process for process in address.processes if process.poll() is None]
    return alive[0] if alive else address.started()


@pytest.fixture
def web(address: Web, alone: subprocess.Popen[str]) -> Web:
    assert alone.poll() is None
    return address


class ReconnectingPlayer(SocketPlayer):
    """Comes back as a page does, and sends what is not answered again under its id."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.acked: dict[str, int] = {}
        self.closes: list[int | None] = []
        self.away: list[float] = []  # seconds from each close to the next state

    async def act_surely(self, action: str) -> None:
        await self._pace()
        self.count += 1
        frame_id = f"{self.page}-{self.count}"
        frame = json.dumps({"t": "act", "id": frame_id, "after": self.frame["version"], "action": action})
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        while not answer.done():
            self.acks[frame_id] = answer
            assert self.socket is not None
            awaited: set[asyncio.Future[Any]] = {self.listener}  # which hears of a close a moment after `send` fails
            with suppress(ConnectionClosed):
                await self.socket.send(frame)
                awaited.add(answer)
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED, timeout=30)
            if self.listener.done() and not answer.done():
                await self.reconnect()
        if answer.result()["t"] == "ack":
            self.acked[frame_id] = answer.result()["version"]

    async def reconnect(self) -> None:
        assert self.socket is not None
        lost, code = time.monotonic(), self.socket.close_code
        self.listener.exception()  # that of the close
        self.closes.append(code)
        await asyncio.sleep(3 * self.choose.random() if code == 4012 else 0.4)
        version = self.frame["version"]
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                self.frame = {}
                await asyncio.wait_for(self.sit(), 30)
                assert self.frame["version"] >= version
                break
            await asyncio.sleep(0.2)
        self.away.append(time.monotonic() - lost)


async def play(players: list[ReconnectingPlayer], *, until: asyncio.Event) -> None:
    async def play_seat(player: ReconnectingPlayer) -> None:
        while not until.is_set() and not player.over:
            if player.listener.done():
                await player.reconnect()
            if action := player.next_action():
                await player.act_surely(action)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    await player.changed.wait()

    async with asyncio.TaskGroup() as tasks:
        for player in players:
            tasks.create_task(play_seat(player))


MANY = """
from django.utils import timezone
from games.models import Action, Match
fall = dict(match_id={match_id!r}, game_number=1, actor="chance", text="dice 31", element="c" * 64, at=timezone.now())
Action.objects.bulk_create([Action(n=n, **fall) for n in range(1, 3001)])
answer = Match.objects.filter(pk={match_id!r}).update(version=3000)
"""


def unread_socket(web: Web, match_id: str, cookie: str) -> socket.socket:
    """A joined socket that takes very little before it is read."""
    url = urlsplit(web.url)
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(60)
    client.connect((url.hostname, url.port))
    lines = [f"GET /ws/match/{match_id}/ HTTP/1.1", f"Host: {url.netloc}", f"Origin: {web.url}", f"Cookie: {cookie}"]
    lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    client.sendall("\r\n".join([*lines, "Sec-WebSocket-Version: 13", "", ""]).encode())
    assert b" 101 " in client.recv(100)
    return client


def masked(frame: dict[str, Any]) -> bytes:
    text = json.dumps(frame).encode()
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def test_a_client_that_does_not_read_is_disconnected(web: Web) -> None:
    match_id, visitors = seated(web.site)
    web.site.ask(MANY.format(match_id=match_id))
    web.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**16)  # or the system takes megabytes in its place
    with unread_socket(web, match_id, visitors[0].cookie_header) as client:
        for _ in range(90):
            client.sendall(masked({"t": "sync", "after": 0}))
        end = time.monotonic() + PATIENCE
        while not cut(client):
            assert time.monotonic() < end


def cut(client: socket.socket) -> bool:
    """Whether the server no longer reads from this client."""
    time.sleep(0.2)
    try:
        client.sendall(masked({"t": "ping"}))
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


async def round_trip(line: ClientConnection) -> float:
    """Seconds from a ping to its pong."""
    started = time.perf_counter()
    await line.send('{"t":"ping"}')
    while json.loads(await asyncio.wait_for(line.recv(), 60))["t"] != "pong":
        pass
    return time.perf_counter() - started


async def p95(url: str, headers: dict[str, str]) -> float:
    """The 95th percentile of the round trips of one socket in two seconds."""
    async with connect(url, additional_headers=headers, compression=None, proxy=None) as line:
        rtts = []
        for _ in range(90):
            rtts.append(await round_trip(line))
            await asyncio.sleep(0.02)
    return sorted(rtts)[int(0.95 * len(rtts))]


def test_a_flood_is_disconnected_within_two_seconds_with_little_effect_on_others(web: Web) -> None:
    match_id, visitors = seated(web.site)
    ana, bea = [{"Cookie": visitor.cookie_header, "Origin": web.url} for visitor in visitors]
    url = f"{web.url.replace('http', 'ws', 1)}/ws/match/{match_id}/"

    async def flood() -> tuple[float, int | None]:
        async with connect(url, additional_headers=ana, compression=None, proxy=None) as line:
            reading = asyncio.create_task(_drained(line))
            started = time.perf_counter()
            sent = 0
            with suppress(ConnectionClosed):
                while time.perf_counter() - started < 10:
                    await line.send(random.choice(['{"t":"ping"}', '{"t":"sync","after":0}', "{}"]))
                    sent += 1
                    await asyncio.sleep(max(0.0, started + sent / 1000 - time.perf_counter()))
            took = time.perf_counter() - started
            await reading
            return took, line.close_code

    async def scene() -> tuple[float, float, tuple[float, int | None]]:
        calm = await p95(url, bea)
        flooding = asyncio.create_task(flood())
        return calm, await p95(url, bea), await flooding

    calm, felt, (took, code) = asyncio.run(scene())
    assert took < 8  # 2 s, and what a busy machine adds
    assert code == 4429
    assert felt < max(2 * calm, 1)  # 0.25 s, and what a busy machine adds: calm ones are answered from memory


async def _drained(line: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for _ in line:
            pass


def has_a_connection(web: Web, process: subprocess.Popen[str]) -> bool:
    """Whether the process has taken one of some new connections to the address: both listen there."""
    url = urlsplit(web.url)
    with ExitStack() as stack:
        for _ in range(8):
            line = stack.enter_context(socket.create_connection((url.hostname or "", url.port or 0), timeout=60))
            line.sendall(f"GET /health/live HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode())
            assert line.recv(100)
        of_process = psutil.Process(process.pid).net_connections("tcp")
        return any(each.status == psutil.CONN_ESTABLISHED and each.laddr.port == url.port for each in of_process)


def test_a_process_that_stops_in_the_middle_of_a_match_loses_nothing_and_both_reconnect(
    web: Web, alone: subprocess.Popen[str]
) -> None:
    match_id, visitors = seated(web.site, length=25)

    async def until(condition: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.05)

    async def scene() -> list[ReconnectingPlayer]:
        players = [ReconnectingPlayer(web.url, match_id, each.cookie_header, seed=n) for n, each in enumerate(visitors)]
        for player in players:
            await player.sit()
        done = asyncio.Event()
        playing = asyncio.create_task(play(players, until=done))
        await until(lambda: sum(len(player.acked) for player in players) >= 10)
        second = await asyncio.to_thread(web.start)
        while not await asyncio.to_thread(has_a_connection, web, second):  # at the same address, as in a deploy
            assert second.poll() is None
        alone.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(alone.wait, PATIENCE) == 0
        assert second.poll() is None
        await until(lambda: all(player.away for player in players if player.closes) and any(p.closes for p in players))
        after = sum(len(player.acked) for player in players)
        await until(lambda: sum(len(player.acked) for player in players) >= after + 10)
        done.set()
        await playing
        for player in players:
            await player.leave()
        return players

    players = asyncio.run(scene())
    codes = [code for player in players for code in player.closes]
    assert codes
    assert set(codes) == {4012}
    rows = web.site.rows(ROWS, match_id)
    assert [n for n, *_ in rows] == list(range(1, len(rows) + 1))
    recorded = {client_id: answer for _, _, client_id, answer in rows if client_id}
    acked = {frame_id: version for player in players for frame_id, version in player.acked.items()}
    assert len(acked) > 20
    assert recorded == acked


def test_a_process_stops_within_its_time_although_a_client_does_not_answer(
    web: Web, alone: subprocess.Popen[str]
) -> None:
    match_id, visitors = seated(web.site)
    with unread_socket(web, match_id, visitors[0].cookie_header):
        started = time.monotonic()
        alone.send_signal(signal.SIGTERM)
        assert alone.wait(PATIENCE) == 0
        assert time.monotonic() - started < 40  # 5 s, and what a busy machine adds


def test_a_process_ends_while_pages_are_still_requested(web: Web, alone: subprocess.Popen[str]) -> None:
    """A request that is cut off leaves a thread behind, for which Python would wait for ever."""
    match_id, visitors = seated(web.site)

    def ask() -> None:
        with suppress(OSError):  # the disconnected one, or one without recipients
            while alone.poll() is None:
                Visitor(web.url).get("/")

    with unread_socket(web, match_id, visitors[0].cookie_header), ThreadPoolExecutor(3) as pages:
        for _ in range(3):
            pages.submit(ask)
        time.sleep(1)
        alone.send_signal(signal.SIGTERM)
        assert alone.wait(PATIENCE) == 0
