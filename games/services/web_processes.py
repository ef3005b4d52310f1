"""Web processes that are lost: what their players' clocks lose until they are at another process is given back.

Where several web processes serve, the loss of one, or of its whole host, is no outage: the site serves on. But its
players have to notice that their line is dead, which takes a page up to nine seconds, and to connect to another
process. So each process writes every 1.5 s that it is alive, and `Seat.heard_by` says at which one a player was. When a
player of a lost process is back, their running clock gets the time since the loss (`give_back`); until then a deadline
that has passed counts it, too (`time_lost`), for `GIVEN_BACK_AT_MOST` at most. A player cannot bring that about: a
process whose heartbeat goes on is never lost, however many lines to it break.

A process that stops by itself takes leave of its players and removes its row: they connect again at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Exists, OuterRef

from games import clocks, notify
from games.database import now
from games.models import Match, Seat, SiteHeartbeat, WebProcess
from games.services import outage

LOST_AFTER = timedelta(seconds=3)
"""Silence after which a process counts as lost: one of its heartbeats may be late."""
FLAG_WAITS_AFTER = timedelta(seconds=2)
"""The same for a flag that would fall: sooner, but not so soon that it waits for a process that is alive."""
GIVEN_BACK_AT_MOST = timedelta(seconds=20)
KEPT = timedelta(minutes=1)
"""For so long the row of a lost process stays: its players come back meanwhile."""

Player = tuple[str, int]
"""A match, and a user who plays in it."""

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
    _others_are_lost = any(LOST_AFTER < moment - at <= KEPT for at in others.values())
    if any(moment - at > KEPT for at in others.values()):
        WebProcess.objects.filter(at__lt=moment - KEPT).delete()
    _looked_at = time.monotonic()


def end() -> None:
    """This process stops by itself: it is not lost."""
    if _own is not None:
        WebProcess.objects.filter(pk=_own).delete()


def give_back(players: Sequence[Player]) -> list[timedelta]:
    """Players connect: give their running clocks the time since their processes were lost, and return it for each."""
    lost = _at_lost_processes(players)
    given = _give_back(lost) if lost else {}
    return [given.get(player, outage.NOTHING) for player in players]


def _at_lost_processes(players: Sequence[Player]) -> list[Player]:
    """The players who were heard last by a process that may be lost: one look without a lock, as most were not."""
    heard_by = WebProcess.objects.filter(pk=OuterRef("heard_by"), at__lt=now() - LOST_AFTER)
    seats = Seat.objects.filter(Exists(heard_by), match__in={match_id for match_id, _ in players})
    lost = set(seats.exclude(heard_by=_own).values_list("match_id", "user_id"))
    return [player for player in players if player in lost]


def _give_back(players: Sequence[Player]) -> dict[Player, timedelta]:
    given: dict[Player, timedelta] = {}
    ids = {match_id for match_id, _ in players}
    with transaction.atomic():
        matches = {match.pk: match for match in outage.locked_in_order(Match.objects.filter(pk__in=ids))}
        seats = {(seat.match_id, seat.user_id): seat for seat in Seat.objects.filter(match__in=ids)}
        losses, moment = Losses(seats.values()), now()
        for player in dict.fromkeys(players):
            match, seat = matches[player[0]], seats[player]
            waits = match.status == Match.Status.LIVE and _is_waited_for(match, seat)
            given[player] = back = losses.time_lost(match, seat, moment) if waits else outage.NOTHING
            if back and match.clock_at and match.flag_at:
                outage.move_clocks(Match.objects.filter(pk=match.pk), back)
                match.clock_at += back  # the opponent may be among them
                match.flag_at += back
                notify.match_changed(match.pk)
        Seat.objects.filter(pk__in=[seats[player].pk for player in given]).update(heard_by=_own)
    return given


def time_lost(match: Match, moment: datetime) -> timedelta:
    """What the running time has lost so far, because a player for whom it runs is not back from a lost process."""
    seats = [seat for seat in Seat.objects.filter(match=match.pk) if _is_waited_for(match, seat)]
    losses = Losses(seats)
    return max((losses.time_lost(match, seat, moment, FLAG_WAITS_AFTER) for seat in seats), default=outage.NOTHING)


def _is_waited_for(match: Match, seat: Seat) -> bool:
    """Whether the match's time runs for a seat that is not here: on its clock, or for both at an opening roll."""
    running = clocks.restore(match.clock).running if match.clock else None
    return running in (None, seat.side) and seat.heard_by != _own


class Losses:
    """When the processes of some seats were alive for the last time."""

    def __init__(self, seats: Iterable[Seat]) -> None:
        heard_by = {seat.heard_by for seat in seats if seat.heard_by is not None}
        self._alive = dict(WebProcess.objects.filter(pk__in=heard_by).values_list("pk", "at")) if heard_by else {}
        self._serving_since = [*SiteHeartbeat.objects.values_list("since", flat=True)] if self._alive else []

    def time_lost(self, match: Match, seat: Seat, moment: datetime, silence: timedelta = LOST_AFTER) -> timedelta:
        """The time since the seat's process was alive for the last time, if it is lost, as far as it ran for the match.

        An outage of the whole site is given back by `games.services.outage`: what counts here begins after it.
        """
        lost_at = None if seat.heard_by is None else self._alive.get(seat.heard_by)
        if lost_at is None or match.clock_at is None or match.flag_at is None or moment - lost_at <= silence:
            return outage.NOTHING
        since = max(lost_at, match.clock_at, *self._serving_since)
        return max(outage.NOTHING, min(moment - since, GIVEN_BACK_AT_MOST))
