"""The heartbeat of a web process: a thread that writes once a second that the site is alive, busy loop or not.

With every second beat it writes which seats were heard (games.services.presence), and which users have open pages
(games.services.online).

It begins before the process serves requests, so that the clocks that stood in an outage are right at the first act.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable

from asgiref.sync import async_to_sync
from django.db import connection

from games import message_delivery
from games.services import online, outage, presence

log = logging.getLogger(__name__)


def start() -> None:
    """Beat once now, and then in a thread of its own."""
    healthy = _beat(healthy=True, deliver=False)  # this process has no sockets yet
    _try(presence.process_started)
    connection.close()  # the thread has one of its own
    threading.Thread(target=_run, args=(healthy,), name="heartbeat", daemon=True).start()


def _run(healthy: bool) -> None:
    pause = threading.Event()
    for beat in itertools.count():
        pause.wait(outage.BEAT_PERIOD.total_seconds())
        healthy = _beat(healthy=healthy, deliver=True)
        if beat % 2:
            _try(presence.write)
            _try(online.write)


def _try(write: Callable[[], object]) -> None:
    """Write presence without ever stopping the heartbeat: a page sends its own again in 4 s."""
    try:
        write()
    except Exception as error:
        log.info("presence was not written: %s", error)
        connection.close()


def _beat(*, healthy: bool, deliver: bool) -> bool:
    """Beat once; whether it was written. A database that is away is logged once, not every second."""
    try:
        with message_delivery.collecting() as messages:
            moved = outage.beat()
        if moved:
            log.warning("the site was down: %d matches got their time back", moved)
        if deliver and messages:
            async_to_sync(message_delivery.deliver)(messages)
    except Exception as error:
        if healthy:
            log.warning("no heartbeat: %s", error)
        connection.close()
        return False
    return True
