"""Bots that know all web addresses, and what the clock took from them beyond the time that they thought."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection

from tools.faults.play.audit import Rows
from tools.faults.play.bot import Bot
from tools.faults.play.dice_secrets import DiceSecrets
from tools.faults.play.record import Frame

ADDRESS_TIMEOUT = 0.5  # seconds until a host takes the connection, else another is tried, as browsers do (RFC 8305)
DOWN = 2.0  # seconds for which nobody is sent to a host that took no connection
GAMES = 100  # more than a match has


class Thinking(NamedTuple):
    """When a player thought, by the monotonic clock."""

    began: float
    ended: float

    @property
    def seconds(self) -> float:
        return self.ended - self.began

    def within(self, since: float, until: float) -> float:
        """The seconds of it between two moments."""
        return max(0.0, min(self.ended, until) - max(self.began, since))


class Balancer:
    """Sends each connection to the host with the fewest, as HAProxy does with the lines of docs/scaling.md."""

    def __init__(self, urls: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._players = Counter(dict.fromkeys(urls, 0))
        self._down_until = dict.fromkeys(urls, 0.0)

    def url(self, last: str) -> str:
        """The address for a player who was, or tried to be, at `last` (empty: nowhere)."""
        self.leave(last)
        up = [each for each in self._players if self._down_until[each] <= self._clock()] or [*self._players]
        url = min(up, key=lambda each: self._players[each])
        self._players[url] += 1
        return url

    def leave(self, url: str) -> None:
        if url:
            self._players[url] -= 1

    def found_down(self, url: str) -> None:
        self._down_until[url] = self._clock() + DOWN


class Player(Bot):
    """A bot that the balancer sends to a host whenever it connects, and that notes for how long it thought about acts.

    It thinks once before each of its acts, as a player does: on while the page connects again, and at an opening while
    the opponent rolls.
    """

    def __init__(self, *, match_id: str, name: str, cookie: str, balancer: Balancer, seed: str, pace: float) -> None:
        super().__init__(
            match_id=match_id,
            name=name,
            cookie=cookie,
            choose_url=lambda: balancer.url(self.url),
            choose=random.Random(seed),
            pace=pace,
        )
        self._balancer = balancer
        self.dice_secrets = DiceSecrets()
        self._sleeps_at = dict.fromkeys(range(GAMES), False)  # nobody is held: each pause is the site's
        self.sent_at: dict[str, float] = {}
        self.thinking: dict[str, Thinking] = {}  # by the id of the act
        self.thought: dict[float, Thinking] = {}  # by the moment of the acknowledgement
        self._thinking: Thinking | None = None

    async def _connect(self, **settings: Any) -> ClientConnection:
        address = urlsplit(self.url)
        line = socket.socket()
        line.setblocking(False)
        try:
            try:
                async with asyncio.timeout(ADDRESS_TIMEOUT):
                    await asyncio.get_running_loop().sock_connect(line, (address.hostname, address.port))
            except OSError:
                self._balancer.found_down(self.url)
                raise
            return await super()._connect(sock=line, **settings)
        except BaseException:
            line.close()
            raise

    async def _considered(self, due: Frame) -> Frame | None:
        if self._thinking is None:
            began = time.monotonic()
            self._thinking = Thinking(began, began + self.choose.uniform(0, 2 * self.pace))
        await asyncio.sleep(self._thinking.ended - time.monotonic())
        now_due = self._due()
        if now_due is None:  # the match has moved on: the next act is another one
            self._thinking = None
        elif now_due["t"] == "act":
            self.thinking[now_due["id"]] = self._thinking
        return now_due

    async def _ask(self, connection: ClientConnection) -> None:
        if self.pending is not None:
            self.sent_at.setdefault(self.pending["id"], time.monotonic())
        await super()._ask(connection)

    def _answered(self, frame: Frame) -> None:
        asked, acts = (self.pending or {}).get("id", ""), len(self.acked_at)
        super()._answered(frame)
        if len(self.acked_at) > acts and asked in self.thinking:
            self.thought[self.acked_at[-1]] = self.thinking[asked]
            self._thinking = None


@dataclass(frozen=True)
class Charge:
    """The `seconds` that an act cost its player beyond those of thinking; `sent` at a moment of this machine."""

    act: str
    sent: float
    seconds: float


NO_CHARGE = Charge("-", 0.0, 0.0)


def charged_beyond(rows: Rows, player: Player) -> Iterator[Charge]:
    """Yield for each act of a player what its clock lost beyond the time of thinking.

    That is what the network and the site took: the way of the frames, and every moment in which nobody answered. A
    player's first act is left out: its clock may have run for long when the player came.
    """
    names: Mapping[str, Any] = rows.match["names"]
    side = names[player.record.name]
    before: int | None = None
    came = False
    for row in rows.actions:
        left = row.white_ms if side == "white" else row.black_ms
        sent = player.sent_at.get(row.client_id or "")
        if came and row.actor == side and sent is not None and before is not None and left is not None:
            act = f"{row.n} ({row.text}) of {player.record.name} in {player.record.match_id}"
            yield Charge(act, sent, (before - left) / 1000 - player.thinking[row.client_id or ""].seconds)
        before = left
        came = came or sent is not None
