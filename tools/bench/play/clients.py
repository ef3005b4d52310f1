"""A player and a spectator that behave as a page does: they receive, act, send heartbeats and reconnect."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from typing import Any

import orjson

from tools.bench.play.websocket_client import Wire, opened
from tools.load.socket_player import any_play

Frame = dict[str, Any]

HEARTBEAT = 4.0  # seconds, as static/js/match/socket.js
LATE = 0.4  # seconds that an event may be later than a pong, as there
UNANSWERED = 20.0  # seconds until an act counts as an error


class Unanswered(TimeoutError):
    """An act without an answer, or whose connection was cut."""


class Viewer:
    """One socket at a match. It parses as little as possible: `on_message` gets the bytes and their time.

    `lost` gets the close code of a connection that had received its state. `pongs` are the seconds of its heartbeats.
    """

    def __init__(self, base: str, match_id: str, cookie: str) -> None:
        self.url = f"{base.replace('http', 'ws', 1)}/ws/match/{match_id}/"
        self.cookie = cookie
        self.wire: Wire | None = None
        self.pongs: list[float] = []
        self.pinged = 0.0
        self.here = False
        self.coming: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.on_message: Callable[[bytes, float], None] = lambda text, moment: None
        self.lost: Callable[[int], None] = lambda code: None

    async def sit(self) -> None:
        """Connect and return when the state is there. Raises OSError, TimeoutError."""
        self.coming = asyncio.get_running_loop().create_future()
        self.wire = await opened(self.url, self.cookie, received=self._received, closed=self._closed)
        async with asyncio.timeout(60):
            if not await self.coming:
                raise ConnectionRefusedError(self.url)
        self.beating = asyncio.create_task(self._heartbeats(self.wire))

    async def come_back(self, *, pause: float) -> int:
        """Reconnect as the page does; the number of tries. Raises OSError after 20."""
        for tries in range(1, 21):
            await asyncio.sleep(pause)
            try:
                await self.sit()
            except (OSError, TimeoutError):
                pause = min(15.0, 0.4 * 2 ** min(tries, 6)) * (0.5 + random.random() / 2)
            else:
                return tries
        raise ConnectionRefusedError(self.url)

    def send(self, frame: Frame) -> None:
        """Send a frame if the connection is open."""
        if self.wire is not None:
            self.wire.send(orjson.dumps(frame))

    def leave(self) -> None:
        if self.wire is not None:
            self.wire.leave()

    def _received(self, text: bytes) -> None:
        self._read(text, time.perf_counter())

    def _read(self, text: bytes, moment: float) -> None:
        if not self.here and b'"t":"state"' in text:
            self._arrived()
        elif b'"t":"pong"' in text:
            self._ponged(orjson.loads(text), moment)
        self.on_message(text, moment)

    async def _heartbeats(self, wire: Wire) -> None:
        """Send a ping every few seconds while the connection is open."""
        await asyncio.sleep(random.random() * HEARTBEAT)
        while wire.is_open:
            self.pinged = time.perf_counter()
            self.send({"t": "ping"})
            await asyncio.sleep(HEARTBEAT)

    def _ponged(self, frame: Frame, moment: float) -> None:
        """Return the stamp at once: the server measures the round trip."""
        self.send({"t": "lag", "stamp": frame.get("stamp")})
        if self.pinged:
            self.pongs.append(moment - self.pinged)
            self.pinged = 0.0

    def _arrived(self) -> None:
        self.here = True
        if not self.coming.done():
            self.coming.set_result(True)

    def _closed(self, code: int) -> None:
        was_here, self.here = self.here, False
        if not self.coming.done():
            self.coming.set_result(False)
        elif was_here:
            self.lost(code)


class Seat(Viewer):
    """One player."""

    def __init__(self, base: str, match_id: str, cookie: str, *, seed: int = 0) -> None:
        super().__init__(base, match_id, cookie)
        self.choose = random.Random(seed)
        self.page, self.count = secrets.token_hex(8), 0
        self.frame: Frame = {}
        self.answers: dict[str, asyncio.Future[Frame]] = {}
        self.on_frame: Callable[[Frame, float], None] = lambda frame, moment: None
        self.synced = asyncio.Event()

    @property
    def due(self) -> bool:
        return any(not name.startswith("resign") for name in self.frame.get("may", ()))

    async def sit(self) -> None:
        """Connect as a spectator does; a page also asks for what it has missed, and `synced` says when it has it."""
        await super().sit()
        self.synced.clear()
        self.send({"t": "sync", "after": self.frame.get("version", 0)})

    def next_action(self) -> str | None:
        """Choose simply: roll, play at random, take; never double."""
        may = self.frame["may"]
        for name in ("accept", "take", "roll"):
            if name in may:
                return name
        return any_play(self.frame["position"]["tree"], self.choose) if "move" in may else None

    async def act(self, action: str) -> tuple[Frame, float]:
        """Send one action; (its answer, seconds until it came). Raises Unanswered."""
        self.count += 1
        frame_id = f"{self.page}-{self.count}"
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self.answers[frame_id] = answer
        started = time.perf_counter()
        self.send({"t": "act", "id": frame_id, "after": self.frame["version"], "action": action})
        try:
            return await asyncio.wait_for(answer, UNANSWERED), time.perf_counter() - started
        except TimeoutError as error:
            raise Unanswered(action) from error
        finally:
            self.answers.pop(frame_id, None)

    async def reach(self, version: int) -> None:
        """Return when this seat has received a version: its event comes separately from the answer to the act."""
        end = time.perf_counter() + UNANSWERED
        while self.frame["version"] < version and time.perf_counter() < end:
            await asyncio.sleep(0.005)

    def _read(self, text: bytes, moment: float) -> None:
        frame = orjson.loads(text)
        kind = frame["t"]
        if kind == "actions":
            self.synced.set()
        if kind in ("state", "event", "actions"):
            if frame["version"] >= self.frame.get("version", 0):
                self.frame = frame
            self._arrived()
            self.on_frame(frame, moment)
        elif kind in ("ack", "refused"):
            waiting = self.answers.get(frame.get("id") or "")
            if waiting is not None and not waiting.done():
                waiting.set_result(frame)
        elif kind == "pong":
            self._ponged(frame, moment)
            if frame["version"] > self.frame.get("version", 0):
                asyncio.get_running_loop().call_later(LATE, self._ask_if_behind, frame["version"])

    def _ask_if_behind(self, version: int) -> None:
        """Ask for what was missed, unless it was only late."""
        if self.frame.get("version", 0) < version:
            self.send({"t": "sync", "after": self.frame.get("version", 0)})
