"""Who is heard at the tables, and who is away: kept in this process, written by its heartbeat for all seats at once.

A frame of a player's socket, an act or a poll over HTTP is a sign of life. To write each would double the writes of
play; so a web process writes every 1.4 s which seats it has heard since, and `Seat.seen_at` is late by no more.

A member's bot has one socket, or one poll, for all its tables: it is at each of them. The house's bots are never away.
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
from games.absence import AWAY, Absence, absence
from games.clocks import PRESETS
from games.database import now
from games.engine import Side, rival
from games.models import Action, Alive, Match, Seat
from games.services.outage import GAP

SLOW = frozenset(key for key, preset in PRESETS.items() if preset.slow)

_lock = threading.Lock()
_heard: set[tuple[str, int]] = set()  # match, user
_asked: set[int] = set()  # bots that asked for their events
_listening: Counter[int] = Counter()  # bots with open sockets, and how many


def heard(match_id: str, user_id: int | None) -> None:
    """A player gave a sign of life at this table. Costs nothing."""
    if user_id is not None:
        with _lock:
            _heard.add((match_id, user_id))


def bot_asked(bot_id: int) -> None:
    """A member's bot asked what there is to do. Costs nothing."""
    with _lock:
        _asked.add(bot_id)


def bot_came(bot_id: int) -> None:
    """A member's bot opened a socket: it is here until `bot_left`."""
    with _lock:
        _listening[bot_id] += 1


def bot_left(bot_id: int) -> None:
    """One of its sockets is closed."""
    with _lock:
        _listening[bot_id] -= 1
        if not _listening[bot_id]:
            del _listening[bot_id]


def write() -> int:
    """Write who was heard since the last time; how many seats.

    What another process is just writing stays out: to wait for many rows could block an act that waits for one of them.
    """
    with _lock:
        pairs, bots = frozenset(_heard), _asked | _listening.keys()
        _heard.clear()
        _asked.clear()
    pairs |= _tables_of(bots)
    if not pairs:
        return 0
    tables = Seat.objects.filter(match__in={match_id for match_id, _ in pairs}, ended_at=None).order_by("pk")
    with transaction.atomic():
        rows = tables.select_for_update(skip_locked=True).values_list("pk", "match_id", "user_id")
        seats = [pk for pk, match_id, user_id in rows if (match_id, user_id) in pairs]
        return Seat.objects.filter(pk__in=seats).update(seen_at=now())


def _tables_of(bots: AbstractSet[int]) -> frozenset[tuple[str, int]]:
    """The live matches of these bots: (match, user)."""
    if not bots:
        return frozenset()
    seats = Seat.objects.filter(user__in=bots, ended_at=None, match__status=Match.Status.LIVE)
    return frozenset(seats.exclude(match__clock_preset__in=SLOW).values_list("match_id", "user_id"))


def begin() -> None:
    """A web process begins: those who were at the one before it have to come back, and nobody is to blame meanwhile."""
    Alive.objects.filter(pk=Alive.THE_ROW).update(begun_at=now())


def patience() -> timedelta:
    """How long a player waits for one who is away."""
    return timedelta(seconds=settings.ABSENCE_SECONDS)


def live(clock: str) -> bool:
    """Whether a match with this clock is played in one sitting: by correspondence nobody is away."""
    return clock not in SLOW


def alive() -> Alive | None:
    """Until when, and since when, the site is alive; None where no web process ever lived."""
    return Alive.objects.filter(pk=Alive.THE_ROW).first()


def absences(
    seen: Mapping[Side, datetime | None],
    started_at: datetime | None,
    moment: datetime,
    *,
    alive: Callable[[], Alive | None] = alive,
) -> dict[Side, Absence]:
    """Which of the seats of a match are away, by when each was last seen. Nobody is away from a site that is away.

    `alive` is asked only when somebody is silent.
    """
    since = {side: max(at or started_at, started_at) for side, at in seen.items() if started_at is not None}
    if all(moment - at <= AWAY for at in since.values()):
        return {}
    site = alive()
    if site is not None and moment - site.at > GAP:
        return {}
    blame = blame_from(site)
    found = {side: absence(at, moment, patience=patience(), blame_from=blame) for side, at in since.items()}
    return {side: one for side, one in found.items() if one is not None}


def absent(match: Match, side: Side, moment: datetime) -> Absence | None:
    """The absence of one seat of a live match as it is now; None while it is here, and for the house's bots.

    What the heartbeat has still to write counts, too: an act of the seat, and what this process has heard.
    """
    seat = Seat.objects.filter(match=match, side=side).select_related("user").first()
    if seat is None or seat.user is None or seat.user.is_house_bot or not live(match.clock_preset):
        return None
    if (match.pk, seat.user.pk) in _heard or seat.user.pk in _asked or seat.user.pk in _listening:
        return None
    acts = Action.objects.filter(match=match, actor=side).order_by("-n").values_list("at", flat=True)
    signs = [at for at in (seat.seen_at, acts.first()) if at is not None]
    return absences({side: max(signs, default=None)}, match.started_at, moment).get(side)


def blame_from(site: Alive | None) -> datetime | None:
    """Since when an absence counts: a while after the site was away, or a web process of it began."""
    if site is None:
        return None
    return max(site.since, site.begun_at or site.since) + timedelta(seconds=settings.ABSENCE_GRACE_SECONDS)


def waits_for(match: Match, side: Side) -> bool:
    """Whether a live match stands still until this side alone does something."""
    return events.awaits(match, side) and not events.awaits(match, rival(side))
