"""A connection to PostgreSQL on which the event loop itself waits for the answers of one statement.

A thread would be handed each batch and would hand back each answer, and both of them would wait for the interpreter.
libpq can send without waiting, and the loop says when there is something to read. The statement is prepared and planned
once a connection. Whoever uses it has another way for when it is not `ready`.
"""

from __future__ import annotations

import asyncio
import logging
import time
import weakref
from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from games.live.statements import plan_once

log = logging.getLogger(__name__)

RETRY_AFTER = 1.0
"""Seconds from a connection that failed to the next."""
REFUSALS = "23"
"""The class of errors after which a connection is as good as before: a constraint refuses a row."""
NAME = b"statement"

Row = tuple[str | None, ...]


class LoopConnection:
    """Runs one statement, with `$1`, `$2` for its parameters, one at a time; used in one event loop."""

    def __init__(self, statement: str) -> None:
        self._statement = statement.encode()
        self._loop = asyncio.get_running_loop()
        self._pg: PGconn | None = None
        self._socket = -1  # libpq forgets its own when it ends
        self._close: weakref.finalize[Any, LoopConnection] | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._connect_from = 0.0
        self._answer: asyncio.Future[list[Row]] | None = None
        self._results: list[PGresult] = []

    @property
    def ready(self) -> bool:
        """Whether `run` may be called."""
        return self._pg is not None and self._answer is None

    def connect_soon(self) -> None:
        """Connect while others go on, unless that is done, under way, or has just failed."""
        if self._pg is None and self._connecting is None and time.monotonic() >= self._connect_from:
            self._connecting = self._loop.create_task(self._connect())

    def run(self, parameters: Sequence[str]) -> asyncio.Future[list[Row]]:
        """Send the statement, and return its rows to come; each value is a text.

        The future raises psycopg.Error: after OperationalError nobody knows whether the statement was carried out.
        """
        if self._pg is None or self._answer is not None:
            raise RuntimeError("not ready")
        self._answer = answer = self._loop.create_future()
        try:
            self._pg.send_query_prepared(NAME, [each.encode() for each in parameters])
            self._flush()
        except psycopg.Error as error:
            self._fail(error)
        return answer

    async def _connect(self) -> None:
        try:
            wrapper = await self._loop.run_in_executor(None, _connected, self._statement)
        except Exception as error:  # the other way will find it as well, and say more
            log.warning("no connection for acts: %s", error)
            self._connect_from = time.monotonic() + RETRY_AFTER
        else:
            self._pg = wrapper.connection.pgconn
            self._close = weakref.finalize(self, _disconnect, wrapper)  # also where nobody says `close`
            self._close.atexit = False  # type: ignore[misc]  # a property; the pool is gone by then
            self._socket = self._pg.socket
            self._loop.add_reader(self._socket, self._read)
        finally:
            self._connecting = None

    def _flush(self) -> None:
        """Send what the socket takes, and the rest when it takes more."""
        if self._pg is not None:
            try:
                if self._pg.flush():
                    self._loop.add_writer(self._socket, self._flush)
                else:
                    self._loop.remove_writer(self._socket)
            except psycopg.Error as error:
                self._fail(error)

    def _read(self) -> None:
        """Read what has come: a part of an answer, its end, or the end of the connection."""
        if (pg := self._pg) is None:
            return
        try:
            pg.consume_input()
            while self._answer is not None and not pg.is_busy():
                if (result := pg.get_result()) is None:
                    self._finish()
                else:
                    self._results.append(result)
        except psycopg.Error as error:
            self._fail(error)

    def _finish(self) -> None:
        if not self._results:  # nobody may wait for ever
            self._fail(psycopg.OperationalError("the statement has no result"))
            return
        answer, result = self._answer, self._results[0]
        if result.status != ExecStatus.TUPLES_OK:
            error = psycopg.errors.error_from_result(result)
            self._fail(error, close=not (error.sqlstate or "").startswith(REFUSALS))
            return
        self._answer, self._results = None, []
        if answer is not None and not answer.done():
            columns = range(result.nfields)
            answer.set_result([tuple(_text(result, row, each) for each in columns) for row in range(result.ntuples)])

    def _fail(self, error: psycopg.Error, *, close: bool = True) -> None:
        """Give the error to who waits for the answer, and give up the connection."""
        if close:
            self.close()
        answer, self._answer, self._results = self._answer, None, []
        if answer is not None and not answer.done():
            answer.set_exception(error)

    def close(self) -> None:
        """Give up the connection, whatever is under way."""
        if self._pg is not None and self._close is not None:
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._close()
        self._pg = None


def _text(result: PGresult, row: int, column: int) -> str | None:
    value = result.get_value(row, column)
    return None if value is None else value.decode()


def _connected(statement: bytes) -> Any:
    """Django's wrapper of a new connection that has prepared the statement. Raises DatabaseError, psycopg.Error."""
    wrapper = connections.create_connection(DEFAULT_DB_ALIAS)
    wrapper.inc_thread_sharing()
    wrapper.ensure_connection()
    try:
        raw = wrapper.connection
        plan_once(raw)
        prepared = raw.pgconn.prepare(NAME, statement)
        if prepared.status != ExecStatus.COMMAND_OK:
            raise psycopg.errors.error_from_result(prepared)
        raw.pgconn.nonblocking = 1
    except BaseException:
        _disconnect(wrapper)
        raise
    return wrapper


def _disconnect(wrapper: Any) -> None:
    """Close a connection itself: one that goes back to the pool closed is replaced there."""
    if wrapper.connection is not None:
        wrapper.connection.close()
        wrapper._close()  # not `close`, which refuses to run in an event loop
        wrapper.connection = None
