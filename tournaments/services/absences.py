"""Players who leave the board of a live match: the directors hear of it when the wait for them is over.

The rows of the seats decide (`games.services.presence`), the events say what was told: so nothing is told twice.
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
from tournaments.services.desk import Desk

AWAY = "away"


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be told of one pairing: which entrant is away, or (None) that both are back."""

    tournament_id: str
    key: Key
    entrant: int | None


def absences_untold() -> list[Told]:
    """What the directors do not know yet of the tables where a match is in play, in two statements."""
    moment = now()
    known = _known()
    alive = cache(presence.alive)
    untold = []
    for (tournament_id, key), seats in groupby(_seats(), lambda row: (row[0], row[1])):
        rows = [row[2:] for row in seats]
        seen = {side: seen_at for _started, side, seen_at, *_ in rows}
        gone = presence.absences(seen, rows[0][0], moment, alive=alive)
        over = {side: one for side, one in gone.items() if one.over(moment)}
        kind, at = known.get((tournament_id, key), ("", None))
        if over:
            side = min(over, key=lambda each: over[each].since)
            if at is None or at < over[side].since:
                untold.append(Told(tournament_id, key, next(_number(row) for row in rows if row[1] == side)))
        elif not gone and kind == "alerted":
            untold.append(Told(tournament_id, key, None))
    return untold


def absence_tell(told: Told) -> None:
    """Alert the directors, or take the alert back. To do it again changes nothing."""
    with transaction.atomic():
        desk = Desk.lock(told.tournament_id)
        if told.entrant is not None:
            desk.alert(AWAY, told.key, entrant=told.entrant)
        elif (AWAY, told.key) in desk.state.alerts:
            desk.record("settled", None, what=AWAY, key=told.key)
        desk.commit()


def _number(row: tuple[Any, ...]) -> int:
    """The entrant who sits at this seat."""
    *_seat, user, a_user, a, b = row
    return int(a if user == a_user else b)


def _seats() -> Iterable[tuple[Any, ...]]:
    """The seats of players at the tables of live matches that are in play, pairing by pairing."""
    at_tables = Seat.objects.filter(
        match__meeting__state=Meeting.State.READY,
        match__meeting__tournament__phase=Tournament.Phase.RUNNING,
        match__status=Match.Status.LIVE,
        match__pause__isnull=True,
    ).filter(Q(user__is_bot=False) | Q(user__owner__isnull=False))
    meeting = "match__meeting__"
    return (
        at_tables.exclude(match__clock_preset__in=presence.SLOW)
        .order_by(f"{meeting}tournament", f"{meeting}key")
        .values_list(
            *(f"{meeting}tournament", f"{meeting}key", "match__started_at", "side", "seen_at", "user"),
            *(f"{meeting}a__user", f"{meeting}a__number", f"{meeting}b__number"),
        )
    )


def _known() -> dict[tuple[str, Key], tuple[str, datetime]]:
    """Of each pairing whether the last word about an absence was an alert or its end, and when it was alerted."""
    said = TournamentEvent.objects.filter(
        tournament__phase=Tournament.Phase.RUNNING, kind__in=("alerted", "settled"), data__what=AWAY
    )
    known: dict[tuple[str, Key], tuple[str, datetime]] = {}
    for tournament_id, kind, key, at in said.order_by("n").values_list("tournament_id", "kind", "data__key", "at"):
        where = (tournament_id, key)
        known[where] = (kind, at if kind == "alerted" or where not in known else known[where][1])
    return known
