"""Time that counts for nobody: no deadline of a tournament runs while the site is down, or while a match is paused.

Deadlines of pairings and rounds are moved by the time they lost. A start time that was announced stays; only a start
that fell into the outage comes as long after its end as it was to come after its beginning.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.db.models import F

from games.models import Match
from games.services import outage
from tournaments.models import Meeting, Tournament
from tournaments.services.transaction import TournamentTransaction

log = logging.getLogger(__name__)


def outage_ended(*, alive: datetime, moment: datetime) -> None:
    """Give back the outage from `alive` to `moment`. Runs inside the transaction that extends all clocks."""
    missed_starts = Tournament.objects.filter(start_at__gt=alive, start_at__lte=moment)
    missed_starts.update(start_at=F("start_at") + (moment - alive), starts_at=F("starts_at") + (moment - alive))
    running = Tournament.objects.select_for_update().filter(phase=Tournament.Phase.RUNNING).order_by("pk")
    for tournament_id in list(running.values_list("pk", flat=True)):  # all locked before the weekend of any
        try:
            with transaction.atomic():
                _extend_after_outage(tournament_id, alive, moment)
        except OperationalError:  # a lock or the database, not the tournament: all of it again at the next heartbeat
            raise
        except Exception:  # one broken tournament must not stop everybody's clocks
            log.exception("outage in %s", tournament_id)


def extend_deadlines(row: Meeting, lost: timedelta) -> bool:
    """Move the opening and every deadline of a pairing by `lost`, and whether it had a deadline."""
    names = [name for name in Meeting.DEADLINES if getattr(row, name) is not None]
    if not lost or not names:
        return False
    for name in ("opened_at", *names):
        setattr(row, name, getattr(row, name) + lost)
    row.save(update_fields=["opened_at", *names])
    return True


def _extend_after_outage(tournament_id: str, alive: datetime, moment: datetime) -> None:
    tx = TournamentTransaction.lock(tournament_id, away=True)
    if tx.state.phase != "running" or tx.is_away:
        return
    tournament, moved = tx.tournament, False
    for row in tournament.meetings.filter(state=Meeting.State.READY, opened_at__isnull=False).select_related("match"):
        paused = paused_since(row)
        until = max(paused, alive) if paused else moment
        moved |= extend_deadlines(row, outage.time_lost(alive, row.opened_at, until))
    for round_ in tournament.round_rows.filter(stalled_at__isnull=False):
        lost = outage.time_lost(alive, round_.opened_at, moment)
        tournament.round_rows.filter(pk=round_.pk).update(stalled_at=F("stalled_at") + lost)
    lost = outage.time_lost(alive, tournament.begun_at, moment)
    if moved or tournament.round_rows.filter(open_at__isnull=False).exists():
        tx.record("outage", seconds=lost.total_seconds())
        tx.commit()


def paused_since(row: Meeting) -> datetime | None:
    """Since when the match of a pairing is paused: the whole pause is given back when it is resumed."""
    if row.match is None or row.match.status != Match.Status.LIVE or row.match.pause is None:
        return None
    return datetime.fromisoformat(row.match.pause["at"])
