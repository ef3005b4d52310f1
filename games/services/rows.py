"""The statements of an act and of a heartbeat, by hand: building them with the ORM costs more than running them.

Measured on PostgreSQL, an act through the ORM takes 7 ms of this process's time, most of it SQL compilation; with these
it takes 2. The values still go through the model fields, so both databases store what the ORM would.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Field

from accounts.models import User
from games.database import now
from games.models import Action, Alive, Match, Seat

PLAY_FIELDS = (
    *("status", "version", "roll_index", "snapshot", "dice", "clock", "clock_at", "flag_at", "bot_at"),
    *("remind_at", "pause", "orders"),
    *("started_at", "ended_at", "winner", "ended_by"),
)
PLAY: list[Field[Any, Any]] = [field for field in Match._meta.concrete_fields if field.name in PLAY_FIELDS]
MATCH: list[Field[Any, Any]] = list(Match._meta.concrete_fields)
COLUMNS = [field.attname for field in MATCH]
ACTION: list[Field[Any, Any]] = [field for field in Action._meta.concrete_fields if not field.primary_key]


def match_lock(match_id: str) -> Match | None:
    """The match, locked until the end of the transaction (on SQLite the transaction itself is the lock)."""
    with connection.cursor() as cursor:
        cursor.execute(_select(connection.features.has_select_for_update), [match_id])
        row = cursor.fetchone()
    return None if row is None else Match.from_db(connection.alias, COLUMNS, _read(row))


def seats_and_clock(match_id: str) -> tuple[list[Seat], datetime, datetime | None]:
    """Both seats with their players, the database's clock at this statement, and until when the site was alive."""
    clock = "clock_timestamp()" if connection.vendor == "postgresql" else "NULL"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT s.id, s.side, s.points, s.won, u.id, u.username, u.is_bot, u.owner_id, u.is_guest, "  # nosec B608  # noqa: S608
            f"(SELECT a.at FROM {_table(Alive)} a WHERE a.id = {Alive.THE_ROW}), {clock} "
            f"FROM {_table(Seat)} s JOIN {_table(User)} u ON u.id = s.user_id WHERE s.match_id = %s",
            [match_id],
        )
        rows = cursor.fetchall()
    seats = []
    for pk, side, points, won, user_id, name, is_bot, owner_id, is_guest, _alive, _moment in rows:
        user = User(pk=user_id, username=name, is_bot=bool(is_bot), owner_id=owner_id, is_guest=bool(is_guest))
        seats.append(Seat(pk=pk, match_id=match_id, side=side, points=points, won=won, user=user))
    alive, moment = rows[0][-2:] if rows else (None, None)
    return seats, moment or now(), _zoned(alive)


def pulses(match_ids: Sequence[str]) -> tuple[dict[str, list[tuple[Any, ...]]], datetime]:
    """What heartbeats ask of matches, by match, and the database's clock: for each seat (version, status, clock preset,
    since when it is played, whether it is paused, side, user, whether a bot, when the seat was last seen).
    """
    with connection.cursor() as cursor:
        cursor.execute(_pulses(connection.vendor, len(match_ids)), match_ids)
        rows = cursor.fetchall()
    told: dict[str, list[tuple[Any, ...]]] = {}
    for match_id, *row, _moment in rows:
        told.setdefault(match_id, []).append(tuple(_zoned(value) for value in row))
    moment = rows[0][-1] if rows else None
    return told, moment or now()


def actions_insert(rows: Sequence[Action]) -> None:
    """Append the rows. The unique (match, n) and (match, actor, client_id) refuse a second writer: IntegrityError."""
    if rows:
        values = [field.get_db_prep_save(field.pre_save(row, True), connection) for row in rows for field in ACTION]
        with connection.cursor() as cursor:
            cursor.execute(_insert(len(rows)), values)


def match_update(match: Match) -> None:
    """Write the columns that play changes."""
    values = [field.get_db_prep_save(getattr(match, field.attname), connection) for field in PLAY]
    with connection.cursor() as cursor:
        cursor.execute(_update(), [*values, match.pk])


def _read(row: Sequence[Any]) -> list[Any]:
    """The values of a row of matches as the ORM would read them."""
    values = list(row)
    for place, field in _read_by_field():
        values[place] = field.from_db_value(values[place], None, connection)
    if connection.vendor != "postgresql":
        for place, field in enumerate(MATCH):
            column = field.get_col(_table(Match))
            for convert in connection.ops.get_db_converters(column):
                values[place] = convert(values[place], column, connection)
    return values


@cache
def _read_by_field() -> list[tuple[int, Any]]:
    return [(place, field) for place, field in enumerate(MATCH) if hasattr(field, "from_db_value")]


def _zoned(value: Any) -> Any:
    """SQLite has no zones."""
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


@cache
def _select(lock: bool) -> str:
    columns = ", ".join(str(field.column) for field in MATCH)
    return f"SELECT {columns} FROM {_table(Match)} WHERE id = %s{' FOR UPDATE' if lock else ''}"  # nosec B608  # noqa: S608


@cache
def _pulses(vendor: str, count: int) -> str:
    clock = "clock_timestamp()" if vendor == "postgresql" else "NULL"
    return (
        "SELECT s.match_id, m.version, m.status, m.clock_preset, m.started_at, m.pause IS NOT NULL, "  # nosec B608  # noqa: S608
        f"s.side, s.user_id, u.is_bot AND u.owner_id IS NULL, s.seen_at, {clock} FROM {_table(Seat)} s "
        f"JOIN {_table(Match)} m ON m.id = s.match_id LEFT JOIN {_table(User)} u ON u.id = s.user_id "
        f"WHERE s.match_id IN ({', '.join(['%s'] * count)})"
    )


@cache
def _insert(count: int) -> str:
    columns = ", ".join(str(field.column) for field in ACTION)
    row = f"({', '.join(['%s'] * len(ACTION))})"
    return f"INSERT INTO {_table(Action)} ({columns}) VALUES {', '.join([row] * count)}"  # nosec B608  # noqa: S608


@cache
def _update() -> str:
    columns = ", ".join(f"{field.column} = %s" for field in PLAY)
    return f"UPDATE {_table(Match)} SET {columns} WHERE id = %s"  # nosec B608  # noqa: S608


def _table(model: Any) -> str:
    return connection.ops.quote_name(model._meta.db_table)
