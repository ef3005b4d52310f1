"""Dump the rows of a table as lines of text that are the same on SQLite and PostgreSQL, and load them again.

A line is the JSON of one row: columns in the order of `Table.columns`, times in UTC, bytes in base64, the value of a
JSON column as text with sorted keys (PostgreSQL does not keep their order). The SHA-256 of a table is that of its lines
in the order of its primary key.
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

CHUNK = 2_000  # rows in memory at a time
EXPONENT_FROM = 1e16  # from here on Python writes 1e+16 and PostgreSQL 10000000000000000

Parser = Callable[[Any], Any]


@dataclass(frozen=True)
class Table:
    """One table of the site, as defined by the models of some version."""

    model: type[models.Model]

    @property
    def name(self) -> str:
        return self.model._meta.db_table

    @cached_property
    def fields(self) -> list[models.Field[Any, Any]]:
        """The columns to dump: all but generated ones, which the database computes."""
        return [field for field in self.model._meta.local_concrete_fields if not field.generated]

    @cached_property
    def columns(self) -> list[str]:
        return [str(field.column) for field in self.fields]

    @property
    def auto_column(self) -> str | None:
        """The column whose values the database numbers."""
        auto = self.model._meta.auto_field
        return auto.column if auto in self.fields else None

    def lines(self, alias: str) -> Iterator[bytes]:
        """Yield every row in the order of its primary key; consistent if `alias` is in a snapshot transaction."""
        connection = connections[alias]
        key = self.model._meta.pk
        order: Any = key.attname
        if connection.vendor == "postgresql" and isinstance(_target(key), models.CharField | models.TextField):
            order = Collate(key.attname, "C")  # byte by byte, as SQLite orders
        selected = [
            Cast(field.attname, models.TextField()) if _is_json(field) else field.attname for field in self.fields
        ]
        json_indexes = [index for index, field in enumerate(self.fields) if _is_json(field)]
        rows = self.model._base_manager.using(alias).order_by(order).values_list(*selected)
        for row in rows.iterator(chunk_size=CHUNK):
            if json_indexes:
                row = list(row)
                for index in json_indexes:
                    row[index] = None if row[index] is None else canonical_json(row[index])
            yield encode(row).encode()

    def load(self, alias: str, lines: Iterable[bytes]) -> None:
        """Insert the rows of these lines into the empty table."""
        connection = connections[alias]
        parsers = [_parser(field, connection) for field in self.fields]
        rows = ([parse(value) for parse, value in zip(parsers, json.loads(line), strict=True)] for line in lines)
        quote = connection.ops.quote_name
        into = f"{quote(self.name)} ({', '.join(map(quote, self.columns))})"
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
                return
            insert = f"INSERT INTO {into} VALUES ({', '.join(['%s'] * len(parsers))})"  # nosec B608  # noqa: S608  (names of models)
            while batch := list(islice(rows, CHUNK)):
                cursor.executemany(insert, batch)

    def last_id(self, alias: str) -> int:
        """Return the highest number the database has given to a row of this table, deleted rows included."""
        connection = connections[alias]
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                if not (sequence := self._sequence(cursor)):
                    return 0
                cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # nosec B608  # noqa: S608
            else:
                cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [self.name])
            row = cursor.fetchone()
            return int(row[0]) if row else 0

    def set_last_id(self, alias: str, last: int) -> None:
        """Make the next number that the database gives higher than `last` and than all numbers in the table."""
        connection = connections[alias]
        with connection.cursor() as cursor:
            quote = connection.ops.quote_name
            cursor.execute(f"SELECT max({quote(str(self.auto_column))}) FROM {quote(self.name)}")  # nosec B608  # noqa: S608
            last = max(last, cursor.fetchone()[0] or 0)
            if connection.vendor == "postgresql":
                if sequence := self._sequence(cursor):
                    cursor.execute("SELECT setval(%s, %s, %s)", [sequence, max(last, 1), last > 0])
                return
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [self.name])
            if last:
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [self.name, last])

    def _sequence(self, cursor: Any) -> str | None:
        cursor.execute("SELECT pg_get_serial_sequence(quote_ident(%s), %s)", [self.name, self.auto_column])
        name: str | None = cursor.fetchone()[0]
        return name


@dataclass
class Checksum:
    """The number of lines of a table, and the SHA-256 of all of them with their line ends."""

    rows: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def update_from(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the same lines, and add each to the checksum."""
        for line in lines:
            self.rows += 1
            self.digest.update(line)
            self.digest.update(b"\n")
            yield line

    @property
    def sha256(self) -> str:
        return str(self.digest.hexdigest())


def checksum_of(table: Table, alias: str) -> Checksum:
    """Return the checksum of a table in a database."""
    checksum = Checksum()
    for _ in checksum.update_from(table.lines(alias)):
        pass
    return checksum


def tables_of(apps: Apps) -> list[Table]:
    """Return all tables of these models by name, those of many-to-many relations included."""
    concrete = (
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    )
    return sorted((Table(model) for model in concrete), key=lambda table: table.name)


def canonical_json(text: str) -> str:
    """Return a JSON text in the one form that is the same from every database."""
    return _json.encode(_plain_numbers(json.loads(text)))


def _plain_numbers(value: Any) -> Any:
    if isinstance(value, float) and (value == 0 or abs(value) >= EXPONENT_FROM) and value.is_integer():
        return int(value) if value else 0.0  # PostgreSQL has no -0.0
    if isinstance(value, dict):
        return {key: _plain_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain_numbers(item) for item in value]
    return value


def _encode_other(value: Any) -> str | int:
    """Encode a value of a type that JSON does not have."""
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
    raise TypeError(f"cannot encode {value!r}")


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_encode_other).encode

PARSERS: dict[type[models.Field[Any, Any]], Parser] = {
    models.DateTimeField: datetime.fromisoformat,
    models.DateField: date.fromisoformat,
    models.TimeField: time.fromisoformat,
    models.BinaryField: base64.b64decode,
    models.DurationField: lambda microseconds: timedelta(microseconds=microseconds),
    models.UUIDField: UUID,
    models.DecimalField: Decimal,
}


def _parser(column: models.Field[Any, Any], connection: BaseDatabaseWrapper) -> Parser:
    """Return the function that turns a value of a line into one for this column."""
    if _is_json(column):
        return lambda text: None if text is None else connection.ops.adapt_json_value(json.loads(text), None)
    field = _target(column)
    parse = next((PARSERS[kind] for kind in type(field).__mro__ if kind in PARSERS), None)
    if parse is None:
        return lambda value: column.get_db_prep_save(value, connection)
    return lambda value: column.get_db_prep_save(None if value is None else parse(value), connection)


def _target(column: models.Field[Any, Any]) -> models.Field[Any, Any]:
    """Return the field whose values a column holds: of a foreign key, the primary key it points to."""
    while isinstance(column, models.ForeignKey):
        column = column.target_field
    return column


def _is_json(column: models.Field[Any, Any]) -> bool:
    return isinstance(column, models.JSONField)
