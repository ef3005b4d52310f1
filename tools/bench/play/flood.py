"""A client that sends a thousand messages a second on one socket, and reconnects when disconnected."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from tools.bench.play.clients import Viewer

PER_SECOND = 1000
STEP = 0.02  # seconds between two bursts


class Flooder:
    """`closed` are (seconds until it was disconnected, close code), once for each connection."""

    def __init__(self, viewer: Viewer, message: bytes, *, reconnects: bool) -> None:
        self.viewer, self.message, self.reconnects = viewer, message, reconnects
        self.closed: list[tuple[float, int]] = []
        self.sent = 0
        self.disconnected = asyncio.Event()
        viewer.lost = self._lost

    async def flood(self, until: float) -> None:
        """Flood until the time `until`; once, or with `reconnects` on a new connection each time."""
        while time.perf_counter() < until:
            self.disconnected.clear()
            with suppress(OSError, TimeoutError):
                await self.viewer.sit()
                self.started = time.perf_counter()
                await self._flood_connection(until)
            if not self.reconnects:
                return
            await asyncio.sleep(STEP)
        self.viewer.leave()

    async def _flood_connection(self, until: float) -> None:
        sent = 0
        while not self.disconnected.is_set() and (moment := time.perf_counter()) < until:
            wire = self.viewer.wire
            due = int((moment - self.started) * PER_SECOND) - sent
            for _ in range(due):
                if wire is not None:
                    wire.send(self.message)
            sent += due
            self.sent += due
            await asyncio.sleep(STEP)

    def _lost(self, code: int) -> None:
        self.closed.append((time.perf_counter() - self.started, code))
        self.disconnected.set()
