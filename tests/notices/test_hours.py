"""Quiet hours over midnight and over the nights in which the clocks change; when digests leave."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from notices.hours import DAILY, HOURLY, NEVER, ONCE, Habit, Quiet, at, loud, mail_at, push_at

MADRID = ZoneInfo("Europe/Madrid")
NIGHT = Quiet(time(22), time(8), MADRID)


def madrid(day: str, hour: str, *, fold: int = 0) -> datetime:
    """The moment at which it is this hour in Madrid."""
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
def test_over_midnight(moment: str, leaves: tuple[str, str]) -> None:
    word = madrid("2026-01-14", moment)
    assert loud(NIGHT, word, word) == madrid(*leaves)


def test_within_a_day() -> None:
    siesta = Quiet(time(14), time(17), MADRID)
    for hour, leaves in (("13:59", "13:59"), ("14:00", "17:00"), ("16:59", "17:00"), ("17:00", "17:00")):
        word = madrid("2026-01-14", hour)
        assert loud(siesta, word, word) == madrid("2026-01-14", leaves)


def test_the_same_hour_twice_is_no_quiet() -> None:
    word = madrid("2026-01-14", "08:00")
    assert loud(Quiet(time(8), time(8), MADRID), word, word) == word


def test_the_night_in_which_the_clocks_go_forward_is_an_hour_shorter() -> None:
    begin, end = NIGHT.around(madrid("2026-03-29", "03:30")) or (None, None)
    assert (begin, end) == (madrid("2026-03-28", "22:00"), madrid("2026-03-29", "08:00"))
    assert end - begin == timedelta(hours=9)  # type: ignore[operator]


def test_the_night_in_which_they_go_back_is_an_hour_longer() -> None:
    begin, end = NIGHT.around(madrid("2026-10-25", "02:30", fold=1)) or (None, None)
    assert end - begin == timedelta(hours=11)  # type: ignore[operator]


def test_an_end_that_does_not_exist_or_exists_twice_cuts_nothing_short() -> None:
    short = Quiet(time(1), time(2, 30), MADRID)
    assert short.around(madrid("2026-03-29", "01:30")) == (  # 2:30 is not shown that night: until 3:30
        madrid("2026-03-29", "01:00"),
        datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
    )
    assert short.around(madrid("2026-10-25", "02:10", fold=1)) == (  # until the second 2:30
        madrid("2026-10-25", "01:00"),
        madrid("2026-10-25", "02:30", fold=1),
    )
    assert at(datetime(2026, 10, 25).date(), time(2, 30), MADRID) == madrid("2026-10-25", "02:30", fold=0)


def test_what_would_be_over_by_morning_is_told_before_the_night() -> None:
    evening, late = madrid("2026-01-14", "20:15"), madrid("2026-01-14", "23:00")
    hourly = Habit(HOURLY, 9, MADRID, Quiet(time(20, 30), time(8), MADRID))
    deadline = madrid("2026-01-15", "07:00")
    assert mail_at(hourly, evening, waits=True, until=deadline) == madrid("2026-01-14", "20:29")
    assert push_at(hourly, late, until=deadline) == late  # the night has begun: better now than never
    assert push_at(hourly, late, until=madrid("2026-01-15", "08:01")) == madrid("2026-01-15", "08:00")


def test_digests() -> None:
    moment = madrid("2026-01-14", "18:20")
    leaves = {
        ONCE: moment,
        HOURLY: madrid("2026-01-14", "19:00"),
        DAILY: madrid("2026-01-15", "09:00"),
        NEVER: None,
    }
    for digest, due in leaves.items():
        assert mail_at(Habit(digest, 9, MADRID), moment, waits=True) == due
        assert mail_at(Habit(digest, 9, MADRID), moment, waits=False) == (None if digest == NEVER else moment)
    assert mail_at(Habit(DAILY, 19, MADRID), moment, waits=True) == madrid("2026-01-14", "19:00")
    assert mail_at(Habit(DAILY, 18, MADRID), moment, waits=True) == madrid("2026-01-15", "18:00")


def test_a_daily_digest_in_the_quiet_hours_leaves_at_their_end() -> None:
    habit = Habit(DAILY, 6, MADRID, NIGHT)
    assert mail_at(habit, madrid("2026-01-14", "12:00"), waits=True) == madrid("2026-01-15", "08:00")
