"""The heartbeat of a web process: a thread that says once a second that the site is alive, busy loop or not.

With every second beat it writes who was heard at the tables since (games.services.presence), and whose pages are open
(games.services.online).

It begins before the process serves anybody, so that the clocks that stood during an outage are right at the first act.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable

from asgiref.sync import async_to_sync
from django.db import connection

from games import outbox
from games.services import online, outage, presence

log = logging.getLogger(__name__)


def start() -> None:
    """Beat once, and from now on."""
    well = _beat(well=True, tell=False)  # nobody hears this process yet
    _try(presence.begin)
    connection.close()  # the thread has one of its own
    threading.Thread(target=_run, args=(well,), name="heartbeat", daemon=True).start()


def _run(well: bool) -> None:
    pause = threading.Event()
    for beat in itertools.count():
        pause.wait(outage.PERIOD.total_seconds())
        well = _beat(well=well, tell=True)
        if beat % 2:
            _try(presence.write)
            _try(online.write)


def _try(write: Callable[[], object]) -> None:
    """Who is at the tables is worth a try, and never the heartbeat: a page speaks again in 4 s."""
    try:
        write()
    except Exception as error:
        log.info("nobody at the tables was written: %s", error)
        connection.close()


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
