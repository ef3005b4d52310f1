"""Where a database is put together before it takes the place of what is there, whole or not at all.

SQLite: a file beside it, which takes its name at the end. PostgreSQL: a schema of its own, whose tables change places
with those that are there in one transaction. What was there is kept under another name; nothing is ever deleted.
"""

from __future__ import annotations

import copy
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from django.db import DatabaseError, connections, transaction

from backgammon.ops import running, states
from backgammon.ops.errors import Refused
from backgammon.ops.files import belongs_to_the_folder, synced

MAKING = "tablero_making"
BEFORE = "tablero_before"
ALIAS = "standing"


class Place(Protocol):
    """A database that is to be there."""

    vendor: str

    def check_alone(self) -> None:
        """Raises Refused when somebody works with what is there now."""

    def used(self) -> bool:
        """Whether anybody has been here: a person or a match, or anything that is not ours or cannot be read."""

    def making(self) -> Any:
        """A block in which `default` is the new database, still empty and elsewhere."""

    def take_over(self) -> str | None:
        """Put the new one in the place of the old. Returns where the old one is now, if there was one."""

    def discard(self) -> None:
        """Forget the new one, if there is one."""


@contextmanager
def nothing_left_of(place: Place) -> Iterator[None]:
    """Whatever goes wrong in the block, no half of a new database stays behind."""
    try:
        yield
    except BaseException:
        with suppress(DatabaseError, OSError):
            place.discard()
        raise


def place_of(settings: dict[str, Any]) -> Place:
    """The place of a database that Django knows by these settings."""
    if "sqlite3" in settings["ENGINE"]:
        return SqlitePlace(settings, Path(settings["NAME"]))
    return PostgresPlace(settings)


def stamp() -> str:
    """The moment, as it stands in names."""
    return datetime.now(UTC).strftime("%Y%m%d_%H%M%S")


@dataclass
class SqlitePlace:
    """A file. While it is made nobody waits for a disk; it is on it before it gets its name."""

    settings: dict[str, Any]
    path: Path
    vendor = "sqlite"

    @property
    def _made(self) -> Path:
        return self.path.with_name(f"{self.path.name}.making")

    def check_alone(self) -> None:
        """Leaving the log needs the file for oneself alone: that is the proof, and afterwards it is one whole file."""
        if not self.path.exists():
            return
        with self._standing() as alias:
            running.check_stopped(alias)
        try:
            with closing(sqlite3.connect(self.path, timeout=1)) as connection:
                connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Refused("keep_runs") from error
        except sqlite3.DatabaseError:
            return  # it is damaged, and kept as it is

    def used(self) -> bool:
        if not self.path.exists() or not self.path.stat().st_size:
            return False
        with self._standing() as alias:
            return _used(alias)

    @contextmanager
    def making(self) -> Iterator[None]:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.discard()
        os.close(os.open(self._made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        options = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;",
        }
        with states.lent("default", {**copy.deepcopy(self.settings), "NAME": str(self._made), "OPTIONS": options}):
            yield
        belongs_to_the_folder(self._made)
        synced(self._made)

    def take_over(self) -> str | None:
        aside = None
        if self.path.exists():
            self.check_alone()
            aside = self.path.with_name(f"{self.path.stem}.before_{stamp()}{self.path.suffix}")
            for end in ("-wal", "-shm"):  # of a damaged one; a sound one is a single file now
                if (beside := Path(f"{self.path}{end}")).exists():
                    beside.rename(f"{aside}{end}")
            os.link(self.path, aside)
        self._made.replace(self.path)
        synced(self.path.parent)
        return str(aside) if aside else None

    def discard(self) -> None:
        for end in ("", "-journal", "-wal", "-shm"):
            Path(f"{self._made}{end}").unlink(missing_ok=True)

    @contextmanager
    def _standing(self) -> Iterator[str]:
        with states.lent(ALIAS, {**copy.deepcopy(self.settings), "OPTIONS": {"timeout": 5}}) as alias:
            yield alias


@dataclass
class PostgresPlace:
    """The tables of one schema. Others that live in it are left alone."""

    settings: dict[str, Any]
    vendor = "postgresql"

    def check_alone(self) -> None:
        with self._standing() as alias:
            running.check_stopped(alias)

    def used(self) -> bool:
        with self._standing() as alias:
            return _used(alias)

    @contextmanager
    def making(self) -> Iterator[None]:
        self.discard()
        with self._standing() as alias, connections[alias].cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {MAKING}")
        with states.lent("default", self._reached(f"-c search_path={MAKING} -c synchronous_commit=off")):
            yield

    def take_over(self) -> str | None:
        """The tables change places under locks that nobody else can hold, and all at once."""
        aside = self._change_places()
        with self._standing() as alias, connections[alias].cursor() as cursor:
            cursor.execute("ANALYZE")
        return aside

    def _change_places(self) -> str | None:
        self.check_alone()
        with self._standing() as alias, transaction.atomic(using=alias), connections[alias].cursor() as cursor:
            cursor.execute("SELECT quote_ident(current_schema())")
            here = cursor.fetchone()[0]
            new = _tables(cursor, f"'{MAKING}'")
            families = {name.split("_")[0] for name in new}
            old = [name for name in _tables(cursor, "current_schema()") if name.split("_")[0] in families]
            aside = f"{BEFORE}_{stamp()}" if old else None
            if aside:
                cursor.execute(f"CREATE SCHEMA {aside}")
            for names, source, target in ((old, here, aside), (new, MAKING, here)):
                for name in names:
                    cursor.execute(f'ALTER TABLE {source}."{name}" SET SCHEMA {target}')
            cursor.execute(f"DROP SCHEMA {MAKING}")
            running.check_unconnected(alias)  # who came meanwhile waits for our locks, and has written nothing
        return aside

    def discard(self) -> None:
        with self._standing() as alias, connections[alias].cursor() as cursor:
            cursor.execute("SET client_min_messages = warning")
            cursor.execute(f"DROP SCHEMA IF EXISTS {MAKING} CASCADE")

    def _reached(self, more: str = "") -> dict[str, Any]:
        found = copy.deepcopy(self.settings)
        options = {key: value for key, value in found["OPTIONS"].items() if key != "pool"}
        options["options"] = f"{options.get('options', '')} {more}".strip()
        return found | {"OPTIONS": options, "CONN_MAX_AGE": 0}

    @contextmanager
    def _standing(self) -> Iterator[str]:
        with states.lent(ALIAS, self._reached()) as alias:
            yield alias


def _tables(cursor: Any, schema: str) -> list[str]:
    cursor.execute(f"SELECT tablename FROM pg_tables WHERE schemaname = {schema} ORDER BY 1")  # nosec B608  # noqa: S608
    return [name for (name,) in cursor.fetchall()]


def _used(alias: str) -> bool:
    connection = connections[alias]
    try:
        with connection.cursor() as cursor:
            names = set(connection.introspection.table_names(cursor))
            if connection.vendor == "sqlite" and names and "django_migrations" not in names:
                return True  # the file is another program's
            return any(_has_people(cursor, alias, table) for table in {"accounts_user", "games_match"} & names)
    except DatabaseError:
        if connection.vendor == "sqlite":
            return True  # it cannot be read: something has been there
        raise


def _has_people(cursor: Any, alias: str, table: str) -> bool:
    """The bots of the house come with the tables, and are nobody."""
    quoted = connections[alias].ops.quote_name(table)
    cursor.execute(f"SELECT * FROM {quoted} LIMIT 0")  # nosec B608  # noqa: S608
    people = " WHERE NOT is_bot" if "is_bot" in [column[0] for column in cursor.description] else ""
    cursor.execute(f"SELECT 1 FROM {quoted}{people} LIMIT 1")  # nosec B608  # noqa: S608
    return cursor.fetchone() is not None
