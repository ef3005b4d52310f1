"""The heartbeat of a web process: a thread that writes four times a second that the site serves, busy loop or not.

The first heartbeat is written in the moment before the server takes its first request, because clocks run again from
it (`games.services.outage`): the process listens, and everything that it imports is loaded. The last one is written
before it drains (`games.connections.drain`).

With every sixth beat it writes which seats were heard (games.services.presence), which users have open pages
(games.services.online), and that this process is alive (games.services.web_processes).
"""

from __future__ import annotations

import itertools
import logging
import sys
import threading
from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync
from django.db import connection

from games import message_delivery
from games.services import online, outage, presence, web_processes

log = logging.getLogger(__name__)


PRESENCE_EVERY = 6  # beats

_stopping = threading.Event()


def start() -> None:
    """Beat as soon as the server's reactor runs, and then in a thread; without a Twisted reactor from now on."""
    reactor: Any = sys.modules.get("twisted.internet.reactor")
    if reactor is None:
        _begin()
    else:
        reactor.callWhenRunning(_begin)


def stop() -> None:
    """Beat no more: this process takes leave of its players."""
    _stopping.set()


def _begin() -> None:
    healthy = _beat(outage.beat_first, healthy=True, deliver=False)  # this process has no sockets yet
    _try(presence.process_started)
    _try(web_processes.begin)
    connection.close()  # the thread has one of its own
    threading.Thread(target=_run, args=(healthy,), name="heartbeat", daemon=True).start()


def _run(healthy: bool) -> None:
    for count in itertools.count(1):
        if _stopping.wait(outage.BEAT_PERIOD.total_seconds()):
            _try(web_processes.end)
            return
        healthy = _beat(outage.beat, healthy=healthy, deliver=True)
        if count % PRESENCE_EVERY == 0:
            _try(presence.write)
            _try(online.write)
            _try(web_processes.beat)


def _try(write: Callable[[], object]) -> None:
    """Write presence without ever stopping the heartbeat: a page sends its own again in 4 s."""
    try:
        write()
    except Exception as error:
        log.info("presence was not written: %s", error)
        connection.close()


def _beat(write: Callable[[], int], *, healthy: bool, deliver: bool) -> bool:
    """Beat once; whether it was written. A database that is away is logged once, not every time."""
    try:
        with message_delivery.collecting() as messages:
            moved = write()
        if moved:
            log.warning("the site did not serve for a while: %d matches got their time back", moved)
        if deliver and messages:
            async_to_sync(message_delivery.deliver)(messages)
    except Exception as error:
        if healthy:
            log.warning("no heartbeat: %s", error)
        connection.close()
        return False
    return True
