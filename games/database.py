"""Database access from async code, and the one clock that counts: the database's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections, connection, connections

from games import message_delivery

P = ParamSpec("P")
R = TypeVar("R")


def now() -> datetime:
    """The database's clock at this statement, not at the start of the transaction.

    PostgreSQL freezes `now()` at BEGIN, which may be long before a row lock is granted: hence `clock_timestamp()`.
    SQLite lives in this process, so its clock is this machine's.
    """
    if connection.vendor != "postgresql":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


@cache
def _threads() -> ThreadPoolExecutor | None:
    """The database threads of this process: while one waits for PostgreSQL another computes. SQLite has one writer."""
    count = settings.PLAY_THREADS
    return ThreadPoolExecutor(count, "play") if count > 1 else None


async def in_db(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `function` in the database thread, keeping its connection open between calls unless it broke.

    Its messages to the sockets are sent from here, after its commit: neither the database thread nor the answer waits
    for the broker.
    """

    def call() -> R:
        try:
            return function(*args, **kwargs)
        finally:
            if any(c.errors_occurred for c in connections.all(initialized_only=True)):
                close_old_connections()

    with message_delivery.collecting() as messages:
        try:
            pool = _threads()
            return await sync_to_async(call, thread_sensitive=pool is None, executor=pool)()
        finally:
            message_delivery.deliver_in_background(messages)
