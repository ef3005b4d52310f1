"""Before a web process stops: sockets are told, and what they have begun is finished.

daphne stops by cancelling everything, acts under way included, and sends no close frame. So its signals are taken over
when its reactor runs, and the reactor is stopped when all is done, or after `LONGEST` seconds. A second signal stops at
once. The thread of a request that was cut off waits for the loop that is no more, and Python for the thread: what has
not ended `LAST` seconds after the reactor is ended.
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

from games import outbox
from games.doors import registry
from games.doors.entrance import Entrance

log = logging.getLogger(__name__)

LONGEST = 3.0  # seconds
LAST = 2.0  # seconds
LOOK = 0.02
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_draining: set[asyncio.Task[None]] = set()  # the loop itself keeps only weak references


async def drain(doors: registry.Doors, entrance: Entrance) -> None:
    """Return when every act under way is committed, answered and told, and every socket closed; or after 3 s.

    While the close frames are on their way (who does not answer is dropped after a second) new requests come.
    """
    try:
        async with asyncio.timeout(LONGEST):
            await doors.part()
            while doors.open or entrance.under_way or outbox.is_posting():
                await asyncio.sleep(LOOK)
    except TimeoutError:
        log.warning("stopped with %d sockets open and %d requests under way", len(doors.open), entrance.under_way)


def install(entrance: Entrance) -> None:
    """Have this process drain when it is asked to stop. It does nothing where no reactor comes to run."""
    reactor: Any = sys.modules.get("twisted.internet.reactor")
    if reactor is None:
        return

    def stop_when_drained() -> None:
        doors = registry.here()
        if doors.closing:
            stop()
            return
        task = asyncio.get_running_loop().create_task(drain(doors, entrance))
        _draining.add(task)
        task.add_done_callback(lambda _: stop())

    def stop() -> None:
        if reactor.running:
            reactor.stop()

    def heard(number: int, frame: FrameType | None) -> None:
        reactor.callFromThread(stop_when_drained)

    def listen() -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # the reloader of `runserver` keeps its signals
        for number in STOPPING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, heard)
        reactor.addSystemEventTrigger("after", "shutdown", _end_soon)

    reactor.callWhenRunning(listen)


def _end_soon() -> None:
    """The process ends within `LAST` seconds, whatever its threads wait for."""
    timer = threading.Timer(LAST, _end)
    timer.daemon = True
    timer.start()


def _end() -> None:
    main = threading.main_thread()
    left = [thread.name for thread in threading.enumerate() if not thread.daemon and thread is not main]
    log.warning("ended although threads had not: %s", ", ".join(left))
    logging.shutdown()
    os._exit(0)
