"""A consistent snapshot of the database, read through a connection of its own while others write.

SQLite: a read transaction on the write-ahead log, which blocks no writer (SQLite's online backup starts again whenever
another process writes, and would never end on a busy site). PostgreSQL: REPEATABLE READ, read only. Everything that was
committed before the block begins is in it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connections, transaction

from backgammon.ops import migration_state
from backgammon.ops.errors import Refused
from backgammon.ops.migration_state import State
from backgammon.ops.table_dump import Table, tables_of

ALIAS = "snapshot"


@dataclass(frozen=True)
class Snapshot:
    """A database at one moment: its vendor, its applied migrations, and every table."""

    alias: str
    vendor: str
    state: State
    tables: list[Table]

    def last_ids(self) -> dict[str, int]:
        """Return the highest number that each table has given out."""
        return {table.name: table.last_id(self.alias) for table in self.tables if table.auto_column}


@contextmanager
def open_snapshot() -> Iterator[Snapshot]:
    """Open a snapshot of this site's database. Raises Refused if it is unreadable, empty or of a newer version."""
    settings = read_only_settings(connections["default"].settings_dict)
    with (
        refuse_database_errors(),
        migration_state.temporary_connection(ALIAS, settings) as alias,
        transaction.atomic(using=alias),
    ):
        state = migration_state.applied(alias)
        if not state:
            raise Refused("keep_no_tables")
        if unknown := migration_state.unknown(state):
            raise Refused("keep_code_older", params={"part": unknown[0]})
        yield Snapshot(alias, connections[alias].vendor, state, tables_of(migration_state.models_of(state)))


def read_only_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a read-only connection to the same database, whose transactions are snapshots."""
    config = copy.deepcopy(settings)
    options = {key: value for key, value in config["OPTIONS"].items() if key != "pool"}
    if "sqlite3" in config["ENGINE"]:
        options |= {"transaction_mode": None, "init_command": "PRAGMA query_only=ON"}
    else:
        from django.db.backends.postgresql.psycopg_any import IsolationLevel

        options["isolation_level"] = IsolationLevel.REPEATABLE_READ
        options["options"] = f"{options.get('options', '')} -c default_transaction_read_only=on".strip()
    return config | {"OPTIONS": options, "CONN_MAX_AGE": 0}


@contextmanager
def refuse_database_errors() -> Iterator[None]:
    """Turn a database error in the block into Refused, with its first line."""
    try:
        yield
    except DatabaseError as error:
        why = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise Refused("keep_database", params={"why": why}) from error
