"""Who is away from a live match, and since when his rival may end the wait (ruling "Match clock").

Pure: a seat was last heard at a moment, and moments come from outside. Nobody is to blame for a site that was away: the
countdown begins at the earliest when the site has been up for a while.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

AWAY = timedelta(seconds=8)  # a page speaks every 4 to 5 s, and what it says is in the rows 1.4 s later
READY = timedelta(minutes=10)  # how long a wish to go on with an adjourned match lasts


@dataclass(frozen=True, slots=True)
class Absence:
    """A player who is away, last heard at `since`; his rival may end the wait from `until` on (None: not for now)."""

    since: datetime
    until: datetime | None

    def over(self, moment: datetime) -> bool:
        """Whether the countdown has ended."""
        return self.until is not None and moment >= self.until

    def as_json(self, moment: datetime, *, countdown: bool) -> dict[str, int]:
        """`since_ms` and, for a player, `left_ms` of the countdown (docs/protocol.md)."""
        told = {"since_ms": _milliseconds(moment - self.since)}
        if countdown and self.until is not None:
            told["left_ms"] = _milliseconds(max(self.until - moment, timedelta(0)))
        return told


def absence(
    since: datetime, moment: datetime, *, patience: timedelta, blame_from: datetime | None = None
) -> Absence | None:
    """The absence of a seat that was last heard at `since`, or None while it is here.

    The countdown lasts `patience`. Before `blame_from` there is none: who lost the line with the site has time to come
    back.
    """
    if moment - since <= AWAY:
        return None
    if blame_from is None:
        return Absence(since, since + patience)
    return Absence(since, None if moment < blame_from else max(since, blame_from) + patience)


def ready(said: Mapping[str, str], moment: datetime) -> list[str]:
    """The sides that want to go on with an adjourned match: their wish (side: ISO moment) lapses after a while."""
    return sorted(side for side, at in said.items() if moment - datetime.fromisoformat(at) < READY)


def _milliseconds(span: timedelta) -> int:
    return int(span.total_seconds() * 1000)
