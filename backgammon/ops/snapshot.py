"""One moment of a database, read through a connection of its own while everybody goes on writing.

SQLite: a read transaction on the log; it takes no lock that a writer waits for (the online copy of SQLite begins again
whenever another process writes, and would never end on a busy night). PostgreSQL: REPEATABLE READ, read only. All that
was committed before the block begins is in it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connections, transaction

from backgammon.ops import states
from backgammon.ops.errors import Refused
from backgammon.ops.states import State
from backgammon.ops.tables import Table, tables_of

ALIAS = "snapshot"


@dataclass(frozen=True)
class Snapshot:
    """A database at one moment: its kind, its version, and every table."""

    alias: str
    vendor: str
    state: State
    tables: list[Table]

    def last_numbers(self) -> dict[str, int]:
        """The highest number that each table has given out."""
        return {table.name: table.last_number(self.alias) for table in self.tables if table.counted}


@contextmanager
def taken() -> Iterator[Snapshot]:
    """The database of this site. Raises Refused when it cannot be read, or has no tables, or is of a newer version."""
    settings = reading(connections["default"].settings_dict)
    with said_by_database(), states.lent(ALIAS, settings) as alias, transaction.atomic(using=alias):
        state = states.applied(alias)
        if not state:
            raise Refused("keep_no_tables")
        if strange := states.unknown(state):
            raise Refused("keep_code_older", params={"what": strange[0]})
        yield Snapshot(alias, connections[alias].vendor, state, tables_of(states.models_of(state)))


def reading(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a connection to the same database that only reads, and sees one moment in a transaction."""
    found = copy.deepcopy(settings)
    options = {key: value for key, value in found["OPTIONS"].items() if key != "pool"}
    if "sqlite3" in found["ENGINE"]:
        options |= {"transaction_mode": None, "init_command": "PRAGMA query_only=ON"}
    else:
        from django.db.backends.postgresql.psycopg_any import IsolationLevel

        options["isolation_level"] = IsolationLevel.REPEATABLE_READ
        options["options"] = f"{options.get('options', '')} -c default_transaction_read_only=on".strip()
    return found | {"OPTIONS": options, "CONN_MAX_AGE": 0}


@contextmanager
def said_by_database() -> Iterator[None]:
    """What a database has against it is said in one line, as Refused."""
    try:
        yield
    except DatabaseError as error:
        why = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise Refused("keep_database", params={"why": why}) from error
