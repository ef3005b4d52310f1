"""Players who leave the board of a live match: the directors are alerted when the wait for them is over.

The rows of the seats decide who is absent (`games.services.presence`), the events what was alerted: so nobody is
alerted twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import Q

from games.database import now
from games.models import Match, Seat
from games.services import presence
from tournaments.formats.core import Key
from tournaments.models import Meeting, Tournament, TournamentEvent
from tournaments.services.transaction import TournamentTransaction

AWAY = "away"


@dataclass(frozen=True, slots=True)
class AbsenceChange:
    """What is to be recorded of one pairing: the entrant who is away, or (None) that both are back."""

    tournament_id: str
    key: Key
    entrant: int | None


def absence_changes_unrecorded() -> list[AbsenceChange]:
    """The absences at live matches that the directors were not alerted to, and the alerts that are over.

    In two statements.
    """
    moment = now()
    known = _recorded_alerts()
    alive = cache(presence.site_heartbeat)
    unrecorded = []
    for (tournament_id, key), seats in groupby(_live_seats(), lambda row: (row[0], row[1])):
        rows = [row[2:] for row in seats]
        seen = {side: seen_at for _started, side, seen_at, *_ in rows}
        absent = presence.absences(seen, rows[0][0], moment, alive=alive)
        overdue = {side: absence for side, absence in absent.items() if absence.is_over(moment)}
        kind, at = known.get((tournament_id, key), ("", None))
        if overdue:
            side = min(overdue, key=lambda side: overdue[side].since)
            if at is None or at < overdue[side].since:
                unrecorded.append(
                    AbsenceChange(tournament_id, key, next(_entrant_number(row) for row in rows if row[1] == side))
                )
        elif not absent and kind == "alerted":
            unrecorded.append(AbsenceChange(tournament_id, key, None))
    return unrecorded


def absence_change_record(change: AbsenceChange) -> None:
    """Alert the directors, or remove the alert. Idempotent."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(change.tournament_id)
        if change.entrant is not None:
            tx.alert(AWAY, change.key, entrant=change.entrant)
        elif (AWAY, change.key) in tx.state.alerts:
            tx.record("settled", None, what=AWAY, key=change.key)
        tx.commit()


def _entrant_number(row: tuple[Any, ...]) -> int:
    """The number of the entrant who has this seat, from a row of `_live_seats`."""
    *_seat, user, a_user, a, b = row
    return int(a if user == a_user else b)


def _live_seats() -> Iterable[tuple[Any, ...]]:
    """The seats of people in live matches of running tournaments, pairing by pairing."""
    seats = Seat.objects.filter(
        match__meeting__state=Meeting.State.READY,
        match__meeting__tournament__phase=Tournament.Phase.RUNNING,
        match__status=Match.Status.LIVE,
        match__pause__isnull=True,
    ).filter(Q(user__is_bot=False) | Q(user__owner__isnull=False))
    meeting = "match__meeting__"
    return (
        seats.exclude(match__clock_preset__in=presence.SLOW)
        .order_by(f"{meeting}tournament", f"{meeting}key")
        .values_list(
            *(f"{meeting}tournament", f"{meeting}key", "match__started_at", "side", "seen_at", "user"),
            *(f"{meeting}a__user", f"{meeting}a__number", f"{meeting}b__number"),
        )
    )


def _recorded_alerts() -> dict[tuple[str, Key], tuple[str, datetime]]:
    """By pairing, the kind of the last event about an absence (`alerted` or `settled`), and when it was alerted."""
    events = TournamentEvent.objects.filter(
        tournament__phase=Tournament.Phase.RUNNING, kind__in=("alerted", "settled"), data__what=AWAY
    )
    known: dict[tuple[str, Key], tuple[str, datetime]] = {}
    for tournament_id, kind, key, at in events.order_by("n").values_list("tournament_id", "kind", "data__key", "at"):
        pairing = (tournament_id, key)
        known[pairing] = (kind, at if kind == "alerted" or pairing not in known else known[pairing][1])
    return known
