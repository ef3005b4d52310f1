"""A bot that plays one seat of one match and never gives up: it reconnects, asks again and sends again.

It follows docs/protocol.md as the page does. An act without an answer is sent again under the same id, over the next
socket if necessary, until it is acknowledged or refused; if a version is missing, the bot sends `sync`.
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

from tools.faults.play.dice_secrets import DiceSecrets
from tools.faults.play.frame_faults import FrameFaults
from tools.faults.play.record import Frame, Record
from tools.load.socket_player import any_play

BROKEN = (OSError, TimeoutError, WebSocketException)
CONNECT_TIMEOUT = 16.0  # seconds for the site's answer, as the page waits (static/js/match/socket.js)
ANSWER_TIMEOUT = 2.0  # seconds without an answer before the frame is sent again
HEARTBEAT = 2.0  # seconds between two heartbeats
SILENCE = 7.0  # seconds without a frame before the connection counts as dead
TRANSIENT_REFUSALS = ("stale", "time_up", "match_over", "not_live", "too_many")  # refusals that depend on timing
TRANSIENT_DICE_REFUSALS = (*TRANSIENT_REFUSALS, "dice_early", "dice_not_now", "dice_held", "element_wrong")


class Cut(ConnectionError):
    """The bot considers this connection dead."""


class Bot:
    """`choose_url` returns the address of each new socket; `pace` is the average delay before an act in seconds."""

    def __init__(
        self,
        *,
        match_id: str,
        name: str,
        cookie: str,
        choose_url: Callable[[], str],
        choose: random.Random,
        pace: float,
    ) -> None:
        self.record = Record(match_id, name)
        self.cookie, self.choose_url, self.choose, self.pace = cookie, choose_url, choose, pace
        self.frame_faults = FrameFaults(choose)
        self.dice_secrets = DiceSecrets(gives=choose.random() > 0.15)
        self.frame: Frame = {}
        self.pending: Frame | None = None
        self.acked_at: list[float] = []  # shared with its opponent
        self.leaving = False
        self.url = ""
        self._page, self._number = secrets.token_hex(8), 0
        self._received_at = 0.0
        self._changed = asyncio.Event()
        self._goal = 0  # the version that an answer named
        self._sleeps_at: dict[int, bool] = {}

    @property
    def over(self) -> bool:
        return bool(self.frame.get("match", {}).get("status") == "over")

    @property
    def asleep(self) -> bool:
        """Whether it lets the server hold it at this opening roll, which the sweep does after 20 seconds."""
        return self._opening and self._sleeps_at.get(self.frame["match"]["game"], False)

    async def play(self) -> None:
        """Play until the match is over or, once `leaving`, until nothing is unanswered."""
        while not self._done:
            self.url = self.choose_url()
            self.record.begin_connection()
            self.frame_faults.forget()
            try:
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    socket = await self._connect()
            except BROKEN:
                self.record.count["connections refused"] += 1
            else:
                await self._run_socket(socket)
            if not self._done:
                self.record.count["reconnects"] += 1
                await asyncio.sleep(0.05 + 0.4 * self.choose.random())

    @property
    def _done(self) -> bool:
        return (self.over or self.leaving) and self.pending is None

    async def _connect(self, **settings: Any) -> ClientConnection:
        url = f"{self.url.replace('http', 'ws', 1)}/ws/match/{self.record.match_id}/"
        headers = {"Cookie": self.cookie, "Origin": self.url}
        settings |= {"max_size": 2**20, "compression": None, "proxy": None, "ping_interval": None}
        return await connect(url, additional_headers=headers, **settings)

    async def _run_socket(self, socket: ClientConnection) -> None:
        self._received_at = time.monotonic()
        parts: list[Callable[[ClientConnection], Awaitable[None]]] = [self._receive, self._send_heartbeats, self._act]
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

    # Receiving

    async def _receive(self, socket: ClientConnection) -> None:
        async for text in socket:
            frame = json.loads(text)
            self._received_at = time.monotonic()
            if "version" not in frame:  # such as {"t":"restart"}
                self.record.count[frame["t"]] += 1
                continue
            self.record.record_received(frame)
            for received in self.frame_faults.through(frame, "in"):
                await self._handle(socket, received)

    async def _handle(self, socket: ClientConnection, frame: Frame) -> None:
        kind = frame["t"]
        if kind in ("state", "event", "actions") and frame["version"] >= self.frame.get("version", 0):
            self.frame = frame
            self._changed.set()
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
            if act and frame["code"] == "stale":  # the match has moved on
                self._goal = max(self._goal, self.pending["after"] + 1)
            if frame["code"] not in (TRANSIENT_REFUSALS if act else TRANSIENT_DICE_REFUSALS):
                self.record.wrong.append(f"{self.pending} was refused: {frame}")
        self.pending = None
        self._changed.set()

    # Sending

    async def _send_heartbeats(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            if time.monotonic() - self._received_at > SILENCE:
                raise Cut("silence")
            await self._send(socket, {"t": "ping"})

    async def _act(self, socket: ClientConnection) -> None:
        while not self._done:
            self._changed.clear()
            if self.pending is None and self._goal > self.frame.get("version", 0):
                await self._catch_up(socket)
            elif self.pending is None and not self.leaving and (due := self._due()):
                self.pending = await self._considered(due) if due["t"] == "act" else due
            elif self.pending is not None:
                await self._ask(socket)
            elif not await self._changed_within(HEARTBEAT) and self._opening:
                await self._sync(socket)  # dice hand-overs and deposits have no version in a heartbeat

    async def _considered(self, due: Frame) -> Frame | None:
        """The act after some thinking. The match may have moved on meanwhile: the server has to refuse it then."""
        await asyncio.sleep(self.choose.uniform(0, 2 * self.pace))
        return due

    async def _ask(self, socket: ClientConnection) -> None:
        """Send the pending frame and wait for its answer for a while."""
        assert self.pending is not None
        frame = self.pending
        await self._send(socket, frame)
        end = time.monotonic() + ANSWER_TIMEOUT
        while self.pending is frame and await self._changed_within(end - time.monotonic()):
            pass
        if self.pending is frame:
            self.record.count["sent again"] += 1
        elif frame["t"] == "dice" and not await self._changed_within(ANSWER_TIMEOUT / 2):
            await self._sync(socket)

    async def _catch_up(self, socket: ClientConnection) -> None:
        """Get a version that an answer named and this seat has not received."""
        if not await self._changed_within(ANSWER_TIMEOUT / 2):
            await self._sync(socket)
            await self._changed_within(ANSWER_TIMEOUT)

    async def _changed_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._changed.wait(), max(0.0, seconds))
        except TimeoutError:
            return False
        self._changed.clear()
        return True

    @property
    def _opening(self) -> bool:
        position = self.frame.get("position")
        return bool(position and position["phase"] == "opening")

    async def _sync(self, socket: ClientConnection) -> None:
        await self._send(socket, {"t": "sync", "after": self.frame.get("version", 0)})

    async def _send(self, socket: ClientConnection, frame: Frame) -> None:
        for leaving in self.frame_faults.through(frame, "out"):
            self.record.record_sent(leaving)
            await socket.send(json.dumps(leaving))

    # Choosing

    def _due(self) -> Frame | None:
        """Return the frame that this seat sends next, with an id; None if it is not its turn."""
        if not self.frame or self.over or self.frame.get("you") is None:
            return None
        if (owed := self.dice_secrets.due(self.frame)) is not None:
            return {"t": "dice", "id": self._id(), **owed}
        if (action := self._chosen()) is None:
            return None
        frame = {"t": "act", "id": self._id(), "after": self.frame["version"], "action": action}
        if action == "roll" and (element := self.dice_secrets.element(self.frame)):
            frame["c"] = element
        return frame

    def _chosen(self) -> str | None:
        may, position = self.frame["may"], self.frame["position"]
        chance = self.choose.random()
        if "accept" in may:
            return "accept" if chance < 0.5 else "reject"
        if "take" in may:
            return "take" if chance < 0.7 else "drop"
        if position is None or self.frame["paused"]:
            return None
        if position["phase"] == "opening":
            game = self.frame["match"]["game"]
            sleeps = self._sleeps_at.setdefault(game, chance < 0.03)
            return "roll" if "roll" in may and not sleeps and self.dice_secrets.may_open(self.frame) else None
        if "double" in may and chance < 0.06:
            return "double"
        if "resign 1" in may and chance > 0.995:
            return "resign 1"
        special = [name for name in may if name.split()[0] in ("name", "huff", "compel")]
        if special and (chance < 0.5 or "move" not in may):
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
