"""The days of a recurrence, and the moments of an hour on them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from tournaments.recurrence import Recurrence, local_moment

THURSDAY = 3
FIRST = date(2026, 10, 1)  # a Thursday


def days(since: date, count: int = 3, **changes: Any) -> list[str]:
    recurrence = Recurrence(**{"kind": "weekly", "weekdays": (THURSDAY,), "first": FIRST, **changes})
    assert Recurrence.read(recurrence.as_json()) == recurrence
    return [day.isoformat() for day in recurrence.next(since, count)]


def test_every_week_from_the_first_day_on() -> None:
    assert days(date(2026, 9, 1)) == ["2026-10-01", "2026-10-08", "2026-10-15"]
    assert days(date(2026, 10, 2)) == ["2026-10-08", "2026-10-15", "2026-10-22"]


def test_every_second_week_counts_from_the_week_of_the_first() -> None:
    assert days(FIRST, 4, every=2, weekdays=(3, 0)) == ["2026-10-01", "2026-10-12", "2026-10-15", "2026-10-26"]
    assert days(date(2027, 1, 1), 1, every=2) == ["2027-01-07"]


@pytest.mark.parametrize(
    ("nth", "expected"),
    [
        (1, ["2026-10-02", "2026-11-06", "2026-12-04"]),
        (4, ["2026-10-23", "2026-11-27", "2026-12-25"]),
        (-1, ["2026-10-30", "2026-11-27", "2026-12-25"]),
    ],
)
def test_the_nth_weekday_of_the_month(nth: int, expected: list[str]) -> None:
    assert days(FIRST, kind="monthly", weekdays=(4,), nth=nth) == expected


def test_nothing_after_the_last_day() -> None:
    assert days(FIRST, until=date(2026, 10, 8)) == ["2026-10-01", "2026-10-08"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"weekdays": ()},
        {"weekdays": (7,)},
        {"weekdays": (1, 1)},
        {"every": 0},
        {"every": 9},
        {"nth": 5},
        {"kind": "yearly"},
        {"until": date(2026, 9, 1)},
    ],
)
def test_an_impossible_recurrence_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="recurrence"):
        days(FIRST, **wrong)


def test_the_local_hour_stays_when_the_clocks_change() -> None:
    summer, winter = (local_moment(date(2026, 10, day), time(20), "Europe/Madrid") for day in (22, 29))
    assert (summer, winter) == (datetime(2026, 10, 22, 18, tzinfo=UTC), datetime(2026, 10, 29, 19, tzinfo=UTC))


def test_a_skipped_hour_comes_later_and_of_a_doubled_hour_the_first_counts() -> None:
    assert local_moment(date(2026, 3, 29), time(2, 30), "Europe/Madrid") == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert local_moment(date(2026, 10, 25), time(2, 30), "Europe/Madrid") == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
