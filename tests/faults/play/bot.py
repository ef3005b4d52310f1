"""One seat of one match, played by code that gives up on nothing: it comes back, asks again and sends again.

It follows docs/protocol.md as the page does. An act that got no answer is sent again under the same id, over the next
socket if need be, until it is acknowledged or refused; whenever a version is missing it asks `sync`.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.faults.play.hand import Hand
from tests.faults.play.post import Post
from tests.faults.play.told import Frame, Record
from tests.load.player import any_play

BROKEN = (OSError, TimeoutError, WebSocketException)
PATIENCE = 2.0  # seconds without an answer: the same again
BEAT = 2.0  # seconds between two heartbeats
SILENCE = 7.0  # seconds without a word: the link is dead
UPSET = ("stale", "time_up", "match_over", "not_live", "too_many")  # refusals that are a matter of the moment
UPSET_DICE = (*UPSET, "dice_early", "dice_not_now", "dice_held", "element_wrong")


class Cut(ConnectionError):
    """The bot itself holds this link for dead."""


class Bot:
    """`doors` gives the address to come to, anew for each socket; `pace` is the seconds that it thinks on average."""

    def __init__(
        self, *, match_id: str, name: str, cookie: str, doors: Callable[[], str], choose: random.Random, pace: float
    ) -> None:
        self.record = Record(match_id, name)
        self.cookie, self.doors, self.choose, self.pace = cookie, doors, choose, pace
        self.post = Post(choose)
        self.hand = Hand(gives=choose.random() > 0.15)
        self.frame: Frame = {}
        self.pending: Frame | None = None
        self.acked_at: list[float] = []  # its table's
        self.leaving = False
        self.door = ""
        self._page, self._number = secrets.token_hex(8), 0
        self._heard_at = 0.0
        self._news = asyncio.Event()
        self._goal = 0  # the version that an answer has named
        self._slept: dict[int, bool] = {}

    @property
    def over(self) -> bool:
        return bool(self.frame.get("match", {}).get("status") == "over")

    @property
    def asleep(self) -> bool:
        """At this opening it lets the server put it down as rolled: the sweep's work, 20 seconds later."""
        return self._opening and self._slept.get(self.frame["match"]["game"], False)

    async def play(self) -> None:
        """Play until the match is over, or, once it is `leaving`, until nothing is unanswered."""
        while not self._done:
            self.door = self.doors()
            self.record.connecting()
            self.post.forget()
            try:
                async with asyncio.timeout(10):
                    socket = await self._connect()
            except BROKEN:
                self.record.count["doors closed"] += 1
            else:
                await self._at_table(socket)
            if not self._done:
                self.record.count["came back"] += 1
                await asyncio.sleep(0.05 + 0.4 * self.choose.random())

    @property
    def _done(self) -> bool:
        return (self.over or self.leaving) and self.pending is None

    async def _connect(self) -> ClientConnection:
        url = f"{self.door.replace('http', 'ws', 1)}/ws/match/{self.record.match_id}/"
        headers = {"Cookie": self.cookie, "Origin": self.door}
        settings: dict[str, Any] = {"max_size": 2**20, "compression": None, "proxy": None, "ping_interval": None}
        return await connect(url, additional_headers=headers, **settings)

    async def _at_table(self, socket: ClientConnection) -> None:
        self._heard_at = time.monotonic()
        parts: list[Callable[[ClientConnection], Awaitable[None]]] = [self._hear, self._beat, self._act]
        tasks = {asyncio.ensure_future(part(socket)) for part in parts}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            socket.transport.abort()
            with suppress(*BROKEN):
                await socket.wait_closed()
        for task in done:
            error = task.exception()
            if error is not None and not isinstance(error, BROKEN):
                raise error
        if (code := socket.close_code) not in (None, 1000, 1005, 1006):
            self.record.count[f"closed with {code}"] += 1

    # Hearing

    async def _hear(self, socket: ClientConnection) -> None:
        async for text in socket:
            frame = json.loads(text)
            self._heard_at = time.monotonic()
            if "version" not in frame:  # {"t":"restart"} and the like
                self.record.count[frame["t"]] += 1
                continue
            self.record.hears(frame)
            for told in self.post.through(frame, "in"):
                await self._told(socket, told)

    async def _told(self, socket: ClientConnection, frame: Frame) -> None:
        kind = frame["t"]
        if kind in ("state", "event", "actions") and frame["version"] >= self.frame.get("version", 0):
            self.frame = frame
            self._news.set()
        elif kind == "pong":
            if "stamp" in frame:
                await self._send(socket, {"t": "lag", "stamp": frame["stamp"]})
            if frame["version"] > self.frame.get("version", 0):
                await self._sync(socket)
        elif kind in ("ack", "refused") and self.pending is not None and frame.get("id") == self.pending["id"]:
            self._answered(frame)

    def _answered(self, frame: Frame) -> None:
        assert self.pending is not None
        act = self.pending["t"] == "act"
        self._goal = max(self._goal, frame["version"])
        if frame["t"] == "ack" and act:
            self.acked_at.append(time.monotonic())
            self.record.count["acts"] += 1
        elif frame["t"] == "refused":
            self.record.count[f"refused: {frame['code']}"] += 1
            if act and frame["code"] == "stale":  # it has moved on since
                self._goal = max(self._goal, self.pending["after"] + 1)
            if frame["code"] not in (UPSET if act else UPSET_DICE):
                self.record.wrong.append(f"{self.pending} was refused: {frame}")
        self.pending = None
        self._news.set()

    # Speaking

    async def _beat(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(BEAT)
            if time.monotonic() - self._heard_at > SILENCE:
                raise Cut("silence")
            await self._send(socket, {"t": "ping"})

    async def _act(self, socket: ClientConnection) -> None:
        while not self._done:
            self._news.clear()
            if self.pending is None and self._goal > self.frame.get("version", 0):
                await self._catch_up(socket)
            elif self.pending is None and not self.leaving and (due := self._due()):
                if due["t"] == "act":
                    await asyncio.sleep(self.choose.uniform(0, 2 * self.pace))
                self.pending = due
            elif self.pending is not None:
                await self._ask(socket)
            elif not await self._news_within(BEAT) and self._opening:
                await self._sync(socket)  # a hand or a deposit has no version that a heartbeat could tell

    async def _ask(self, socket: ClientConnection) -> None:
        """Send what is pending and wait for its answer, for a while."""
        assert self.pending is not None
        asked = self.pending
        await self._send(socket, asked)
        end = time.monotonic() + PATIENCE
        while self.pending is asked and await self._news_within(end - time.monotonic()):
            pass
        if self.pending is asked:
            self.record.count["sent again"] += 1
        elif asked["t"] == "dice" and not await self._news_within(PATIENCE / 2):
            await self._sync(socket)

    async def _catch_up(self, socket: ClientConnection) -> None:
        """The answer to an act named a version that this seat has not seen."""
        if not await self._news_within(PATIENCE / 2):
            await self._sync(socket)
            await self._news_within(PATIENCE)

    async def _news_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._news.wait(), max(0.0, seconds))
        except TimeoutError:
            return False
        self._news.clear()
        return True

    @property
    def _opening(self) -> bool:
        position = self.frame.get("position")
        return bool(position and position["phase"] == "opening")

    async def _sync(self, socket: ClientConnection) -> None:
        await self._send(socket, {"t": "sync", "after": self.frame.get("version", 0)})

    async def _send(self, socket: ClientConnection, frame: Frame) -> None:
        for leaving in self.post.through(frame, "out"):
            self.record.sends(leaving)
            await socket.send(json.dumps(leaving))

    # Choosing

    def _due(self) -> Frame | None:
        """What this seat sends next, with an id; None when it is not its turn."""
        if not self.frame or self.over or self.frame.get("you") is None:
            return None
        if (given := self.hand.due(self.frame)) is not None:
            return {"t": "dice", "id": self._id(), **given}
        if (action := self._chosen()) is None:
            return None
        frame = {"t": "act", "id": self._id(), "after": self.frame["version"], "action": action}
        if action == "roll" and (element := self.hand.element(self.frame)):
            frame["c"] = element
        return frame

    def _chosen(self) -> str | None:
        may, position = self.frame["may"], self.frame["position"]
        lucky = self.choose.random()
        if "accept" in may:
            return "accept" if lucky < 0.5 else "reject"
        if "take" in may:
            return "take" if lucky < 0.7 else "drop"
        if position is None or self.frame["paused"]:
            return None
        if position["phase"] == "opening":
            game = self.frame["match"]["game"]
            sleeps = self._slept.setdefault(game, lucky < 0.03)
            return "roll" if "roll" in may and not sleeps and self.hand.may_open(self.frame) else None
        if "double" in may and lucky < 0.06:
            return "double"
        if "resign 1" in may and lucky > 0.995:
            return "resign 1"
        special = [name for name in may if name.split()[0] in ("name", "huff", "compel")]
        if special and (lucky < 0.5 or "move" not in may):
            return self.choose.choice(special)
        if "roll" in may:
            return "roll"
        if "move" in may:
            tree = position["tree"]
            return self.choose.choice(tree)["text"] if position["family"] == "squares" else any_play(tree, self.choose)
        return "pass" if "pass" in may else None

    def _id(self) -> str:
        self._number += 1
        return f"{self._page}-{self._number}"
