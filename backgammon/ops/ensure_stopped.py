"""Ensure that the site is stopped: nobody may write to a database while it is replaced."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, connections

from backgammon.demo import prepare
from backgammon.ops.errors import Refused
from games.models import SiteHeartbeat
from games.services.outage import OUTAGE_AFTER

POLL_INTERVAL = 0.3  # seconds between two checks
CLOSE_DELAY = 2.0  # seconds that a connection may still be listed after it was closed


@contextmanager
def hold_site_lock() -> Iterator[None]:
    """Hold the lock of `var/`, so that `manage.py demo` neither runs nor starts. Raises Refused."""
    try:
        with prepare.exclusive_lock(prepare.make_folders(settings.VAR_DIR)):
            yield
    except prepare.AlreadyRunning as error:
        raise Refused("keep_runs") from error


def check_stopped(alias: str, *, seconds: float = OUTAGE_AFTER.total_seconds()) -> None:
    """Raise Refused if a site uses this database.

    That is: if its heartbeat advances, or if PostgreSQL has any other connection. A recent heartbeat may be the last
    one, so it is watched for as long as it would count.
    """
    check_unconnected(alias)
    first = heartbeat = _heartbeat(alias)
    end = time.monotonic() + seconds
    while heartbeat is not None and _age(alias, heartbeat) <= seconds and time.monotonic() < end:
        if heartbeat != first:
            raise Refused("keep_runs")
        time.sleep(POLL_INTERVAL)
        heartbeat = _heartbeat(alias)
    if heartbeat != first:
        raise Refused("keep_runs")


def check_unconnected(alias: str) -> None:
    """Raise Refused if there are other connections to this PostgreSQL database."""
    deadline = time.monotonic() + CLOSE_DELAY
    while (others := _other_connections(alias)) > 0:
        if time.monotonic() > deadline:
            raise Refused("keep_connected", params={"count": others})
        time.sleep(POLL_INTERVAL)


def _heartbeat(alias: str) -> datetime | None:
    """Return the time of the last heartbeat; None if there is none."""
    try:
        return SiteHeartbeat.objects.using(alias).filter(pk=SiteHeartbeat.THE_ROW).values_list("at", flat=True).first()
    except DatabaseError:
        return None


def _age(alias: str, heartbeat: datetime) -> float:
    if not _is_postgres(alias):
        return abs(time.time() - heartbeat.timestamp())
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return abs(float(cursor.fetchone()[0]) - heartbeat.timestamp())


def _other_connections(alias: str) -> int:
    if not _is_postgres(alias):
        return 0  # its file is locked exclusively before it is replaced
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _is_postgres(alias: str) -> bool:
    return connections[alias].vendor == "postgresql"
