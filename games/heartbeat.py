"""The heartbeat of a web process: a thread that says once a second that the site is alive, busy loop or not.

It begins before the process serves anybody, so that the clocks that stood during an outage are right at the first act.
"""

from __future__ import annotations

import logging
import threading

from asgiref.sync import async_to_sync
from django.db import connection

from games import outbox
from games.services import outage

log = logging.getLogger(__name__)


def start() -> None:
    """Beat once, and from now on."""
    well = _beat(well=True, tell=False)  # nobody hears this process yet
    connection.close()  # the thread has one of its own
    threading.Thread(target=_run, args=(well,), name="heartbeat", daemon=True).start()


def _run(well: bool) -> None:
    pause = threading.Event()
    while not pause.wait(outage.PERIOD.total_seconds()):
        well = _beat(well=well, tell=True)


def _beat(*, well: bool, tell: bool) -> bool:
    """One beat; whether it came through. A database that is away is logged once, not every second."""
    try:
        with outbox.collecting() as letters:
            moved = outage.beat()
        if moved:
            log.warning("the site was away: %d matches got their time back", moved)
        if tell and letters:
            async_to_sync(outbox.deliver)(letters)
    except Exception as error:
        if well:
            log.warning("no heartbeat: %s", error)
        connection.close()
        return False
    return True
