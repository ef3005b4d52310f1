"""While no web process lives nobody's time runs: what a clock lost in an outage is given back, once.

Every web process writes the row `Alive` about once a second (`games.heartbeat`). Who finds it older than `GAP` gives
the time back to every running clock, under the lock of that row, so that two processes which start together do it once.
An act that comes before that counts the same gap for its own match (`lost`): whichever is first, nothing is given
twice, because a clock that was written since then starts from that moment. The apps above hear of it in the same
transaction (`outage_ended`) and move their own deadlines.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from games import notify
from games.database import now
from games.models import Alive, Match
from games.signals import outage_ended

PERIOD = timedelta(seconds=0.7)  # well below a second: that is what a clock may lose
GAP = timedelta(seconds=5)
SEEN = timedelta(seconds=2)  # a heartbeat older than that: perhaps nobody can act, so nobody's flag falls
NOTHING = timedelta(0)


def beat() -> int:
    """Say that the site is alive. After a gap: the number of matches whose clocks got it back."""
    moment = now()
    fresh = Alive.objects.filter(pk=Alive.THE_ROW, at__gt=moment - GAP)
    if fresh.filter(at__lte=moment - PERIOD / 2).update(at=moment) or fresh.exists():
        return 0
    return _wake()


def watched(moment: datetime) -> bool:
    """Whether some web process lives, or none has ever lived on this database."""
    at = _last_seen()
    return at is None or moment - at <= SEEN


def owed(since: datetime | None, moment: datetime) -> timedelta:
    """What a deadline that has run since a moment will get back for an outage that no heartbeat has found yet."""
    return lost(_last_seen(), since, moment)


def lost(alive: datetime | None, since: datetime | None, moment: datetime) -> timedelta:
    """What a clock that runs since a moment has lost by an outage that nobody has accounted for yet."""
    if alive is None or moment - alive <= GAP:
        return NOTHING
    return max(NOTHING, moment - max(alive, since or alive))


def _last_seen() -> datetime | None:
    return Alive.objects.filter(pk=Alive.THE_ROW).values_list("at", flat=True).first()


def _wake() -> int:
    with transaction.atomic():
        row = Alive.objects.select_for_update().filter(pk=Alive.THE_ROW).first()
        moment = now()
        if row is None:
            Alive.objects.bulk_create([Alive(pk=Alive.THE_ROW, at=moment, since=moment)], ignore_conflicts=True)
            return 0
        if moment - row.at <= GAP:  # another process was first
            return 0
        # Before the matches: who directs a tournament locks in this order, too.
        outage_ended.send(sender=Alive, alive=row.at, moment=moment)
        moved = _give_back(row.at, moment)
        row.at = row.since = moment
        row.save()
    return moved


def _give_back(alive: datetime, moment: datetime) -> int:
    """Move every running clock and its deadlines to where they were when the site was alive for the last time."""
    running = Match.objects.filter(status=Match.Status.LIVE, flag_at__isnull=False)
    told = list(running.filter(clock_at__lt=moment).values_list("pk", flat=True))
    # Written after the last heartbeat, in the second in which everything stopped: they lost less.
    for match in running.filter(clock_at__gt=alive, clock_at__lt=moment):
        _move(Match.objects.filter(pk=match.pk, clock_at=match.clock_at), lost(alive, match.clock_at, moment))
    _move(running.filter(clock_at__lte=alive), moment - alive)
    for match_id in told:
        notify.match_changed(match_id)
    return len(told)


def _move(matches: QuerySet[Match], gap: timedelta) -> None:
    matches.update(clock_at=F("clock_at") + gap, flag_at=F("flag_at") + gap, remind_at=F("remind_at") + gap)
