"""Quiet hours across midnight and clock changes; when digests are sent."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from notifications.hours import (
    DAILY,
    HOURLY,
    NEVER,
    ONCE,
    QuietHours,
    Schedule,
    after_quiet_hours,
    at,
    mail_at,
    push_at,
)

MADRID = ZoneInfo("Europe/Madrid")
QUIET = QuietHours(time(22), time(8), MADRID)


def madrid(day: str, hour: str, *, fold: int = 0) -> datetime:
    """The UTC time of this hour in Madrid."""
    return datetime.fromisoformat(f"{day}T{hour}").replace(tzinfo=MADRID, fold=fold).astimezone(UTC)


@pytest.mark.parametrize(
    ("moment", "leaves"),
    [
        ("21:59", ("2026-01-14", "21:59")),
        ("22:00", ("2026-01-15", "08:00")),
        ("23:59", ("2026-01-15", "08:00")),
        ("00:00", ("2026-01-14", "08:00")),
        ("07:59", ("2026-01-14", "08:00")),
        ("08:00", ("2026-01-14", "08:00")),
        ("12:00", ("2026-01-14", "12:00")),
    ],
)
def test_quiet_hours_may_cross_midnight(moment: str, leaves: tuple[str, str]) -> None:
    local_time = madrid("2026-01-14", moment)
    assert after_quiet_hours(QUIET, local_time, local_time) == madrid(*leaves)


def test_quiet_hours_may_lie_within_a_day() -> None:
    siesta = QuietHours(time(14), time(17), MADRID)
    for hour, leaves in (("13:59", "13:59"), ("14:00", "17:00"), ("16:59", "17:00"), ("17:00", "17:00")):
        local_time = madrid("2026-01-14", hour)
        assert after_quiet_hours(siesta, local_time, local_time) == madrid("2026-01-14", leaves)


def test_equal_start_and_end_mean_no_quiet_hours() -> None:
    local_time = madrid("2026-01-14", "08:00")
    assert after_quiet_hours(QuietHours(time(8), time(8), MADRID), local_time, local_time) == local_time


def test_quiet_hours_are_an_hour_shorter_when_clocks_go_forward() -> None:
    begin, end = QUIET.around(madrid("2026-03-29", "03:30")) or (None, None)
    assert (begin, end) == (madrid("2026-03-28", "22:00"), madrid("2026-03-29", "08:00"))
    assert end - begin == timedelta(hours=9)  # type: ignore[operator]


def test_quiet_hours_are_an_hour_longer_when_clocks_go_back() -> None:
    begin, end = QUIET.around(madrid("2026-10-25", "02:30", fold=1)) or (None, None)
    assert end - begin == timedelta(hours=11)  # type: ignore[operator]


def test_a_missing_or_repeated_end_hour_does_not_shorten_quiet_hours() -> None:
    short = QuietHours(time(1), time(2, 30), MADRID)
    assert short.around(madrid("2026-03-29", "01:30")) == (  # 2:30 does not exist that night: until 3:30
        madrid("2026-03-29", "01:00"),
        datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
    )
    assert short.around(madrid("2026-10-25", "02:10", fold=1)) == (  # until the second 2:30
        madrid("2026-10-25", "01:00"),
        madrid("2026-10-25", "02:30", fold=1),
    )
    assert at(datetime(2026, 10, 25).date(), time(2, 30), MADRID) == madrid("2026-10-25", "02:30", fold=0)


def test_a_notification_that_expires_during_quiet_hours_is_sent_before_them() -> None:
    earlier, late = madrid("2026-01-14", "20:15"), madrid("2026-01-14", "23:00")
    hourly = Schedule(HOURLY, 9, MADRID, QuietHours(time(20, 30), time(8), MADRID))
    deadline = madrid("2026-01-15", "07:00")
    assert mail_at(hourly, earlier, waits=True, until=deadline) == madrid("2026-01-14", "20:29")
    assert push_at(hourly, late, until=deadline) == late  # quiet hours have begun: better now than never
    assert push_at(hourly, late, until=madrid("2026-01-15", "08:01")) == madrid("2026-01-15", "08:00")


def test_digests_leave_at_their_hour() -> None:
    moment = madrid("2026-01-14", "18:20")
    leaves = {
        ONCE: moment,
        HOURLY: madrid("2026-01-14", "19:00"),
        DAILY: madrid("2026-01-15", "09:00"),
        NEVER: None,
    }
    for digest, due in leaves.items():
        assert mail_at(Schedule(digest, 9, MADRID), moment, waits=True) == due
        assert mail_at(Schedule(digest, 9, MADRID), moment, waits=False) == (None if digest == NEVER else moment)
    assert mail_at(Schedule(DAILY, 19, MADRID), moment, waits=True) == madrid("2026-01-14", "19:00")
    assert mail_at(Schedule(DAILY, 18, MADRID), moment, waits=True) == madrid("2026-01-15", "18:00")


def test_a_daily_digest_in_the_quiet_hours_leaves_at_their_end() -> None:
    schedule = Schedule(DAILY, 6, MADRID, QUIET)
    assert mail_at(schedule, madrid("2026-01-14", "12:00"), waits=True) == madrid("2026-01-15", "08:00")
