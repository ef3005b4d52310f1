"""When a notification is sent by mail or push. Pure: moments come in, time zones are those of the reader.

Local hours follow the reader's wall clock, so quiet hours from 22:00 to 8:00 are an hour shorter in the night in which
clocks go forward, and an hour longer in the night in which they go back. A time that a day has twice, or not at all,
stands for the earlier moment at a beginning and for the later one at an end: quiet hours are never cut short by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ONCE, HOURLY, DAILY, NEVER = "once", "hourly", "daily", "never"


@dataclass(frozen=True, slots=True)
class QuietHours:
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
class Schedule:
    """When a user's mail is sent: at once, every full hour, daily at an `hour`, or never; and their quiet hours."""

    digest: str
    hour: int
    zone: ZoneInfo
    quiet: QuietHours | None = None


def at(day: date, wall: time, zone: ZoneInfo, *, later: bool = False) -> datetime:
    """The moment (UTC) at which the clock on the wall shows this time on this day; of two the earlier, or the later."""
    both = (datetime.combine(day, wall, zone).replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    return max(both) if later else min(both)


def mail_at(schedule: Schedule, moment: datetime, *, waits: bool, until: datetime | None = None) -> datetime | None:
    """Return when a notification of `moment` is mailed; None for never. Urgent kinds go at once."""
    if schedule.digest == NEVER:
        return None
    return after_quiet_hours(schedule.quiet, _slot(schedule, moment) if waits else moment, moment, until=until)


def push_at(schedule: Schedule, moment: datetime, *, until: datetime | None = None) -> datetime:
    """Return when a notification of `moment` is pushed: at once, except in quiet hours."""
    return after_quiet_hours(schedule.quiet, moment, moment, until=until)


def after_quiet_hours(
    quiet: QuietHours | None, due: datetime, moment: datetime, *, until: datetime | None = None
) -> datetime:
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


def _slot(schedule: Schedule, moment: datetime) -> datetime:
    """The next moment at which a digest leaves."""
    if schedule.digest == HOURLY:
        return moment.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    if schedule.digest != DAILY:
        return moment
    today = moment.astimezone(schedule.zone).date()
    days = (at(today + timedelta(days=more), time(schedule.hour), schedule.zone) for more in (0, 1))
    return next(slot for slot in days if slot > moment)
