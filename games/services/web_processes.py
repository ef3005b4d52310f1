"""Web processes that are lost: what their players' clocks lose until they are at another process is given back.

Where several web processes serve, the loss of one, or of its whole host, is no outage: the site serves on. But its
players have to notice that their line is dead, which takes a page up to nine seconds, and to connect to another
process. So each process writes every 1.5 s that it is alive, and `Seat.heard_by` says at which one a player was. When a
player of a lost process is back, their running clock gets the time since the loss (`give_back`); until then no flag of
theirs falls (`is_awaited`), for `GIVEN_BACK_AT_MOST` at most. A player cannot bring that about: a process whose
heartbeat goes on is never lost, however many lines to it break.

A process that stops by itself takes leave of its players and removes its row: they connect again at once.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.db import transaction

from games import clocks, notify
from games.database import now
from games.models import Match, Seat, SiteHeartbeat, WebProcess
from games.services import match_sql, outage

if TYPE_CHECKING:
    from games.services.locked_match import LockedMatch

LOST_AFTER = timedelta(seconds=3)
"""Silence after which a process counts as lost: one of its heartbeats may be late."""
GIVEN_BACK_AT_MOST = timedelta(seconds=20)
KEPT = timedelta(minutes=1)
"""For so long the row of a lost process stays: its players come back meanwhile."""

_own: UUID | None = None
_others_are_lost = False
_looked_at = 0.0  # of the monotonic clock


def own_id() -> UUID | None:
    """The name of this web process; None in any other process."""
    return _own


def others_are_lost() -> bool:
    """Whether another process may have been lost a short time ago. Costs nothing.

    This one knows it from its last heartbeat; after an outage of the database it has to look.
    """
    return _others_are_lost or (_own is not None and time.monotonic() - _looked_at > LOST_AFTER.total_seconds())


def begin() -> None:
    """Write that this process serves, under a new name."""
    global _own
    _own = uuid4()
    beat()


def beat() -> None:
    """Write that this process is alive, and find out which others are not."""
    global _others_are_lost, _looked_at
    moment = now()
    if _own is not None and not WebProcess.objects.filter(pk=_own).update(at=moment):
        WebProcess.objects.create(pk=_own, at=moment)
    others = dict(WebProcess.objects.values_list("pk", "at"))
    if _own is not None:
        others.pop(_own, None)
    _others_are_lost = any(_is_lost(at, moment) and moment - at <= KEPT for at in others.values())
    if any(moment - at > KEPT for at in others.values()):
        WebProcess.objects.filter(at__lt=moment - KEPT).delete()
    _looked_at = time.monotonic()


def end() -> None:
    """This process stops by itself: it is not lost."""
    if _own is not None:
        WebProcess.objects.filter(pk=_own).delete()


def give_back(*, match_id: str, user_id: int) -> timedelta:
    """A player connects: give their running clock the time since their process was lost, and return it.

    Nothing where the player was at no other process, at one that is alive, or where their clock does not run. An outage
    of the whole site is given back by `games.services.outage`: what counts here begins after it.
    """
    with transaction.atomic():
        match = match_sql.match_lock(match_id)
        seat = Seat.objects.filter(match=match_id, user=user_id).first()
        if match is None or seat is None or match.status != Match.Status.LIVE:
            return outage.NOTHING
        if seat.heard_by is None or seat.heard_by == _own:
            return outage.NOTHING
        moment = now()
        lost_at = _lost_at(seat.heard_by, moment)
        if lost_at is None:
            return outage.NOTHING
        Seat.objects.filter(pk=seat.pk).update(heard_by=_own)
        if match.clock_at is None or match.flag_at is None or not _waits_for(match, seat):
            return outage.NOTHING
        since = max(lost_at, match.clock_at, *SiteHeartbeat.objects.values_list("since", flat=True))
        given = min(moment - since, GIVEN_BACK_AT_MOST)
        if given <= outage.NOTHING:
            return outage.NOTHING
        outage.move_clocks(Match.objects.filter(pk=match_id), given)
        notify.match_changed(match_id)
    return given


def is_awaited(locked: LockedMatch) -> bool:
    """Whether a passed deadline has to wait, because the process of a player it waits for was lost just now."""
    late = [
        seat.heard_by
        for seat in Seat.objects.filter(match=locked.match.pk)
        if seat.heard_by is not None and _waits_for(locked.match, seat)
    ]
    lost = [_lost_at(process, locked.moment, LOST_AFTER / 2) for process in late]
    return any(at is not None and locked.moment - at <= GIVEN_BACK_AT_MOST for at in lost)


def _waits_for(match: Match, seat: Seat) -> bool:
    """Whether the match's time runs for this seat: its clock, or the wait of both at an opening roll."""
    running = clocks.restore(match.clock).running if match.clock else None
    return running in (None, seat.side)


def _lost_at(process: UUID, moment: datetime, silence: timedelta = LOST_AFTER) -> datetime | None:
    """When a process was alive for the last time; None if it is alive, or took leave, or is long forgotten."""
    at = WebProcess.objects.filter(pk=process).values_list("at", flat=True).first()
    return at if at is not None and _is_lost(at, moment, silence) else None


def _is_lost(at: datetime, moment: datetime, silence: timedelta = LOST_AFTER) -> bool:
    return moment - at > silence
