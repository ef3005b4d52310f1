"""The database's clock under a test's control: stopped until the test moves it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from games.live import guarded_write, statements
from games.live.database_clock import DatabaseClock
from games.live.folded_matches import Stamp
from games.live.loop_connection import LoopConnection
from games.live.ordinary_act import OrdinaryAct
from games.services import match_sql


class Time:
    """`time(seconds=5)` lets five seconds pass; everything that reads the database's clock reads `moment`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.moment = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
        read = match_sql.seats_and_clock

        def seats_and_clock(match_id: str) -> tuple[object, datetime, datetime | None]:
            seats, _moment, alive = read(match_id)
            return seats, self.moment, alive

        live_matches, heartbeats = match_sql.live_matches, match_sql.heartbeats
        last_signs = match_sql.last_signs
        monkeypatch.setattr(match_sql, "last_signs", lambda match_ids: (last_signs(match_ids)[0], self.moment))
        monkeypatch.setattr(match_sql, "live_matches", lambda match_ids: (live_matches(match_ids)[0], self.moment))
        monkeypatch.setattr(match_sql, "seats_and_clock", seats_and_clock)
        monkeypatch.setattr(match_sql, "heartbeats", lambda match_ids: (heartbeats(match_ids)[0], self.moment))
        for module in (
            "locked_match",
            "arranged",
            "bots",
            "lobby",
            "play",
            "outage",
            "presence",
            "vacations",
            "web_processes",
        ):
            monkeypatch.setattr(f"games.services.{module}.now", lambda: self.moment)
        for module in ("bot_events", "match_state", "missed_events", "vacations"):
            monkeypatch.setattr(f"games.selectors.{module}.now", lambda: self.moment)
        read_clock = statements.read_clock
        monkeypatch.setattr(statements, "read_clock", lambda rows: (self.moment, read_clock(rows)[1]))
        monkeypatch.setattr(DatabaseClock, "estimate", lambda clock: clock.read and self.moment)
        write = guarded_write.write_unchanged

        def write_unchanged(acts: Sequence[OrdinaryAct]) -> dict[str, Stamp]:
            monkeypatch.setattr(guarded_write, "CLOCK", f"timestamptz '{self.moment.isoformat()}'")
            return write(acts)

        monkeypatch.setattr(guarded_write, "write_unchanged", write_unchanged)
        monkeypatch.setattr(LoopConnection, "ready", False)  # its statement asks the database's own clock
        for module in ("tasks", "live.statements"):
            monkeypatch.setattr(f"games.{module}.now", lambda: self.moment)

    def __call__(self, **passes: float) -> datetime:
        self.moment += timedelta(**passes)
        return self.moment
