"""The PostgreSQL backend of the site: a request never gets a pooled connection that the server has closed.

The pool's own check waits one second between connections, then two, then four: after a restart of the server, a request
that meets a few dead connections in a row would time out. Here one dead connection drops all idle ones.

While no server can be written, as when a standby takes over, the pool would try after one second, then two, four, and
then not before somebody asks again. Here each connection is tried several times a second (`answering_hosts`), and those
who wait ask again each second (`timeout` of the pool).
"""

from __future__ import annotations

import time
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import errors
from psycopg_pool import ConnectionPool, PoolTimeout

WAIT = 15.0
"""Seconds that a request waits for a connection: longer than a standby takes to take over (docs/scaling.md)."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own wrapper with a different check of pooled connections."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection that has just responded. Raises OperationalError if none does within `WAIT`."""
        give_up_at = time.monotonic() + WAIT
        while True:
            try:
                return self._responding_connection(conn_params)
            except PoolTimeout:
                if time.monotonic() >= give_up_at:
                    raise

    def _responding_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        if self.pool is None:
            return connection
        try:
            ConnectionPool.check_connection(connection)
        except errors.OperationalError:
            self.pool.drain()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection
