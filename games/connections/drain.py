"""Draining a web process before it stops: sockets get a `restart` frame, and what they have begun is finished.

daphne stops by cancelling everything, acts under way included, and sends no close frame. So its signals are taken over
when its reactor runs, and the reactor is stopped when all is done, or after `MAX_DRAIN_SECONDS` seconds. A second
signal stops at once. The thread of a request that was cut off waits for the closed loop, and Python for the thread: a
process that has not ended `MAX_EXIT_SECONDS` seconds after the reactor is ended.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

from games import heartbeat, message_delivery
from games.connections import registry
from games.connections.transport import TransportMiddleware

log = logging.getLogger(__name__)

MAX_DRAIN_SECONDS = 3.0  # seconds
MAX_EXIT_SECONDS = 2.0  # seconds
POLL_SECONDS = 0.02
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_draining: set[asyncio.Task[None]] = set()  # the loop itself keeps only weak references


async def drain(sockets: registry.SocketRegistry, transport: TransportMiddleware) -> None:
    """Return when every act under way is committed, answered and announced, and every socket closed; or after 3 s.

    While the close frames are on their way (a client that does not answer is dropped after a second) new requests come.
    """
    try:
        async with asyncio.timeout(MAX_DRAIN_SECONDS):
            await sockets.close_for_restart()
            while sockets.open or transport.under_way or message_delivery.is_delivering():
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        log.warning("stopped with %d sockets open and %d requests under way", len(sockets.open), transport.under_way)


def install(transport: TransportMiddleware) -> None:
    """Make this process drain when it is asked to stop. Without a Twisted reactor it does nothing."""
    reactor: Any = sys.modules.get("twisted.internet.reactor")
    if reactor is None:
        return

    def stop_when_drained() -> None:
        sockets = registry.current_registry()
        if sockets.closing:
            stop()
            return
        heartbeat.stop()  # its players cannot count on it any more
        task = asyncio.get_running_loop().create_task(drain(sockets, transport))
        _draining.add(task)
        task.add_done_callback(lambda _: stop())

    def stop() -> None:
        if reactor.running:
            reactor.stop()

    def on_signal(number: int, frame: FrameType | None) -> None:
        reactor.callFromThread(stop_when_drained)

    def take_signals() -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # the reloader of `runserver` keeps its signals
        for number in STOPPING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, on_signal)
        reactor.addSystemEventTrigger("after", "shutdown", _exit_soon)

    reactor.callWhenRunning(take_signals)


def _exit_soon() -> None:
    """End the process within `MAX_EXIT_SECONDS` seconds, whatever its threads wait for."""
    timer = threading.Timer(MAX_EXIT_SECONDS, _exit)
    timer.daemon = True
    timer.start()


def _exit() -> None:
    main = threading.main_thread()
    left = [thread.name for thread in threading.enumerate() if not thread.daemon and thread is not main]
    log.warning("ended although threads had not: %s", ", ".join(left))
    logging.shutdown()
    os._exit(0)
