"""Presence at live matches: collected in this process, written by its heartbeat for all seats at once.

A frame of a player's socket, an act or a poll over HTTP is a sign of life. To write each would double the writes of
play; so a web process writes every 1.5 s which seats it has heard since, and `Seat.seen_at` is late by no more.

A member's bot has one socket, or one poll, for all its matches: it is present in each. The house's bots are never away.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from games import events
from games.absence import AWAY_AFTER, Absence, find_absence
from games.clocks import PRESETS
from games.database import now
from games.engine import Side, opponent
from games.models import Action, Match, Seat, SiteHeartbeat
from games.services import web_processes
from games.services.outage import OUTAGE_AFTER

SLOW = frozenset(key for key, preset in PRESETS.items() if preset.slow)

_lock = threading.Lock()
_seen: set[tuple[str, int]] = set()  # match, user
_polled: set[int] = set()  # bots that polled for their events
_connected: Counter[int] = Counter()  # bots with open sockets, and how many


def seat_seen(match_id: str, user_id: int | None) -> None:
    """Record a player's sign of life in a match. Costs nothing."""
    if user_id is not None:
        with _lock:
            _seen.add((match_id, user_id))


def bot_polled(bot_id: int) -> None:
    """Record that a member's bot polled for its events. Costs nothing."""
    with _lock:
        _polled.add(bot_id)


def bot_connected(bot_id: int) -> None:
    """Record that a member's bot opened a socket: it is present until `bot_disconnected`."""
    with _lock:
        _connected[bot_id] += 1


def bot_disconnected(bot_id: int) -> None:
    """Record that one of the bot's sockets is closed."""
    with _lock:
        _connected[bot_id] -= 1
        if not _connected[bot_id]:
            del _connected[bot_id]


def write() -> int:
    """Write which seats were heard since the last time; returns how many.

    Rows that another process is just writing are skipped: to wait for many rows could block an act that waits for one
    of them.
    """
    with _lock:
        pairs, bots = frozenset(_seen), _polled | _connected.keys()
        _seen.clear()
        _polled.clear()
    pairs |= _live_matches_of(bots)
    if not pairs:
        return 0
    unfinished = Seat.objects.filter(match__in={match_id for match_id, _ in pairs}, ended_at=None).order_by("pk")
    with transaction.atomic():
        rows = unfinished.select_for_update(skip_locked=True).values_list("pk", "match_id", "user_id")
        seats = [pk for pk, match_id, user_id in rows if (match_id, user_id) in pairs]
        return Seat.objects.filter(pk__in=seats).update(seen_at=now(), heard_by=web_processes.own_id())


def _live_matches_of(bots: AbstractSet[int]) -> frozenset[tuple[str, int]]:
    """The live matches of these bots: (match, user)."""
    if not bots:
        return frozenset()
    seats = Seat.objects.filter(user__in=bots, ended_at=None, match__status=Match.Status.LIVE)
    return frozenset(seats.exclude(match__clock_preset__in=SLOW).values_list("match_id", "user_id"))


def process_started() -> None:
    """Record that a web process begins: its players have to reconnect, and no absence counts meanwhile."""
    SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW).update(begun_at=now())


def patience() -> timedelta:
    """How long a player waits for an absent opponent."""
    return timedelta(seconds=settings.ABSENCE_SECONDS)


def is_live_clock(clock: str) -> bool:
    """Whether a match with this clock is played in one sitting: by correspondence nobody is away."""
    return clock not in SLOW


def site_heartbeat() -> SiteHeartbeat | None:
    """Until when, and since when, the site is alive; None where no web process ever ran."""
    return SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW).first()


def absences(
    seen: Mapping[Side, datetime | None],
    started_at: datetime | None,
    moment: datetime,
    *,
    alive: Callable[[], SiteHeartbeat | None] = site_heartbeat,
) -> dict[Side, Absence]:
    """Which of the seats of a match are away, by when each was last seen. During an outage nobody is away.

    `alive` is called only when a seat is silent.
    """
    since = {side: max(at or started_at, started_at) for side, at in seen.items() if started_at is not None}
    if all(moment - at <= AWAY_AFTER for at in since.values()):
        return {}
    site = alive()
    if site is not None and moment - site.at > OUTAGE_AFTER:
        return {}
    count_from = absences_count_from(site)
    found = {side: find_absence(at, moment, patience=patience(), count_from=count_from) for side, at in since.items()}
    return {side: absence for side, absence in found.items() if absence is not None}


def absence_of(match: Match, side: Side, moment: datetime) -> Absence | None:
    """The absence of one seat of a live match as it is now; None while it is present, and for the house's bots.

    Signs of life that are not written yet count, too: an act of the seat, and what this process has heard.
    """
    seat = Seat.objects.filter(match=match, side=side).select_related("user").first()
    if seat is None or seat.user is None or seat.user.is_house_bot or not is_live_clock(match.clock_preset):
        return None
    if (match.pk, seat.user.pk) in _seen or seat.user.pk in _polled or seat.user.pk in _connected:
        return None
    acts = Action.objects.filter(match=match, actor=side).order_by("-n").values_list("at", flat=True)
    signs = [at for at in (seat.seen_at, acts.first()) if at is not None]
    return absences({side: max(signs, default=None)}, match.started_at, moment).get(side)


def absences_count_from(site: SiteHeartbeat | None) -> datetime | None:
    """From when an absence counts: a while after an outage, or after a web process began."""
    if site is None:
        return None
    return max(site.since, site.begun_at or site.since) + timedelta(seconds=settings.ABSENCE_GRACE_SECONDS)


def waits_for(match: Match, side: Side) -> bool:
    """Whether a live match waits for this side alone."""
    return events.awaits(match, side) and not events.awaits(match, opponent(side))
