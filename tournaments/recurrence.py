"""Recurrences: every so many weeks on some weekdays, or on the nth weekday of the month. Pure values.

A day is a date of the club's own calendar; it becomes a moment in the club's time zone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

Kind = Literal["weekly", "monthly"]
KINDS: tuple[str, ...] = get_args(Kind)
LAST = -1  # the last such weekday of the month
NTHS = (1, 2, 3, 4, LAST)
MOST_WEEKS = 8
WEEK = 7
LAST_YEAR = 2999  # of a first day: the calendar ends with 9999
MOST_PERIODS_AHEAD = 60  # weeks or months that are searched for a next day


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The days of a recurring event.

    `weekdays` count from 0, Monday; `every` is a number of weeks, counted from the week of `first`; `nth` is the
    weekday of the month in a monthly one. `until` is the last possible day.
    """

    kind: Kind
    weekdays: tuple[int, ...]
    first: date
    every: int = 1
    nth: int = 1
    until: date | None = None

    def __post_init__(self) -> None:
        days = set(self.weekdays)
        if (
            self.kind not in KINDS
            or not days
            or len(days) != len(self.weekdays)
            or not days <= set(range(WEEK))
            or not 1 <= self.every <= MOST_WEEKS
            or self.nth not in NTHS
            or self.first.year > LAST_YEAR
            or (self.until is not None and self.until < self.first)
        ):
            raise ValueError("recurrence")

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Recurrence:
        """The recurrence in `value`, as `as_json` writes it. Raises ValueError, KeyError, TypeError."""
        until = value.get("until")
        return cls(
            kind=value["kind"],
            weekdays=tuple(value["weekdays"]),
            first=date.fromisoformat(value["first"]),
            every=value.get("every", 1),
            nth=value.get("nth", 1),
            until=date.fromisoformat(until) if until else None,
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "weekdays": list(self.weekdays),
            "first": self.first.isoformat(),
            "every": self.every,
            "nth": self.nth,
            "until": self.until.isoformat() if self.until else None,
        }

    def days(self, since: date) -> Iterator[date]:
        """The days from `since` on, in order, as far as `MOST_PERIODS_AHEAD` reaches."""
        start = max(since, self.first)
        for day in self._weekly(start) if self.kind == "weekly" else self._monthly(start):
            if self.until is not None and day > self.until:
                return
            if day >= start:
                yield day

    def next(self, since: date, count: int) -> list[date]:
        """The next `count` days from `since` on."""
        return list(islice(self.days(since), count))

    def _weekly(self, start: date) -> Iterator[date]:
        anchor = _monday(self.first)
        weeks = (_monday(start) - anchor).days // WEEK
        weeks -= weeks % self.every
        for step in range(MOST_PERIODS_AHEAD):
            monday = anchor + timedelta(weeks=weeks + step * self.every)
            yield from (monday + timedelta(days=day) for day in sorted(self.weekdays))

    def _monthly(self, start: date) -> Iterator[date]:
        months = start.year * 12 + start.month - 1
        for month in range(months, months + MOST_PERIODS_AHEAD):
            yield from sorted(nth_weekday(*divmod(month, 12), day, self.nth) for day in self.weekdays)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month (`month` counts from 0), or its last one."""
    first = date(year, month + 1, 1)
    if nth == LAST:
        following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
        last = following - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % WEEK)
    return first + timedelta(days=(weekday - first.weekday()) % WEEK + WEEK * (nth - 1))


def local_moment(day: date, hour: time, zone: str) -> datetime:
    """The moment of an hour of a day in a time zone, in UTC.

    An hour that a clock change skips comes as much later; of an hour that comes twice it is the first.
    """
    return datetime.combine(day, hour, tzinfo=ZoneInfo(zone)).astimezone(UTC)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
