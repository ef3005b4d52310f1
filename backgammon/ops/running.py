"""Whether the site runs: what is put in the place of a database must not be written to meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, connections

from backgammon.demo import prepare
from backgammon.ops.errors import Refused
from games.models import Alive
from games.services.outage import GAP

LOOK = 0.3  # seconds between two looks
HANGS_UP = 2.0  # seconds that a connection may still be listed after it was closed


@contextmanager
def nobody_starts() -> Iterator[None]:
    """Hold the folder of the site, so that `manage.py demo` neither runs nor starts. Raises Refused."""
    try:
        with prepare.held(prepare.make_folders(settings.VAR_DIR)):
            yield
    except prepare.AlreadyRunning as error:
        raise Refused("keep_runs") from error


def check_stopped(alias: str, *, seconds: float = GAP.total_seconds()) -> None:
    """Raises Refused when somebody works with this database.

    That is: a heartbeat that beats, or on PostgreSQL any other connection. A heartbeat that was written a moment ago
    may be the last one, so it is watched for as long as it counts.
    """
    check_unconnected(alias)
    first = beat = _beat(alias)
    end = time.monotonic() + seconds
    while beat is not None and _age(alias, beat) <= seconds and time.monotonic() < end:
        if beat != first:
            raise Refused("keep_runs")
        time.sleep(LOOK)
        beat = _beat(alias)
    if beat != first:
        raise Refused("keep_runs")


def check_unconnected(alias: str) -> None:
    """Raises Refused when anybody else is connected to this database of PostgreSQL."""
    gone = time.monotonic() + HANGS_UP
    while (others := _connected(alias)) > 0:
        if time.monotonic() > gone:
            raise Refused("keep_connected", params={"count": others})
        time.sleep(LOOK)


def _beat(alias: str) -> datetime | None:
    """When the site was alive for the last time; None where no table says so."""
    try:
        return Alive.objects.using(alias).filter(pk=Alive.THE_ROW).values_list("at", flat=True).first()
    except DatabaseError:
        return None


def _age(alias: str, beat: datetime) -> float:
    if not _is_postgres(alias):
        return abs(time.time() - beat.timestamp())
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return abs(float(cursor.fetchone()[0]) - beat.timestamp())


def _connected(alias: str) -> int:
    if not _is_postgres(alias):
        return 0  # its file is taken alone when it is put aside
    with connections[alias].cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _is_postgres(alias: str) -> bool:
    return connections[alias].vendor == "postgresql"
