"""Absence from a live match, and when the opponent may end the wait (ruling "Match clock").

Pure: a seat was last seen at a moment, and moments are passed in. An outage of the site is no player's fault: the
countdown begins at the earliest when the site has been up for a while.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

AWAY_AFTER = timedelta(seconds=8)  # a page sends a heartbeat every 4 to 5 s, which is in the rows 1.5 s later
READY_LASTS = timedelta(minutes=10)  # how long a request to go on with an adjourned match stands


@dataclass(frozen=True, slots=True)
class Absence:
    """An absent player, last seen at `since`; the opponent may end the wait from `until` on (None: not for now)."""

    since: datetime
    until: datetime | None

    def is_over(self, moment: datetime) -> bool:
        """Whether the countdown has ended."""
        return self.until is not None and moment >= self.until

    def as_json(self, moment: datetime, *, countdown: bool) -> dict[str, int]:
        """`since_ms` and, for a player, `left_ms` of the countdown (docs/protocol.md)."""
        view = {"since_ms": _milliseconds(moment - self.since)}
        if countdown and self.until is not None:
            view["left_ms"] = _milliseconds(max(self.until - moment, timedelta(0)))
        return view


def find_absence(
    since: datetime, moment: datetime, *, patience: timedelta, count_from: datetime | None = None
) -> Absence | None:
    """The absence of a seat that was last seen at `since`, or None while it is present.

    The countdown lasts `patience`. Before `count_from` there is none: players who lost their connection in
    an outage have time to come back.
    """
    if moment - since <= AWAY_AFTER:
        return None
    if count_from is None:
        return Absence(since, since + patience)
    return Absence(since, None if moment < count_from else max(since, count_from) + patience)


def ready_sides(requests: Mapping[str, str], moment: datetime) -> list[str]:
    """The sides that want to go on with an adjourned match: a request (side: ISO moment) lapses after a while."""
    return sorted(side for side, at in requests.items() if moment - datetime.fromisoformat(at) < READY_LASTS)


def _milliseconds(span: timedelta) -> int:
    return int(span.total_seconds() * 1000)
