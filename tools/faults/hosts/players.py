"""Bots that know all web addresses, and what the clock took from them beyond the time that they thought."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection

from tools.faults.play.audit import Rows
from tools.faults.play.bot import Bot
from tools.faults.play.dice_secrets import DiceSecrets
from tools.faults.play.record import Frame

CONNECT_TIMEOUT = 3.0  # seconds, then the next address is tried
GAMES = 100  # more than a match has


class Player(Bot):
    """A bot that goes to the next address when one does not answer, and notes when it thought about each act."""

    def __init__(self, *, match_id: str, name: str, cookie: str, urls: Sequence[str], seed: str, pace: float) -> None:
        choose = random.Random(seed)
        rounds = itertools.cycle(choose.sample(list(urls), len(urls)))
        super().__init__(
            match_id=match_id, name=name, cookie=cookie, choose_url=lambda: next(rounds), choose=choose, pace=pace
        )
        self.dice_secrets = DiceSecrets()
        self._sleeps_at = dict.fromkeys(range(GAMES), False)  # nobody is held: each pause is the site's
        self.known_at: dict[str, float] = {}
        self.sent_at: dict[str, float] = {}
        self.thought: dict[float, float] = {}  # seconds, by the moment of the acknowledgement

    async def _connect(self) -> ClientConnection:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            return await super()._connect()

    def _due(self) -> Frame | None:
        frame = super()._due()
        if frame is not None and frame["t"] == "act":
            self.known_at[frame["id"]] = time.monotonic()
        return frame

    async def _ask(self, socket: ClientConnection) -> None:
        if self.pending is not None:
            self.sent_at.setdefault(self.pending["id"], time.monotonic())
        await super()._ask(socket)

    def _answered(self, frame: Frame) -> None:
        asked, acts = (self.pending or {}).get("id", ""), len(self.acked_at)
        super()._answered(frame)
        if len(self.acked_at) > acts and asked in self.known_at:
            self.thought[self.acked_at[-1]] = self.sent_at[asked] - self.known_at[asked]


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
            thought = sent - player.known_at[row.client_id or ""]
            act = f"{row.n} ({row.text}) of {player.record.name} in {player.record.match_id}"
            yield Charge(act, sent, (before - left) / 1000 - thought)
        before = left
        came = came or sent is not None
