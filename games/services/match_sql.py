"""Hand-written SQL of an act and of a heartbeat: building these statements with the ORM costs more than running them.

Measured on PostgreSQL, an act through the ORM takes 7 ms of this process's time, most of it SQL compilation; with these
it takes 2. The values still go through the model fields, so both databases store what the ORM would.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Field

from accounts.models import User
from games.database import now
from games.models import Action, Match, Seat, SiteHeartbeat

PLAY_FIELD_NAMES = (
    *("status", "version", "roll_index", "snapshot", "dice", "clock", "clock_at", "flag_at", "bot_at"),
    *("remind_at", "pause", "orders", "open_play", "taken_back"),
    *("started_at", "ended_at", "winner", "ended_by"),
)
PLAY_FIELDS: list[Field[Any, Any]] = [field for field in Match._meta.concrete_fields if field.name in PLAY_FIELD_NAMES]
MATCH_FIELDS: list[Field[Any, Any]] = list(Match._meta.concrete_fields)
MATCH_ATTNAMES = [field.attname for field in MATCH_FIELDS]
PLAYER_FIELDS = ("id", "username", "is_bot", "owner_id", "is_guest")
"""What `seat_of_row` knows of a player, in the order of the columns; other fields are read when they are asked for."""
PLAYER_ATTNAMES = [field.attname for field in User._meta.concrete_fields if field.attname in PLAYER_FIELDS]
"""The same in the order of the model, as `from_db` wants them."""


def seat_columns(*, seat: str, user: str) -> str:
    """The columns of a seat and its player, which have these aliases: `seat_of_row` reads them."""
    of_seat = ("id", "side", "points", "won")
    return ", ".join([*(f"{seat}.{name}" for name in of_seat), *(f"{user}.{name}" for name in PLAYER_FIELDS)])


SEAT_COLUMNS = seat_columns(seat="s", user="u")
SEAT_WIDTH = 9  # columns
ACTION_FIELDS: list[Field[Any, Any]] = [field for field in Action._meta.concrete_fields if not field.primary_key]


def match_lock(match_id: str) -> Match | None:
    """The match, locked until the end of the transaction (on SQLite the transaction itself is the lock)."""
    with connection.cursor() as cursor:
        cursor.execute(match_select(lock=connection.features.has_select_for_update), [match_id])
        row = cursor.fetchone()
    return None if row is None else Match.from_db(connection.alias, MATCH_ATTNAMES, match_values(row))


def seats_and_clock(match_id: str) -> tuple[list[Seat], datetime, datetime | None]:
    """Both seats with their players, the database's clock at this statement, and until when the site was alive."""
    clock = "clock_timestamp()" if connection.vendor == "postgresql" else "NULL"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {SEAT_COLUMNS}, ({heartbeat_select()}), {clock} {seats_join()} WHERE s.match_id = %s",  # nosec B608
            [match_id],
        )
        rows = cursor.fetchall()
    seats = [seat_of_row(match_id, row[:-2]) for row in rows]
    alive, moment = rows[0][-2:] if rows else (None, None)
    return seats, moment or now(), zoned(alive)


def live_matches(match_ids: Sequence[str]) -> tuple[dict[str, Match], datetime]:
    """Those of these matches that are being played, by id, with their seats; and the database's clock."""
    clock = "clock_timestamp()" if connection.vendor == "postgresql" else "NULL"
    marks = ", ".join(["%s"] * len(match_ids))
    columns = ", ".join(str(field.column) for field in MATCH_FIELDS)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {columns} FROM {table(Match)} WHERE id IN ({marks}) AND status = %s",  # nosec B608  # noqa: S608
            [*match_ids, Match.Status.LIVE],
        )
        if not (rows := cursor.fetchall()):
            return {}, now()
        cursor.execute(
            f"SELECT s.match_id, {SEAT_COLUMNS}, {clock} {seats_join()} WHERE s.match_id IN ({marks})",  # nosec B608
            list(match_ids),
        )
        seat_rows = cursor.fetchall()
    found = [Match.from_db(connection.alias, MATCH_ATTNAMES, match_values(row)) for row in rows]
    for match in found:
        set_seats(match, [seat_of_row(match.pk, row[1:-1]) for row in seat_rows if row[0] == match.pk])
    return {match.pk: match for match in found}, (seat_rows[0][-1] if seat_rows else None) or now()


def set_seats(match: Match, seats: Sequence[Seat]) -> None:
    """Make these the seats that a match was fetched with."""
    fetched = match.seats.all()
    fetched._result_cache = sorted(seats, key=lambda seat: seat.side, reverse=True)  # White first
    match.__dict__["_prefetched_objects_cache"] = {"seats": fetched}


def seat_of_row(match_id: str, row: Sequence[Any]) -> Seat:
    """The seat and its player, from the `SEAT_COLUMNS`."""
    pk, side, points, won, user_id, name, is_bot, owner_id, is_guest = row
    known = {"id": user_id, "username": name, "is_bot": bool(is_bot), "owner_id": owner_id, "is_guest": bool(is_guest)}
    user = User.from_db(DEFAULT_DB_ALIAS, PLAYER_ATTNAMES, [known[each] for each in PLAYER_ATTNAMES])
    return Seat(pk=pk, match_id=match_id, side=side, points=points, won=won, user=user)


class LastSign(NamedTuple):
    """The version of a match, its status and clock preset; and when the seat that is silent longest was last heard.

    `at` is in seconds since 1970; None where no seat is waited for: before its start, and between the house's bots.
    """

    version: int
    status: str
    clock: str
    at: float | None


def last_signs(match_ids: Sequence[str]) -> tuple[dict[str, LastSign], datetime]:
    """How long the players of these matches have been silent, by match, and the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(_last_signs(connection.vendor, len(match_ids)), match_ids)
        rows = cursor.fetchall()
    signs = {row[0]: LastSign(row[1], row[2], row[3], _seconds(row[4])) for row in rows}
    moment = rows[0][-1] if rows else None
    return signs, now() if moment is None else datetime.fromtimestamp(moment, UTC)


def _seconds(moment: Any) -> float | None:
    """Seconds since 1970: SQLite computes with moments as texts, without a zone."""
    return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() if isinstance(moment, str) else moment


def heartbeats(match_ids: Sequence[str]) -> tuple[dict[str, list[tuple[Any, ...]]], datetime]:
    """The facts of heartbeats by match, and the database's clock.

    For each seat: version, status, clock preset, start of play, whether it is paused, side, user, whether it is a house
    bot, when the seat was last seen.
    """
    with connection.cursor() as cursor:
        cursor.execute(_heartbeats(connection.vendor, len(match_ids)), match_ids)
        rows = cursor.fetchall()
    seats: dict[str, list[tuple[Any, ...]]] = {}
    for match_id, *row, _moment in rows:
        seats.setdefault(match_id, []).append(tuple(zoned(value) for value in row))
    moment = rows[0][-1] if rows else None
    return seats, moment or now()


def actions_insert(rows: Sequence[Action]) -> None:
    """Append the rows. The unique (match, n) and (match, actor, client_id) refuse a second writer: IntegrityError."""
    if rows:
        values = [
            field.get_db_prep_save(field.pre_save(row, True), connection) for row in rows for field in ACTION_FIELDS
        ]
        with connection.cursor() as cursor:
            cursor.execute(_insert(len(rows)), values)


def match_update(match: Match) -> None:
    """Write the columns that play changes."""
    values = [field.get_db_prep_save(getattr(match, field.attname), connection) for field in PLAY_FIELDS]
    with connection.cursor() as cursor:
        cursor.execute(_update(), [*values, match.pk])


def match_values(row: Sequence[Any]) -> list[Any]:
    """The values of a row of matches as the ORM would read them."""
    values = list(row)
    for index, field in _converted_fields():
        values[index] = field.from_db_value(values[index], None, connection)
    if connection.vendor != "postgresql":
        for index, field in enumerate(MATCH_FIELDS):
            column = field.get_col(table(Match))
            for convert in connection.ops.get_db_converters(column):
                values[index] = convert(values[index], column, connection)
    return values


@cache
def _converted_fields() -> list[tuple[int, Any]]:
    return [(index, field) for index, field in enumerate(MATCH_FIELDS) if hasattr(field, "from_db_value")]


def zoned(value: Any) -> Any:
    """A moment with its zone: SQLite stores none."""
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


@cache
def match_select(*, lock: bool) -> str:
    """The statement that reads the row of a match."""
    columns = ", ".join(str(field.column) for field in MATCH_FIELDS)
    return f"SELECT {columns} FROM {table(Match)} WHERE id = %s{' FOR UPDATE' if lock else ''}"  # nosec B608  # noqa: S608


@cache
def heartbeat_select() -> str:
    """The statement that reads until when the site was alive."""
    return f"SELECT at FROM {table(SiteHeartbeat)} WHERE id = {SiteHeartbeat.THE_ROW}"  # nosec B608  # noqa: S608


@cache
def seats_join() -> str:
    """Where the `SEAT_COLUMNS` come from."""
    return f"FROM {table(Seat)} s JOIN {table(User)} u ON u.id = s.user_id"


@cache
def _heartbeats(vendor: str, count: int) -> str:
    clock = "clock_timestamp()" if vendor == "postgresql" else "NULL"
    return (
        "SELECT s.match_id, m.version, m.status, m.clock_preset, m.started_at, m.pause IS NOT NULL, "  # nosec B608  # noqa: S608
        f"s.side, s.user_id, u.is_bot AND u.owner_id IS NULL, s.seen_at, {clock} FROM {table(Seat)} s "
        f"JOIN {table(Match)} m ON m.id = s.match_id LEFT JOIN {table(User)} u ON u.id = s.user_id "
        f"WHERE s.match_id IN ({', '.join(['%s'] * count)})"
    )


@cache
def _last_signs(vendor: str, count: int) -> str:
    """The statement of `last_signs`. Moments come as numbers, which psycopg reads without Python."""
    later, seconds, clock = "max", "({})", "NULL"
    if vendor == "postgresql":
        later, seconds, clock = "greatest", "extract(epoch FROM {})::float8", "clock_timestamp()"
    sign = f"min({later}(coalesce(s.seen_at, m.started_at), m.started_at))"
    counted = "FILTER (WHERE NOT coalesce(u.is_bot AND u.owner_id IS NULL, false))"
    return (
        f"SELECT m.id, m.version, m.status, m.clock_preset, {seconds.format(f'{sign} {counted}')}, "  # nosec B608  # noqa: S608
        f"{seconds.format(clock)} FROM {table(Match)} m JOIN {table(Seat)} s ON s.match_id = m.id "
        f"LEFT JOIN {table(User)} u ON u.id = s.user_id WHERE m.id IN ({', '.join(['%s'] * count)}) GROUP BY m.id"
    )


@cache
def _insert(count: int) -> str:
    columns = ", ".join(str(field.column) for field in ACTION_FIELDS)
    row = f"({', '.join(['%s'] * len(ACTION_FIELDS))})"
    return f"INSERT INTO {table(Action)} ({columns}) VALUES {', '.join([row] * count)}"  # nosec B608  # noqa: S608


@cache
def _update() -> str:
    columns = ", ".join(f"{field.column} = %s" for field in PLAY_FIELDS)
    return f"UPDATE {table(Match)} SET {columns} WHERE id = %s"  # nosec B608  # noqa: S608


def table(model: Any) -> str:
    """The quoted name of a model's table."""
    return connection.ops.quote_name(model._meta.db_table)
