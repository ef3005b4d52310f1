"""Where a new database is built, and how it replaces the old one: completely or not at all.

SQLite: a file beside the old one, which is renamed at the end. PostgreSQL: a schema of its own, whose tables are
swapped with the old ones in one transaction. The old database is kept under another name; nothing is ever deleted.
"""

from __future__ import annotations

import copy
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from django.db import DatabaseError, connections, transaction

from backgammon.ops import ensure_stopped, migration_state
from backgammon.ops.atomic_files import fsync_path, match_folder_owner
from backgammon.ops.errors import Refused

NEW_SCHEMA = "tablero_making"
OLD_SCHEMA = "tablero_before"
ALIAS = "existing"


class DatabasePath(Protocol):
    """The path to a database that is about to be replaced or created."""

    vendor: str

    def check_unused(self) -> None:
        """Raise Refused if a site or another program uses the existing database."""

    def has_data(self) -> bool:
        """Whether the existing database holds users or matches, or belongs to another program, or is unreadable."""

    def new_database(self) -> AbstractContextManager[None]:
        """Make the new, still empty database `default` for the block."""

    def take_over(self) -> str | None:
        """Replace the old database by the new one. Returns where the old one is now, if there was one."""

    def discard(self) -> None:
        """Delete the new database, if there is one."""


@contextmanager
def discard_on_error(target: DatabasePath) -> Iterator[None]:
    """Delete the incomplete new database if the block raises."""
    try:
        yield
    except BaseException:
        with suppress(DatabaseError, OSError):
            target.discard()
        raise


def path_of(settings: dict[str, Any]) -> DatabasePath:
    """Return the path of the database that Django has by these settings."""
    if "sqlite3" in settings["ENGINE"]:
        return SqlitePath(settings, Path(settings["NAME"]))
    return PostgresPath(settings)


def timestamp() -> str:
    """Return the present time as names of old files and schemas have it."""
    return datetime.now(UTC).strftime("%Y%m%d_%H%M%S")


@dataclass
class SqlitePath:
    """A SQLite file. It is built without syncing, and synced before it is renamed."""

    settings: dict[str, Any]
    path: Path
    vendor = "sqlite"

    @property
    def _new_file(self) -> Path:
        return self.path.with_name(f"{self.path.name}.new")

    def check_unused(self) -> None:
        """Leave WAL mode: this needs exclusive access, so nobody uses the file; afterwards it is the whole database."""
        if not self.path.exists():
            return
        with self._existing() as alias:
            ensure_stopped.check_stopped(alias)
        try:
            with closing(sqlite3.connect(self.path, timeout=1)) as connection:
                connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Refused("keep_runs") from error
        except sqlite3.DatabaseError:
            return  # it is damaged, and kept as it is

    def has_data(self) -> bool:
        if not self.path.exists() or not self.path.stat().st_size:
            return False
        with self._existing() as alias:
            return _has_data(alias)

    @contextmanager
    def new_database(self) -> Iterator[None]:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.discard()
        os.close(os.open(self._new_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        options = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;",
        }
        with migration_state.temporary_connection(
            "default", {**copy.deepcopy(self.settings), "NAME": str(self._new_file), "OPTIONS": options}
        ):
            yield
        match_folder_owner(self._new_file)
        fsync_path(self._new_file)

    def take_over(self) -> str | None:
        aside = None
        if self.path.exists():
            self.check_unused()
            aside = self.path.with_name(f"{self.path.stem}.before_{timestamp()}{self.path.suffix}")
            for end in ("-wal", "-shm"):  # only of a damaged database: `check_unused` has merged the others
                if (beside := Path(f"{self.path}{end}")).exists():
                    beside.rename(f"{aside}{end}")
            os.link(self.path, aside)
        self._new_file.replace(self.path)
        fsync_path(self.path.parent)
        return str(aside) if aside else None

    def discard(self) -> None:
        for end in ("", "-journal", "-wal", "-shm"):
            Path(f"{self._new_file}{end}").unlink(missing_ok=True)

    @contextmanager
    def _existing(self) -> Iterator[str]:
        with migration_state.temporary_connection(
            ALIAS, {**copy.deepcopy(self.settings), "OPTIONS": {"timeout": 5}}
        ) as alias:
            yield alias


@dataclass
class PostgresPath:
    """The tables of a PostgreSQL schema. Tables of other programs in it are left alone."""

    settings: dict[str, Any]
    vendor = "postgresql"

    def check_unused(self) -> None:
        with self._existing() as alias:
            ensure_stopped.check_stopped(alias)

    def has_data(self) -> bool:
        with self._existing() as alias:
            return _has_data(alias)

    @contextmanager
    def new_database(self) -> Iterator[None]:
        self.discard()
        with self._existing() as alias, connections[alias].cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {NEW_SCHEMA}")
        with migration_state.temporary_connection(
            "default", self._config(f"-c search_path={NEW_SCHEMA} -c synchronous_commit=off")
        ):
            yield

    def take_over(self) -> str | None:
        """Swap the tables in one transaction, under locks that exclude everybody else."""
        aside = self._swap_tables()
        with self._existing() as alias, connections[alias].cursor() as cursor:
            cursor.execute("ANALYZE")
        return aside

    def _swap_tables(self) -> str | None:
        self.check_unused()
        with self._existing() as alias, transaction.atomic(using=alias), connections[alias].cursor() as cursor:
            cursor.execute("SELECT quote_ident(current_schema())")
            current = cursor.fetchone()[0]
            new = _tables(cursor, f"'{NEW_SCHEMA}'")
            prefixes = {name.split("_")[0] for name in new}
            old = [name for name in _tables(cursor, "current_schema()") if name.split("_")[0] in prefixes]
            aside = f"{OLD_SCHEMA}_{timestamp()}" if old else None
            if aside:
                cursor.execute(f"CREATE SCHEMA {aside}")
            for names, source, target in ((old, current, aside), (new, NEW_SCHEMA, current)):
                for name in names:
                    cursor.execute(f'ALTER TABLE {source}."{name}" SET SCHEMA {target}')
            cursor.execute(f"DROP SCHEMA {NEW_SCHEMA}")
            ensure_stopped.check_unconnected(
                alias
            )  # anybody who connected meanwhile waits for our locks and has written nothing
        return aside

    def discard(self) -> None:
        with self._existing() as alias, connections[alias].cursor() as cursor:
            cursor.execute("SET client_min_messages = warning")
            cursor.execute(f"DROP SCHEMA IF EXISTS {NEW_SCHEMA} CASCADE")

    def _config(self, more: str = "") -> dict[str, Any]:
        config = copy.deepcopy(self.settings)
        options = {key: value for key, value in config["OPTIONS"].items() if key != "pool"}
        options["options"] = f"{options.get('options', '')} {more}".strip()
        return config | {"OPTIONS": options, "CONN_MAX_AGE": 0}

    @contextmanager
    def _existing(self) -> Iterator[str]:
        with migration_state.temporary_connection(ALIAS, self._config()) as alias:
            yield alias


def _tables(cursor: Any, schema: str) -> list[str]:
    cursor.execute(f"SELECT tablename FROM pg_tables WHERE schemaname = {schema} ORDER BY 1")  # nosec B608  # noqa: S608
    return [name for (name,) in cursor.fetchall()]


def _has_data(alias: str) -> bool:
    connection = connections[alias]
    try:
        with connection.cursor() as cursor:
            names = set(connection.introspection.table_names(cursor))
            if connection.vendor == "sqlite" and names and "django_migrations" not in names:
                return True  # the file belongs to another program
            return any(_has_people(cursor, alias, table) for table in {"accounts_user", "games_match"} & names)
    except DatabaseError:
        if connection.vendor == "sqlite":
            return True  # it is unreadable, so it may hold data
        raise


def _has_people(cursor: Any, alias: str, table: str) -> bool:
    """Whether a table has rows of people: the bots that come with the tables do not count."""
    quoted = connections[alias].ops.quote_name(table)
    cursor.execute(f"SELECT * FROM {quoted} LIMIT 0")  # nosec B608  # noqa: S608
    people = " WHERE NOT is_bot" if "is_bot" in [column[0] for column in cursor.description] else ""
    cursor.execute(f"SELECT 1 FROM {quoted}{people} LIMIT 1")  # nosec B608  # noqa: S608
    return cursor.fetchone() is not None
