"""A bot in an unattended tournament: it waits until its match is ready, plays it, and waits for the next.

It never gives up: it opens a broken socket again, and meanwhile plays over HTTP.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import secrets
import time
import urllib.parse
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tools.load.socket_player import Frame, SocketPlayer

SILENCE = 2.0  # seconds without a frame before it asks again
PATIENCE = 8.0  # seconds without a match before it opens the lobby's socket again, as a page does
BROKEN = (OSError, TimeoutError, WebSocketException, http.client.HTTPException)


class TournamentPlayer:
    """One member with a session. `acked` are the acts whose answer was received, as "match id"."""

    def __init__(self, name: str, cookie: str, urls: Sequence[str]) -> None:
        self.name = name
        self.token = secrets.token_hex(16)
        self.cookie = f"{cookie}; csrftoken={self.token}"
        self.urls = urls
        self.choose = random.Random(name)
        self.calls: asyncio.Queue[str] = asyncio.Queue()
        self.announced: set[str] = set()
        self.acked: list[str] = []
        self.count: Counter[str] = Counter()

    async def play_on(self) -> None:
        """Play every match that is announced, until cancelled."""
        lobby = asyncio.create_task(self._listen())
        try:
            while True:
                match_id = await self.calls.get()
                await self._play(match_id)
                self.count["matches"] += 1
        finally:
            lobby.cancel()
            await asyncio.gather(lobby, return_exceptions=True)

    def url_of(self, match_id: str) -> str:
        """Return the web process of a match: the same for both players, the last one for one match in four."""
        numbers = range(len(self.urls))
        return self.urls[numbers[-1] if zlib.crc32(match_id.encode()) % 4 == 0 else numbers[0]]

    # The lobby

    async def _listen(self) -> None:
        """Keep a socket to the lobby; after a gap it announces again what was missed."""
        since = int(time.time() * 1000)
        while True:
            try:
                since = await self._listen_once(since)
            except BROKEN:
                self.count["lobby sockets lost"] += 1
                await asyncio.sleep(0.5 + self.choose.random())

    async def _listen_once(self, since: int) -> int:
        """Listen until nothing was announced for a while; the time from which to listen again."""
        url = f"{self.urls[0].replace('http', 'ws', 1)}/ws/lobby/?since={since}"
        headers = {"Cookie": self.cookie, "Origin": self.urls[0]}
        knows = since
        async with connect(url, additional_headers=headers, compression=None, proxy=None) as socket:
            try:
                async with asyncio.timeout(PATIENCE * (1 + self.choose.random())):
                    async for text in socket:
                        frame = json.loads(text)
                        if frame["t"] == "hello":
                            knows = frame["since"]
                        elif frame["t"] in ("ready", "go"):
                            self._called(frame["id"])
            except TimeoutError:
                self.count["lobby sockets renewed"] += 1
        return knows

    def _called(self, match_id: str) -> None:
        if match_id not in self.announced:
            self.announced.add(match_id)
            self.calls.put_nowait(match_id)

    # The match

    async def _play(self, match_id: str) -> None:
        while True:
            try:
                await self._arrive(match_id)
                break
            except BROKEN:
                await asyncio.sleep(0.3)
        over = False
        while not over:
            table = SocketPlayer(self.url_of(match_id), match_id, self.cookie, seed=self.choose.randrange(2**32))
            try:
                async with asyncio.timeout(15):
                    await table.sit()
                await self._until_over(table, match_id)
                over = True
            except BROKEN:
                self.count["tables left"] += 1
                over = await self._step_over_http(match_id)
            finally:
                await table.leave()

    async def _arrive(self, match_id: str) -> None:
        """Report to the match. Raises OSError if the server refuses."""
        status, _ = await self._send(match_id, f"/match/{match_id}/arrive/", b"")
        if status != http.client.FOUND:
            raise OSError(f"arrive: {status}")

    async def _until_over(self, table: SocketPlayer, match_id: str) -> None:
        """Play until the match is over. Raises what breaks a socket, RuntimeError for a refusal not due to timing."""
        while not table.over:
            version = table.frame["version"]
            if table.due and (action := table.next_action()):
                answer, _ = await table.act(action)
                self._answered(match_id, answer)
            if table.frame["version"] == version and not table.over:
                try:
                    await asyncio.wait_for(table.changed.wait(), SILENCE)
                except TimeoutError:
                    self.count["asked again"] += 1
                    await table.sync()

    async def _step_over_http(self, match_id: str) -> bool:
        """Make one act over HTTP if it is this player's turn. Returns whether the match is over."""
        try:
            status, state = await self._send(match_id, f"/api/v1/matches/{match_id}/")
            if status != http.client.OK:
                raise OSError(f"state: {status}")
            table = SocketPlayer(self.url_of(match_id), match_id, self.cookie, seed=self.choose.randrange(2**32))
            table.frame = state
            if table.due and (action := table.next_action()):
                frame = {"id": f"{table.page}-1", "after": state["version"], "action": action}
                status, answer = await self._send(
                    match_id, f"/api/v1/matches/{match_id}/act/", json.dumps(frame).encode()
                )
                if status == http.client.OK:
                    self._answered(match_id, {"t": "ack", "id": frame["id"], **answer})
                    self.count["acts over HTTP"] += 1
            return table.over
        except BROKEN:
            await asyncio.sleep(0.3)
            return False

    def _answered(self, match_id: str, answer: Frame) -> None:
        if answer["t"] == "ack":
            self.acked.append(f"{match_id} {answer['id']}")
        elif answer["code"] not in ("stale", "not_live"):
            raise RuntimeError(f"{self.name} in {match_id}: {answer}")

    async def _send(self, match_id: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
        """Send a request to the web process of a match; the status and the JSON of the response."""
        parts = urllib.parse.urlsplit(self.url_of(match_id))
        headers = {
            "Cookie": self.cookie,
            "X-CSRFToken": self.token,
            "Origin": self.url_of(match_id),
            "Content-Type": "application/json",
        }

        def ask() -> tuple[int, Any]:
            connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
            try:
                connection.request("GET" if body is None else "POST", path, body, headers)
                answer = connection.getresponse()
                text = answer.read()
            finally:
                connection.close()
            is_json = "json" in (answer.getheader("Content-Type") or "")
            return answer.status, json.loads(text) if is_json else None

        return await asyncio.to_thread(ask)
