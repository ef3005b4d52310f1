"""The SQL of a batch of acts: one transaction in two trips to the database, on PostgreSQL and on SQLite.

The first trip locks the matches and reads them with their seats and the database's clock; the second writes all
actions and all matches and commits. A match that somebody else has locked is left out, so that it holds up no other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

import orjson
import psycopg
from django.db import connection, transaction
from django.db.models import Field, JSONField

from accounts.models import User
from games.database import now
from games.engine import SIDES
from games.live.folded_matches import FoldedMatch, SeatRows, Stamp, fold
from games.models import Action, Match, Seat
from games.services import match_sql
from games.services.match_sql import (
    ACTION_FIELDS,
    MATCH_ATTNAMES,
    MATCH_FIELDS,
    SEAT_COLUMNS,
    SEAT_WIDTH,
    seats_join,
    table,
)

ACT_FIELD_NAMES = (
    *("version", "roll_index", "snapshot", "dice", "clock", "clock_at", "flag_at", "bot_at", "remind_at", "pause"),
    "orders",
)
"""The columns of a match that an ordinary act may change: of `match_sql.PLAY_FIELD_NAMES` all but those of its end."""
NEVER = datetime.min.replace(tzinfo=UTC)
ACT_FIELDS: list[Field[Any, Any]] = [each for each in MATCH_FIELDS if each.name in ACT_FIELD_NAMES]


@dataclass
class Batch(ABC):
    """The locked matches of a transaction. `moment` is the database's clock after the locks."""

    moment: datetime
    alive: datetime | None
    stamps: dict[str, Stamp] = field(default_factory=dict)
    columns: dict[str, Sequence[Any]] = field(default_factory=dict)
    seats: dict[str, SeatRows] = field(default_factory=dict)

    def __contains__(self, match_id: str) -> bool:
        """Whether this match is locked, and has been played."""
        return match_id in self.stamps

    def read(self, match_id: str) -> FoldedMatch:
        """Decode the row of a locked match."""
        match = Match.from_db(connection.alias, MATCH_ATTNAMES, self.decode(self.columns[match_id]))
        seat_rows = self.seats[match_id]
        return fold(
            self.stamps[match_id], match, seat_rows, [match_sql.seat_of_row(match_id, row) for row in seat_rows]
        )

    @abstractmethod
    def decode(self, columns: Sequence[Any]) -> list[Any]:
        """The values of a row of matches as the ORM would read them."""

    @abstractmethod
    def write(self, matches: Sequence[Match], actions: Sequence[Action]) -> dict[str, Stamp]:
        """Append the actions, update the matches and commit; the stamps of the rows after it."""


@contextmanager
def locked_batch(match_ids: Sequence[str]) -> Iterator[Batch]:
    """Lock these matches; what `Batch.write` has not committed at the end is rolled back. Raises DatabaseError."""
    opened = _postgres_batch if connection.vendor == "postgresql" else _sqlite_batch
    with opened(match_ids) as batch:
        yield batch


# PostgreSQL: two pipelines on the connection of this thread


@contextmanager
def _postgres_batch(match_ids: Sequence[str]) -> Iterator[Batch]:
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    raw.prepare_threshold = 2  # these statements are the same all the time
    begin, matches = psycopg.Cursor(raw), psycopg.Cursor(raw)
    try:
        with raw.pipeline():
            begin.execute("BEGIN")
            matches.execute(_postgres_select(), [list(match_ids)])
        rows = matches.fetchall()
        batch = PostgresBatch(raw, *read_clock(rows))
        for row in rows:
            columns, white, black = row[3 : -2 * SEAT_WIDTH], row[-2 * SEAT_WIDTH : -SEAT_WIDTH], row[-SEAT_WIDTH:]
            match_id = columns[0]
            batch.stamps[match_id], batch.columns[match_id], batch.seats[match_id] = row[0], columns, (white, black)
        yield batch
    finally:
        if not raw.closed and raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            raw.execute("ROLLBACK")


def read_clock(rows: Sequence[Sequence[Any]]) -> tuple[datetime, datetime | None]:
    """The database's clock when it locked these rows, and the last heartbeat of the site."""
    return max((row[1] for row in rows), default=NEVER), rows[0][2] if rows else None


class PostgresBatch(Batch):
    """A batch on PostgreSQL, where `xmin`, the transaction that wrote a row, and the version are its stamp."""

    def __init__(self, raw: psycopg.Connection[Any], moment: datetime, alive: datetime | None) -> None:
        super().__init__(moment, alive)
        self.raw = raw

    def decode(self, columns: Sequence[Any]) -> list[Any]:
        values = list(columns)
        for index in _json_columns():
            if values[index] is not None:
                values[index] = orjson.loads(values[index])
        return values

    def write(self, matches: Sequence[Match], actions: Sequence[Action]) -> dict[str, Stamp]:
        updated, inserted = psycopg.Cursor(self.raw), psycopg.Cursor(self.raw)
        columns = [[_plain(each, match) for match in matches] for each in ACT_FIELDS]
        rows = [[_plain(each, action) for action in actions] for each in ACTION_FIELDS]
        with self.raw.pipeline():
            inserted.execute(_postgres_insert(), rows)
            updated.execute(_postgres_update(), [[match.pk for match in matches], *columns])
            inserted.execute("COMMIT")
        return dict(updated.fetchall())


def _plain(column: Field[Any, Any], row: Any) -> Any:
    """The value of a column as a parameter of PostgreSQL."""
    value = getattr(row, column.attname)
    return orjson.dumps(value).decode() if value is not None and isinstance(column, JSONField) else value


@cache
def _json_columns() -> list[int]:
    return [index for index, column in enumerate(MATCH_FIELDS) if isinstance(column, JSONField)]


@cache
def _postgres_select() -> str:
    """The statement that locks matches and reads them with their seats.

    Nobody is waited for, so what it reads is what it locks, but for a transaction that committed within it: then the
    match is the new one, and the seats are those of a moment before, which only the end of a game changes.
    """
    columns = [f"m.{each.column}{'::text' if isinstance(each, JSONField) else ''}" for each in MATCH_FIELDS]
    seats, joins = [], []
    for side in SIDES:
        seats.append(match_sql.seat_columns(seat=side, user=f"{side}_user"))
        joins.append(
            f"JOIN {table(Seat)} {side} ON {side}.match_id = m.id AND {side}.side = '{side}' "
            f"JOIN {table(User)} {side}_user ON {side}_user.id = {side}.user_id"
        )
    return (
        f"SELECT m.xmin::text || '/' || m.version, clock_timestamp(), ({match_sql.heartbeat_select()}), "  # nosec B608  # noqa: S608
        f"{', '.join([*columns, *seats])} FROM {table(Match)} m {' '.join(joins)} "
        "WHERE m.id = ANY(%s) ORDER BY m.id FOR UPDATE OF m SKIP LOCKED"
    )


@cache
def _postgres_update() -> str:
    names = [str(each.column) for each in ACT_FIELDS]
    changes = ", ".join(f"{name} = v.{name}{_cast(each)}" for name, each in zip(names, ACT_FIELDS, strict=True))
    arrays = ", ".join(["%s::text[]", *(f"%s::{_array_type(each)}" for each in ACT_FIELDS)])
    return (
        f"UPDATE {table(Match)} m SET {changes} FROM unnest({arrays}) AS v(match_id, {', '.join(names)}) "  # nosec B608  # noqa: S608
        "WHERE m.id = v.match_id RETURNING m.id, m.xmin::text || '/' || m.version"
    )


@cache
def _postgres_insert() -> str:
    names = ", ".join(str(each.column) for each in ACTION_FIELDS)
    arrays = ", ".join(f"%s::{_array_type(each)}" for each in ACTION_FIELDS)
    return f"INSERT INTO {table(Action)} ({names}) SELECT * FROM unnest({arrays})"  # nosec B608  # noqa: S608


def _array_type(column: Field[Any, Any]) -> str:
    if isinstance(column, JSONField):
        return "text[]"
    kind = str(column.db_type(connection)).partition("(")[0]
    return f"{'text' if kind == 'varchar' else kind}[]"


def _cast(column: Field[Any, Any]) -> str:
    return "::jsonb" if isinstance(column, JSONField) else ""


# SQLite: the transaction itself is the lock, and a row is its own stamp


@contextmanager
def _sqlite_batch(match_ids: Sequence[str]) -> Iterator[Batch]:
    with transaction.atomic():
        batch = SqliteBatch(now(), None)
        with connection.cursor() as cursor:
            cursor.execute(match_sql.heartbeat_select())
            batch.alive = next((match_sql.zoned(at) for (at,) in cursor.fetchall()), None)
            batch.read_rows(match_ids)
            marks = ", ".join(["%s"] * len(match_ids))
            cursor.execute(
                f"SELECT s.match_id, {SEAT_COLUMNS} {seats_join()} WHERE s.match_id IN ({marks}) ORDER BY s.id",  # nosec B608
                list(match_ids),
            )
            for match_id, *seat in cursor.fetchall():
                batch.seats[match_id] = (*batch.seats.get(match_id, ()), tuple(seat))
        yield batch


class SqliteBatch(Batch):
    """A batch on SQLite. It commits at the end of the block."""

    def read_rows(self, match_ids: Iterable[str]) -> None:
        """Read the rows of these matches, and their stamps."""
        with connection.cursor() as cursor:
            for match_id in match_ids:
                cursor.execute(match_sql.match_select(lock=False), [match_id])
                if (row := cursor.fetchone()) is not None:
                    self.stamps[match_id] = self.columns[match_id] = row

    def decode(self, columns: Sequence[Any]) -> list[Any]:
        return match_sql.match_values(columns)

    def write(self, matches: Sequence[Match], actions: Sequence[Action]) -> dict[str, Stamp]:
        match_sql.actions_insert(actions)
        for match in matches:
            match_sql.match_update(match)
        self.read_rows(match.pk for match in matches)
        return {match.pk: self.stamps[match.pk] for match in matches}
