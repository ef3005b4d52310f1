"""The database's clock in the hands of a test: it stands until the test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.services import rows


class Time:
    """`time(seconds=5)` lets five seconds pass; everything that reads the database's clock reads `moment`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.moment = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)
        read = rows.seats_and_clock

        def seats_and_clock(match_id: str) -> tuple[object, datetime, datetime | None]:
            seats, _moment, alive = read(match_id)
            return seats, self.moment, alive

        asked = rows.pulses
        monkeypatch.setattr(rows, "seats_and_clock", seats_and_clock)
        monkeypatch.setattr(rows, "pulses", lambda match_ids: (asked(match_ids)[0], self.moment))
        for module in ("table", "arranged", "bots", "lobby", "play", "outage", "presence", "vacations"):
            monkeypatch.setattr(f"games.services.{module}.now", lambda: self.moment)
        for module in ("bots", "lists", "table"):
            monkeypatch.setattr(f"games.selectors.{module}.now", lambda: self.moment)
        monkeypatch.setattr("games.tasks.now", lambda: self.moment)

    def __call__(self, **passes: float) -> datetime:
        self.moment += timedelta(**passes)
        return self.moment
