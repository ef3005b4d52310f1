"""When a notice leaves by mail or push. Pure: moments come in, zones are those of the reader.

Local hours are those of the clock on his wall, so quiet hours from 22:00 to 8:00 are an hour shorter in the night in
which the clocks go forward, and an hour longer in the night in which they go back. A time that a day has twice, or not
at all, stands for the earlier moment where something begins and for the later one where it ends: quiet hours are never
cut short by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ONCE, HOURLY, DAILY, NEVER = "once", "hourly", "daily", "never"


@dataclass(frozen=True, slots=True)
class Quiet:
    """Hours of every day in which nothing is sent, also over midnight; the same hour twice is no quiet at all."""

    start: time
    end: time
    zone: ZoneInfo

    def around(self, moment: datetime) -> tuple[datetime, datetime] | None:
        """The quiet hours in which a moment lies: from when, and until when. None outside of them."""
        if self.start == self.end:
            return None
        today = moment.astimezone(self.zone).date()
        for day in (today - timedelta(days=1), today):
            begin = at(day, self.start, self.zone)
            last = day if self.start < self.end else day + timedelta(days=1)
            until = at(last, self.end, self.zone, later=True)
            if begin <= moment < until:
                return begin, until
        return None


@dataclass(frozen=True, slots=True)
class Habit:
    """How a person's mail goes out: at once, every full hour, at an `hour` of the day or never; his quiet hours."""

    digest: str
    hour: int
    zone: ZoneInfo
    quiet: Quiet | None = None


def at(day: date, wall: time, zone: ZoneInfo, *, later: bool = False) -> datetime:
    """The moment (UTC) at which the clock on the wall shows this time on this day; of two the earlier, or the later."""
    both = (datetime.combine(day, wall, zone).replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    return max(both) if later else min(both)


def mail_at(habit: Habit, moment: datetime, *, waits: bool, until: datetime | None = None) -> datetime | None:
    """When a word of `moment` is mailed; None for never. What does not wait for the digest goes at once."""
    if habit.digest == NEVER:
        return None
    return loud(habit.quiet, _slot(habit, moment) if waits else moment, moment, until=until)


def push_at(habit: Habit, moment: datetime, *, until: datetime | None = None) -> datetime:
    """When a word of `moment` is pushed: at once, but for quiet hours."""
    return loud(habit.quiet, moment, moment, until=until)


def loud(quiet: Quiet | None, due: datetime, moment: datetime, *, until: datetime | None = None) -> datetime:
    """`due`, or the end of the quiet hours in which it lies.

    What would have lost its sense by then (`until`) leaves before they begin, and at once when they have begun.
    """
    around = quiet.around(due) if quiet is not None else None
    if around is None:
        return due
    begin, end = around
    if until is not None and until <= end:
        return max(moment, begin - timedelta(minutes=1))
    return end


def _slot(habit: Habit, moment: datetime) -> datetime:
    """The next moment at which a digest leaves."""
    if habit.digest == HOURLY:
        return moment.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    if habit.digest != DAILY:
        return moment
    today = moment.astimezone(habit.zone).date()
    days = (at(today + timedelta(days=more), time(habit.hour), habit.zone) for more in (0, 1))
    return next(one for one in days if one > moment)
