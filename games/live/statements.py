"""The SQL of a batch of acts: one transaction in two trips to the database, on PostgreSQL and on SQLite.

The first trip locks the matches and reads their stamps, their seats and the database's clock; the second writes all
actions and all matches and commits. Matches that this process has not folded as they are now take a trip between. A
match that somebody else has locked is left out, so that it holds up no other.
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
from games.live.database_clock import database_clock
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
    *("orders", "open_play"),
)
"""The columns of a match that an ordinary act may change: of `match_sql.PLAY_FIELD_NAMES` all but those of its end."""
NEVER = datetime.min.replace(tzinfo=UTC)
MATCH_KEY: Field[Any, Any] = Match._meta.get_field("id")
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

    def seats_of(self, match_id: str) -> SeatRows:
        return self.seats.get(match_id, ())

    def read(self, match_id: str) -> FoldedMatch:
        """Decode the row of a locked match."""
        match = Match.from_db(connection.alias, MATCH_ATTNAMES, self.decode(self.columns[match_id]))
        seat_rows = self.seats[match_id]
        return fold(
            self.stamps[match_id], match, seat_rows, [match_sql.seat_of_row(match_id, row) for row in seat_rows]
        )

    @abstractmethod
    def load(self, match_ids: Sequence[str]) -> None:
        """Fetch the columns of these locked matches, which `read` needs."""

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


def play_connection() -> psycopg.Connection[Any]:
    """The connection of this thread to PostgreSQL, which prepares and plans a statement of ours once: at its first run.

    PostgreSQL would plan it for its parameters five times more, each of which takes several times what running it does.
    """
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    if raw.prepare_threshold != 0:
        plan_once(raw)
        raw.prepare_threshold = 0
    return raw


def plan_once(raw: psycopg.Connection[Any]) -> None:
    """Let a connection plan its statements once, row by row and by indexes: the plan stays when the tables have grown.

    Other joins would look for the seats of a batch among those of all matches.
    """
    raw.execute("SET plan_cache_mode = force_generic_plan")
    for way in ("seqscan", "bitmapscan", "hashjoin", "mergejoin"):
        raw.execute(f"SET enable_{way} = off")


@contextmanager
def _postgres_batch(match_ids: Sequence[str]) -> Iterator[Batch]:
    raw = play_connection()
    begin, matches = psycopg.Cursor(raw), psycopg.Cursor(raw)
    try:
        with raw.pipeline():
            begin.execute("BEGIN")
            matches.execute(_postgres_select(), [list(match_ids)])
        rows = matches.fetchall()
        batch = PostgresBatch(raw, rows)
        database_clock.set(batch.moment if rows else None)
        yield batch
        if raw.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS:
            raw.execute("COMMIT")  # of nothing: after a rollback psycopg prepares all statements anew
    finally:
        if not raw.closed and raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            raw.execute("ROLLBACK")


def read_clock(rows: Sequence[Sequence[Any]]) -> tuple[datetime, datetime | None]:
    """The database's clock when it read these rows, and the last heartbeat of the site."""
    return max((row[1] for row in rows), default=NEVER), rows[0][2] if rows else None


def read_unlocked(match_ids: Sequence[str]) -> list[FoldedMatch]:
    """Those of these matches that are being played, as they are now, without a lock. Only on PostgreSQL."""
    raw = play_connection()
    batch = PostgresBatch(raw, psycopg.Cursor(raw).execute(_postgres_unlocked_select(), [list(match_ids)]).fetchall())
    if batch.stamps:
        database_clock.correct(batch.moment)
    return [batch.read(match_id) for match_id in batch.stamps]


class PostgresBatch(Batch):
    """A batch on PostgreSQL, where `xmin`, the transaction that wrote a row, and the version are its stamp.

    `rows` begin with the columns of `_stamped_matches`; those of the match may follow.
    """

    def __init__(self, raw: psycopg.Connection[Any], rows: Sequence[Sequence[Any]]) -> None:
        super().__init__(*read_clock(rows))
        self.raw = raw
        for stamp, _moment, _alive, match_id, *row in rows:
            self.stamps[match_id] = stamp
            self.seats[match_id] = (tuple(row[:SEAT_WIDTH]), tuple(row[SEAT_WIDTH : 2 * SEAT_WIDTH]))
            if columns := row[2 * SEAT_WIDTH :]:
                self.columns[match_id] = columns

    def load(self, match_ids: Sequence[str]) -> None:
        if match_ids:
            rows = psycopg.Cursor(self.raw).execute(_postgres_columns(), [list(match_ids)]).fetchall()
            self.columns |= {row[0]: row for row in rows}

    def decode(self, columns: Sequence[Any]) -> list[Any]:
        values = list(columns)
        for index in _json_columns():
            if values[index] is not None:
                values[index] = orjson.loads(values[index])
        return values

    def write(self, matches: Sequence[Match], actions: Sequence[Action]) -> dict[str, Stamp]:
        updated, inserted = psycopg.Cursor(self.raw), psycopg.Cursor(self.raw)
        with self.raw.pipeline():
            inserted.execute(insert_actions(), [_as_json(ACTION_FIELDS, actions)])
            updated.execute(_postgres_update(), [_as_json([MATCH_KEY, *ACT_FIELDS], matches)])
            inserted.execute("COMMIT")
        return dict(updated.fetchall())


def _as_json(columns: Sequence[Field[Any, Any]], rows: Iterable[Any]) -> str:
    """All rows as one parameter: psycopg would write an array for each column in Python, and escape what is JSON."""
    return orjson.dumps([row_as_json(columns, row) for row in rows]).decode()


def row_as_json(columns: Iterable[Field[Any, Any]], row: Any) -> dict[str, Any]:
    """A row as `records` reads it."""
    return {str(each.column): getattr(row, each.attname) for each in columns}


@cache
def _json_columns() -> list[int]:
    return [index for index, column in enumerate(MATCH_FIELDS) if isinstance(column, JSONField)]


POSTGRES_STAMP = "m.xmin::text || '/' || m.version"


@cache
def seat_joins() -> str:
    """What joins both seats of a match `m` and their players: `white`, `white_user`, `black`, `black_user`."""
    return " ".join(
        f"JOIN {table(Seat)} {side} ON {side}.match_id = m.id AND {side}.side = '{side}' "
        f"JOIN {table(User)} {side}_user ON {side}_user.id = {side}.user_id"
        for side in SIDES
    )


@cache
def both_seats() -> str:
    """The columns of both seats, as `PostgresBatch` reads them."""
    return ", ".join(match_sql.seat_columns(seat=side, user=f"{side}_user") for side in SIDES)


@cache
def _postgres_select() -> str:
    """The statement that locks matches and reads their stamps and seats.

    Nobody is waited for, so what it reads is what it locks, but for a transaction that committed within it: then the
    match is the new one, and the seats are those of a moment before, which only the end of a game changes.
    """
    return f"{_stamped_matches()} WHERE m.id = ANY(%s) ORDER BY m.id FOR UPDATE OF m SKIP LOCKED"


def _stamped_matches(*more: str) -> str:
    """The statement, as far as its condition, that reads matches, their seats and the database's clock."""
    known = [POSTGRES_STAMP, "clock_timestamp()", f"({match_sql.heartbeat_select()})", "m.id", both_seats(), *more]
    return f"SELECT {', '.join(known)} FROM {table(Match)} m {seat_joins()}"  # nosec B608  # noqa: S608


@cache
def _postgres_columns() -> str:
    """The statement that reads the columns of locked matches."""
    return f"SELECT {_match_columns()} FROM {table(Match)} m WHERE m.id = ANY(%s)"  # nosec B608  # noqa: S608


def _match_columns() -> str:
    """The columns of matches `m`, JSON as text."""
    return ", ".join(f"m.{each.column}{'::text' if isinstance(each, JSONField) else ''}" for each in MATCH_FIELDS)


@cache
def _postgres_unlocked_select() -> str:
    return f"{_stamped_matches(_match_columns())} WHERE m.id = ANY(%s) AND m.status = '{Match.Status.LIVE}'"


@cache
def _postgres_update() -> str:
    changes = ", ".join(f"{each.column} = v.{each.column}" for each in ACT_FIELDS)
    return (
        f"UPDATE {table(Match)} m SET {changes} FROM {records([MATCH_KEY, *ACT_FIELDS])} "  # nosec B608  # noqa: S608
        f"WHERE m.id = v.id RETURNING m.id, {POSTGRES_STAMP}"
    )


@cache
def insert_actions() -> str:
    """The statement that appends actions, whose one parameter is their rows as JSON."""
    names = ", ".join(str(each.column) for each in ACTION_FIELDS)
    return f"INSERT INTO {table(Action)} ({names}) SELECT {names} FROM {records(ACTION_FIELDS)}"  # nosec B608  # noqa: S608


def records(columns: Iterable[Field[Any, Any]], *others: str) -> str:
    """A parameter, an array of `row_as_json`, as the table `v` with these columns, and `others` with their types."""
    types = ", ".join([*(f"{each.column} {each.db_type(connection)}" for each in columns), *others])
    return f"jsonb_to_recordset(%s::jsonb) AS v({types})"


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

    def load(self, match_ids: Sequence[str]) -> None:
        """Do nothing: a row is its own stamp."""

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
