"""A player at a real socket: receives frames, follows the tree of plays from the server, and acts."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

Frame = dict[str, Any]


def half_move(edge: list[int]) -> str:
    start = {25: "bar", 26: "stock"}.get(edge[0], str(edge[0]))
    return f"{start}/{'off' if edge[1] == 0 else edge[1]}"


def any_play(tree: list[list[list[int]]], choose: random.Random) -> str:
    """Return a whole play of the tree as text, mostly with the rearmost checkers, so that games end."""
    node, text = 0, []
    while node != -1:
        edge = max(tree[node]) if choose.random() < 0.8 else choose.choice(tree[node])
        text.append(half_move(edge))
        node = edge[4]
    return " ".join(text)


class SocketPlayer:
    """One seat of one match. `on_event` is called with each event and the time it was received."""

    def __init__(self, base: str, match_id: str, cookie: str, *, seed: int = 0) -> None:
        self.url = f"{base.replace('http', 'ws', 1)}/ws/match/{match_id}/"
        self.headers = {"Cookie": cookie, "Origin": base}
        self.choose = random.Random(seed)
        self.page = secrets.token_hex(8)
        self.count = 0
        self.frame: Frame = {}
        self.acks: dict[str, asyncio.Future[Frame]] = {}
        self.changed = asyncio.Event()
        self.refusals: list[Frame] = []
        self.on_event: Callable[[Frame, float], None] = lambda frame, moment: None
        self.socket: ClientConnection | None = None
        self.sent: list[float] = []

    async def sit(self) -> None:
        self.socket = await connect(
            self.url, additional_headers=self.headers, max_size=2**20, compression=None, proxy=None
        )
        self.listener = asyncio.create_task(self._listen())
        while not self.frame:
            await self.changed.wait()

    async def stay(self) -> None:
        """Send what is never answered until cancelled, so that a slow machine does not take this player for dead."""
        while self.socket is not None:
            await self.socket.send('{"t":"lag","stamp":0}')
            await asyncio.sleep(5)

    async def leave(self) -> None:
        if self.socket is not None:
            await self.socket.close()
            await asyncio.gather(self.listener, return_exceptions=True)

    async def _listen(self) -> None:
        assert self.socket is not None
        async for text in self.socket:
            moment = time.perf_counter()
            frame = json.loads(text)
            kind = frame["t"]
            if kind in ("state", "event", "actions") and frame["version"] >= self.frame.get("version", 0):
                self.frame = frame
                self.changed.set()
                self.changed.clear()
            if kind == "event":
                self.on_event(frame, moment)
            elif kind in ("ack", "refused") and (waiting := self.acks.pop(frame.get("id") or "", None)):
                if kind == "refused":
                    self.refusals.append(frame)
                if not waiting.done():
                    waiting.set_result(frame)

    async def reach(self, version: int) -> None:
        """Wait until this seat has received a version."""
        async with asyncio.timeout(60):
            while self.frame.get("version", 0) < version:
                await self.changed.wait()  # without a task in between, or a change could be missed

    @property
    def may(self) -> list[str]:
        return self.frame.get("may", [])

    @property
    def over(self) -> bool:
        return self.frame.get("match", {}).get("status") == "over"

    @property
    def due(self) -> bool:
        """Whether this seat has to act now (resigning does not count)."""
        return any(not name.startswith("resign") for name in self.may)

    async def act(self, action: str) -> tuple[Frame, float]:
        """Send one action and wait for its answer: (frame, seconds until it came)."""
        assert self.socket is not None
        await self._pace()
        self.count += 1
        frame_id = f"{self.page}-{self.count}"
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self.acks[frame_id] = answer
        started = time.perf_counter()
        await self.socket.send(
            json.dumps({"t": "act", "id": frame_id, "after": self.frame["version"], "action": action})
        )
        return await asyncio.wait_for(answer, 60), time.perf_counter() - started

    async def sync(self) -> None:
        """Ask for everything since the last frame; the answer comes as a frame. Raises ConnectionClosed."""
        assert self.socket is not None
        await self._pace()
        await self.socket.send(json.dumps({"t": "sync", "after": self.frame["version"]}))

    async def _pace(self) -> None:
        """Stay within a socket's credits (100 frames in 20 seconds)."""
        moment = time.monotonic()
        self.sent = [earlier for earlier in self.sent if moment - earlier < 20]
        if len(self.sent) >= 95:
            await asyncio.sleep(20.1 - (moment - self.sent[0]))
        self.sent.append(time.monotonic())

    def next_action(self) -> str | None:
        """Choose simply: roll, play at random, take; never double. None if it is not this seat's turn."""
        if "accept" in self.may:
            return "accept"
        if "take" in self.may:
            return "take"
        if "roll" in self.may:
            return "roll"
        if "move" in self.may:
            return any_play(self.frame["position"]["tree"], self.choose)
        return None


async def reached(players: Iterable[SocketPlayer], version: int, *, seconds: float) -> bool:
    """Wait until all players have a version; whether events carried it in time. Where one was lost, they ask for it."""
    try:
        async with asyncio.timeout(seconds):
            for player in players:
                await player.reach(version)
    except TimeoutError:
        for player in players:
            await player.sync()
            await player.reach(version)
        return False
    return True
