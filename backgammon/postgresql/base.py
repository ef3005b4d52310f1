"""The database backend of settings.py: a page never gets a connection that the server has closed meanwhile.

The pool's own check tries one connection a second, then one in two, in four: after a restart of the server a page that
meets a few dead ones in a row waits until it fails. One that is dead tells that the others, which waited beside it, are
as old: all are made anew.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import errors
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with another way to try what comes from the pool."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that has just answered. Raises OperationalError when the server does not, within the timeout."""
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
