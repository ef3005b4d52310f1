"""One trip for acts on matches that this process knows: written where nothing has changed since, else left alone.

Only on PostgreSQL; on SQLite there is no trip to spare. The rules run before the rows are locked, so the statement
itself compares what they relied on, under the row's lock: the stamp of the match, its seats, that the site has no
outage which is not accounted for, and that this process knows the database's clock, by which it dated the act.
A match for which one of them is otherwise is left as it is, and its act locks it first (`statements`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain
from typing import Any

import orjson
import psycopg

from games.live.database_clock import database_clock
from games.live.folded_matches import Stamp
from games.live.ordinary_act import OrdinaryAct
from games.live.statements import (
    ACT_FIELDS,
    MATCH_KEY,
    POSTGRES_STAMP,
    both_seats,
    insert_actions,
    play_connection,
    records,
    row_as_json,
    seat_joins,
)
from games.models import Match
from games.services import match_sql, outage
from games.services.match_sql import ACTION_FIELDS, table

CLOCK = "clock_timestamp()"
CLOCK_ERROR = timedelta(milliseconds=100)
"""That far the estimate may be from the database's clock when the statement arrives."""


def write_unchanged(acts: Sequence[OrdinaryAct]) -> dict[str, Stamp]:
    """Write and commit acts of different matches; the stamps of those that were unchanged, and are written now.

    Raises DatabaseError, and then nothing is written.
    """
    cursor = psycopg.Cursor(play_connection())  # not Django's, which prepares nothing: it writes parameters into texts
    cursor.execute(_statement(CLOCK), parameters(acts))
    return stamps(cursor.fetchall())


def numbered_statement() -> str:
    """The statement as libpq takes it, with `$1` for its first parameter; the values of `stamps` are its rows."""
    text = _statement(CLOCK)
    return text.replace("%s", "{}").format(*(f"${number}" for number in range(1, text.count("%s") + 1)))


def parameters(acts: Sequence[OrdinaryAct]) -> list[str]:
    """What the statement is given: the matches, the database's clock as this process knows it, and the actions."""
    matches = [
        row_as_json([MATCH_KEY, *ACT_FIELDS], act.match)
        | {"stamp": act.before.stamp, "seats": [*chain(*act.before.seat_rows)], "moment": act.moment}
        for act in acts
    ]
    actions = [row_as_json(ACTION_FIELDS, row) for act in acts for row in act.actions]
    return [orjson.dumps(matches).decode(), str(database_clock.estimate()), orjson.dumps(actions).decode()]


def stamps(rows: Sequence[Sequence[Any]]) -> dict[str, Stamp]:
    """The new stamps of the matches that the statement has written, from its rows."""
    if rows:
        database_clock.correct(datetime.fromtimestamp(float(rows[0][2]), UTC))
    else:
        database_clock.set(None)
    return {match_id: stamp for match_id, stamp, _moment in rows}


@cache
def _statement(clock: str) -> str:
    changes = ", ".join(f"{each.column} = v.{each.column}" for each in ACT_FIELDS)
    sent = records([MATCH_KEY, *ACT_FIELDS], "stamp text", "seats jsonb", "moment timestamptz")
    alive = f"({match_sql.heartbeat_select()})"
    gap = f"interval '{outage.GAP_AFTER.total_seconds()} s'"
    error = f"interval '{CLOCK_ERROR.total_seconds()} s'"
    return (
        f"WITH v AS MATERIALIZED (SELECT * FROM {sent}), "  # nosec B608  # noqa: S608
        f"unchanged AS MATERIALIZED (SELECT m.id FROM {table(Match)} m JOIN v ON v.id = m.id {seat_joins()} "
        f"WHERE {POSTGRES_STAMP} = v.stamp AND jsonb_build_array({both_seats()}) = v.seats "
        f"AND %s BETWEEN {clock} - {error} AND {clock} + {error} "
        f"AND coalesce(v.moment BETWEEN {alive} - {gap} AND {alive} + {gap}, true) "
        "ORDER BY m.id FOR UPDATE OF m SKIP LOCKED), "
        f"played AS ({insert_actions()} WHERE match_id IN (SELECT id FROM unchanged)) "
        f"UPDATE {table(Match)} m SET {changes} FROM v JOIN unchanged USING (id) WHERE m.id = v.id "
        f"RETURNING m.id, {POSTGRES_STAMP}, extract(epoch FROM {clock})::float8"  # as a number: read much quicker
    )
