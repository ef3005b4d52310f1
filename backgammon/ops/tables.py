"""The rows of a database as lines of text that are the same whatever database they stand in, and back again.

A line is the JSON of one row: columns in the order of `Table.columns`, moments in UTC, bytes in base64, the value of a
JSON column as text with its keys sorted (PostgreSQL keeps no order of keys). The SHA-256 of a table is that of its
lines in the order of its key.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any
from uuid import UUID

from django.apps.registry import Apps
from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Cast, Collate

CHUNK = 2_000  # rows in hand at a time
WRITTEN_OUT = 1e16  # from here on Python writes 1e+16 and PostgreSQL 10000000000000000

Read = Callable[[Any], Any]


@dataclass(frozen=True)
class Table:
    """One table of the site, as it was in some version of it."""

    model: type[models.Model]

    @property
    def name(self) -> str:
        return self.model._meta.db_table

    @cached_property
    def fields(self) -> list[models.Field[Any, Any]]:
        """The columns that somebody writes; what the database computes by itself is left to it."""
        return [one for one in self.model._meta.local_concrete_fields if not one.generated]

    @cached_property
    def columns(self) -> list[str]:
        return [str(one.column) for one in self.fields]

    @property
    def counted(self) -> str | None:
        """The column that the database numbers by itself."""
        auto = self.model._meta.auto_field
        return auto.column if auto in self.fields else None

    def lines(self, alias: str) -> Iterator[bytes]:
        """Every row, in the order of its key; all of one moment if `alias` stands in a transaction of one snapshot."""
        connection = connections[alias]
        key = self.model._meta.pk
        order: Any = key.attname
        if connection.vendor == "postgresql" and isinstance(_target(key), models.CharField | models.TextField):
            order = Collate(key.attname, "C")  # byte by byte, as SQLite orders
        wanted = [Cast(one.attname, models.TextField()) if _is_json(one) else one.attname for one in self.fields]
        of_json = [index for index, one in enumerate(self.fields) if _is_json(one)]
        rows = self.model._base_manager.using(alias).order_by(order).values_list(*wanted)
        for row in rows.iterator(chunk_size=CHUNK):
            if of_json:
                row = list(row)
                for index in of_json:
                    row[index] = None if row[index] is None else canonical(row[index])
            yield encode(row).encode()

    def fill(self, alias: str, lines: Iterable[bytes]) -> None:
        """Put the rows of these lines into the table, which is empty."""
        connection = connections[alias]
        read = [_reader(one, connection) for one in self.fields]
        rows = ([each(value) for each, value in zip(read, json.loads(line), strict=True)] for line in lines)
        quote = connection.ops.quote_name
        into = f"{quote(self.name)} ({', '.join(map(quote, self.columns))})"
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
                return
            insert = f"INSERT INTO {into} VALUES ({', '.join(['%s'] * len(read))})"  # nosec B608  # noqa: S608  (our own names)
            while batch := list(islice(rows, CHUNK)):
                cursor.executemany(insert, batch)

    def last_number(self, alias: str) -> int:
        """The highest number that the database has given to a row of this table, of rows long gone, too."""
        connection = connections[alias]
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                if not (sequence := self._sequence(cursor)):
                    return 0
                cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # nosec B608  # noqa: S608
            else:
                cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [self.name])
            found = cursor.fetchone()
            return int(found[0]) if found else 0

    def count_from(self, alias: str, last: int) -> None:
        """Let the next row that comes by itself have a number above `last`, and above all that are there."""
        connection = connections[alias]
        with connection.cursor() as cursor:
            quote = connection.ops.quote_name
            cursor.execute(f"SELECT max({quote(str(self.counted))}) FROM {quote(self.name)}")  # nosec B608  # noqa: S608
            last = max(last, cursor.fetchone()[0] or 0)
            if connection.vendor == "postgresql":
                if sequence := self._sequence(cursor):
                    cursor.execute("SELECT setval(%s, %s, %s)", [sequence, max(last, 1), last > 0])
                return
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [self.name])
            if last:
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [self.name, last])

    def _sequence(self, cursor: Any) -> str | None:
        cursor.execute("SELECT pg_get_serial_sequence(quote_ident(%s), %s)", [self.name, self.counted])
        found: str | None = cursor.fetchone()[0]
        return found


@dataclass
class Seal:
    """How many lines went by, and the SHA-256 of all of them, each with its line end."""

    rows: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def over(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The same lines, sealed as they pass."""
        for line in lines:
            self.rows += 1
            self.digest.update(line)
            self.digest.update(b"\n")
            yield line

    @property
    def sha256(self) -> str:
        return str(self.digest.hexdigest())


def seal_of(table: Table, alias: str) -> Seal:
    """The seal of a table as it stands."""
    seal = Seal()
    for _ in seal.over(table.lines(alias)):
        pass
    return seal


def tables_of(apps: Apps) -> list[Table]:
    """Every table of these models, those between two models included, by name."""
    kept = (
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    )
    return sorted((Table(model) for model in kept), key=lambda table: table.name)


def canonical(text: str) -> str:
    """A JSON text, written in the one way in which every database gives it back."""
    return _json.encode(_plain_numbers(json.loads(text)))


def _plain_numbers(value: Any) -> Any:
    if isinstance(value, float) and (value == 0 or abs(value) >= WRITTEN_OUT) and value.is_integer():
        return int(value) if value else 0.0  # PostgreSQL knows no -0.0
    if isinstance(value, dict):
        return {key: _plain_numbers(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain_numbers(one) for one in value]
    return value


def _said(value: Any) -> str | int:
    """A value that JSON has no word for."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if isinstance(value, UUID | Decimal):
        return str(value)
    raise TypeError(f"no way to write {value!r}")


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_said).encode

READ: dict[type[models.Field[Any, Any]], Read] = {
    models.DateTimeField: datetime.fromisoformat,
    models.DateField: date.fromisoformat,
    models.TimeField: time.fromisoformat,
    models.BinaryField: base64.b64decode,
    models.DurationField: lambda microseconds: timedelta(microseconds=microseconds),
    models.UUIDField: UUID,
    models.DecimalField: Decimal,
}


def _reader(column: models.Field[Any, Any], connection: BaseDatabaseWrapper) -> Read:
    """What makes the value for a column out of what stands in a line."""
    if _is_json(column):
        return lambda text: None if text is None else connection.ops.adapt_json_value(json.loads(text), None)
    kind = _target(column)
    read = next((READ[one] for one in type(kind).__mro__ if one in READ), None)
    if read is None:
        return lambda value: column.get_db_prep_save(value, connection)
    return lambda value: column.get_db_prep_save(None if value is None else read(value), connection)


def _target(column: models.Field[Any, Any]) -> models.Field[Any, Any]:
    """The field whose values a column holds: that of a foreign key is the key over there."""
    while isinstance(column, models.ForeignKey):
        column = column.target_field
    return column


def _is_json(column: models.Field[Any, Any]) -> bool:
    return isinstance(column, models.JSONField)
