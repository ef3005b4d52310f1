"""Outages: while no web process serves nobody's time runs, and what a clock lost is given back, once.

Every web process writes the row `SiteHeartbeat` four times a second, from the moment at which it serves
(`games.heartbeat`). A *gap* is more than a second from one heartbeat to the next. The process that ends it gives the
time back to every running clock, under the lock of that row, so that two processes which start together do it once. An
act that comes before that counts the same gap for its own match (`time_lost`): whichever is first, nothing is given
twice, because a clock that was written since then starts from that moment. A gap of more than `OUTAGE_AFTER` is an
outage, which the apps above receive in the same transaction (`outage_ended`): they move deadlines of minutes and days.

A clock of the database that is set forward looks like a gap, and is given back like one. When it is set back, the last
heartbeat lies in the future: then everything moves back by as much. Until a heartbeat has found that, no clock believes
that it is earlier than the last heartbeat (`never_before`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Event

from django.db import transaction
from django.db.models import F, QuerySet

from games import notify
from games.database import now
from games.models import Match, Seat, SiteHeartbeat, WebProcess
from games.signals import outage_ended

BEAT_PERIOD = timedelta(seconds=0.25)  # that is how much too much a clock may get back
GAP_AFTER = timedelta(seconds=1)
OUTAGE_AFTER = timedelta(seconds=5)
NOTHING = timedelta(0)


def beat() -> int:
    """Write that the site serves. After a gap: the number of matches whose clocks got it back."""
    moment = now()
    row = SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW, at__gte=moment - GAP_AFTER, at__lte=moment + GAP_AFTER)
    if row.filter(at__lte=moment - BEAT_PERIOD / 2).update(at=moment) or row.exists():
        return 0
    return _end_gap()


def beat_first() -> int:
    """Write the first heartbeat of a process that is about to serve; returns as `beat`.

    A heartbeat of less than a second ago may be the last one of a process that died. So this waits until another
    process writes the next one, or until it is old enough to be a gap.
    """
    seen = last_beat()
    while seen is not None and not is_gap(seen, now()) and last_beat() == seen:
        Event().wait(BEAT_PERIOD.total_seconds() / 5)
    return beat()


def last_beat() -> datetime | None:
    """When the site served for the last time, as far as it is written; None if no web process ever has."""
    return SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW).values_list("at", flat=True).first()


def is_gap(alive: datetime, moment: datetime) -> bool:
    """Whether the time from the last heartbeat to `moment` counts for nobody."""
    return abs(moment - alive) > GAP_AFTER


def site_is_alive(moment: datetime) -> bool:
    """Whether a web process serves, or none has ever run on this database."""
    alive = last_beat()
    return alive is None or not is_gap(alive, moment)


def never_before(alive: datetime | None, moment: datetime) -> datetime:
    """The moment of play: not before the last heartbeat, though the database's clock was set back since then."""
    return moment if alive is None else max(alive, moment)


def time_owed(since: datetime | None, moment: datetime) -> timedelta:
    """The time that a deadline will get back for an outage that no heartbeat has found yet, running since `since`."""
    return time_lost(last_beat(), since, moment, after=OUTAGE_AFTER)


def time_lost(
    alive: datetime | None, since: datetime | None, moment: datetime, *, after: timedelta = GAP_AFTER
) -> timedelta:
    """The time that a clock running since `since` has lost by a gap that is not accounted for yet.

    Negative where the database's clock was set back between `alive` and `moment`.
    """
    if alive is None or abs(moment - alive) <= after:
        return NOTHING
    begun = max(alive, since or alive)
    if moment < alive:
        return NOTHING if begun > alive + GAP_AFTER else moment - begun  # a clock that stands until a later day stays
    return max(NOTHING, moment - begun)


def _end_gap() -> int:
    with transaction.atomic():
        row = SiteHeartbeat.objects.select_for_update().filter(pk=SiteHeartbeat.THE_ROW).first()
        moment = now()
        if row is None:
            SiteHeartbeat.objects.bulk_create(
                [SiteHeartbeat(pk=SiteHeartbeat.THE_ROW, at=moment, since=moment)], ignore_conflicts=True
            )
            return 0
        if not is_gap(row.at, moment):  # another process was first
            return 0
        if abs(moment - row.at) > OUTAGE_AFTER:
            # Before the matches: directing a tournament locks in this order, too.
            outage_ended.send(sender=SiteHeartbeat, alive=row.at, moment=moment)
            moment = now()  # tournaments take their time, in which nobody plays
            row.since = moment
            row.begun_at = row.begun_at and min(row.begun_at, moment)
        else:  # what a lost process took counts from `since`, or from its last heartbeat: without this gap
            WebProcess.objects.update(at=F("at") + (moment - row.at))
        moved = _give_back(row.at, moment)
        row.at = moment
        row.save()
    return moved


def _give_back(alive: datetime, moment: datetime) -> int:
    """Move every running clock and its deadlines to where they were when the site was alive for the last time."""
    running = Match.objects.filter(status=Match.Status.LIVE, flag_at__isnull=False)
    list(locked_in_order(running.only("pk")))
    # Clocks written after the last heartbeat lost less, and a clock that stands until a later day loses nothing.
    late = running.filter(clock_at__gt=alive, clock_at__lt=max(moment, alive + GAP_AFTER))
    early = running.filter(clock_at__lte=alive)
    if moment < alive:  # a clock of just now was written after the database's clock was set back
        early = early.exclude(clock_at__gt=moment - GAP_AFTER, clock_at__lte=moment)
        Seat.objects.filter(seen_at__gt=moment).update(seen_at=moment)
        Match.objects.filter(bot_at__gt=moment).update(bot_at=moment)
    changed = [*early.values_list("pk", flat=True)]
    for match in late:
        changed.append(match.pk)
        move_clocks(
            Match.objects.filter(pk=match.pk, clock_at=match.clock_at), time_lost(alive, match.clock_at, moment)
        )
    move_clocks(early, moment - alive)
    for match_id in changed:
        notify.match_changed(match_id)
    return len(changed)


def locked_in_order(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Lock several matches: always in the same order, so that no two who do it wait for each other."""
    return matches.select_for_update().order_by("pk")


def move_clocks(matches: QuerySet[Match], gap: timedelta) -> None:
    """Move the running clocks of these matches and their deadlines by so much."""
    matches.update(clock_at=F("clock_at") + gap, flag_at=F("flag_at") + gap, remind_at=F("remind_at") + gap)
