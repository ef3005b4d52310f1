"""Outages: while no web process lives nobody's time runs, and what a clock lost is given back, once.

Every web process writes the row `SiteHeartbeat` about once a second (`games.heartbeat`). A process that finds it older
than `OUTAGE_AFTER` gives the time back to every running clock, under the lock of that row, so that two processes which
start together do it once. An act that comes before that counts the same gap for its own match (`time_lost`): whichever
is first, nothing is given twice, because a clock that was written since then starts from that moment. The apps above
hear of it in the same transaction (`outage_ended`) and move their own deadlines.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from games import notify
from games.database import now
from games.models import Match, SiteHeartbeat
from games.signals import outage_ended

BEAT_PERIOD = timedelta(seconds=0.7)  # well below a second: that is what a clock may lose
OUTAGE_AFTER = timedelta(seconds=5)
ALIVE_WITHIN = timedelta(seconds=2)  # a heartbeat older than that: perhaps nobody can act, so nobody's flag falls
NOTHING = timedelta(0)


def beat() -> int:
    """Write that the site is alive. After a gap: the number of matches whose clocks got it back."""
    moment = now()
    fresh = SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW, at__gt=moment - OUTAGE_AFTER)
    if fresh.filter(at__lte=moment - BEAT_PERIOD / 2).update(at=moment) or fresh.exists():
        return 0
    return _end_outage()


def site_is_alive(moment: datetime) -> bool:
    """Whether a web process is alive, or none has ever run on this database."""
    at = _last_beat()
    return at is None or moment - at <= ALIVE_WITHIN


def time_owed(since: datetime | None, moment: datetime) -> timedelta:
    """The time that a deadline will get back for an outage that no heartbeat has found yet, running since `since`."""
    return time_lost(_last_beat(), since, moment)


def time_lost(alive: datetime | None, since: datetime | None, moment: datetime) -> timedelta:
    """The time that a clock running since `since` has lost by an outage that is not accounted for yet."""
    if alive is None or moment - alive <= OUTAGE_AFTER:
        return NOTHING
    return max(NOTHING, moment - max(alive, since or alive))


def _last_beat() -> datetime | None:
    return SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW).values_list("at", flat=True).first()


def _end_outage() -> int:
    with transaction.atomic():
        row = SiteHeartbeat.objects.select_for_update().filter(pk=SiteHeartbeat.THE_ROW).first()
        moment = now()
        if row is None:
            SiteHeartbeat.objects.bulk_create(
                [SiteHeartbeat(pk=SiteHeartbeat.THE_ROW, at=moment, since=moment)], ignore_conflicts=True
            )
            return 0
        if moment - row.at <= OUTAGE_AFTER:  # another process was first
            return 0
        # Before the matches: directing a tournament locks in this order, too.
        outage_ended.send(sender=SiteHeartbeat, alive=row.at, moment=moment)
        moved = _give_back(row.at, moment)
        row.at = row.since = moment
        row.save()
    return moved


def _give_back(alive: datetime, moment: datetime) -> int:
    """Move every running clock and its deadlines to where they were when the site was alive for the last time."""
    running = Match.objects.filter(status=Match.Status.LIVE, flag_at__isnull=False)
    changed = list(running.filter(clock_at__lt=moment).values_list("pk", flat=True))
    # Clocks written after the last heartbeat, in the second in which everything stopped, lost less.
    for match in running.filter(clock_at__gt=alive, clock_at__lt=moment):
        _move(Match.objects.filter(pk=match.pk, clock_at=match.clock_at), time_lost(alive, match.clock_at, moment))
    _move(running.filter(clock_at__lte=alive), moment - alive)
    for match_id in changed:
        notify.match_changed(match_id)
    return len(changed)


def _move(matches: QuerySet[Match], gap: timedelta) -> None:
    matches.update(clock_at=F("clock_at") + gap, flag_at=F("flag_at") + gap, remind_at=F("remind_at") + gap)
