"""The four statements of an act, written by hand: building them with the ORM costs more than running them.

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
    *("remind_at", "pause"),
    *("started_at", "ended_at", "winner", "ended_by"),
)
PLAY: list[Field[Any, Any]] = [field for field in Match._meta.concrete_fields if field.name in PLAY_FIELDS]
ACTION: list[Field[Any, Any]] = [field for field in Action._meta.concrete_fields if not field.primary_key]


def match_lock(match_id: str) -> Match | None:
    """The match, locked until the end of the transaction (on SQLite the transaction itself is the lock)."""
    lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
    return next(iter(Match.objects.raw(f"SELECT * FROM {_table(Match)} WHERE id = %s{lock}", [match_id])), None)  # noqa: S608


def seats_and_clock(match_id: str) -> tuple[list[Seat], datetime, datetime | None]:
    """Both seats with their players, the database's clock at this statement, and until when the site was alive."""
    clock = "clock_timestamp()" if connection.vendor == "postgresql" else "NULL"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT s.id, s.side, s.points, s.won, u.id, u.username, u.is_bot, u.is_guest, "  # noqa: S608
            f"(SELECT a.at FROM {_table(Alive)} a WHERE a.id = {Alive.THE_ROW}), {clock} "
            f"FROM {_table(Seat)} s JOIN {_table(User)} u ON u.id = s.user_id WHERE s.match_id = %s",
            [match_id],
        )
        rows = cursor.fetchall()
    seats = []
    for pk, side, points, won, user_id, name, is_bot, is_guest, _alive, _moment in rows:
        user = User(pk=user_id, username=name, is_bot=bool(is_bot), is_guest=bool(is_guest))
        seats.append(Seat(pk=pk, match_id=match_id, side=side, points=points, won=won, user=user))
    alive, moment = rows[0][-2:] if rows else (None, None)
    if alive is not None and alive.tzinfo is None:  # SQLite has no zones
        alive = alive.replace(tzinfo=UTC)
    return seats, moment or now(), alive


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


@cache
def _insert(count: int) -> str:
    columns = ", ".join(str(field.column) for field in ACTION)
    row = f"({', '.join(['%s'] * len(ACTION))})"
    return f"INSERT INTO {_table(Action)} ({columns}) VALUES {', '.join([row] * count)}"  # noqa: S608


@cache
def _update() -> str:
    columns = ", ".join(f"{field.column} = %s" for field in PLAY)
    return f"UPDATE {_table(Match)} SET {columns} WHERE id = %s"  # noqa: S608


def _table(model: Any) -> str:
    return connection.ops.quote_name(model._meta.db_table)
