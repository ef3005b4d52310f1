"""Time that counts for nobody: while the site was away no deadline of a tournament ran, nor while a match was paused.

What ran is carried on: the deadlines of pairings and rounds are as much later as they lost. An hour that was announced
stays; only a start that fell into the outage comes as long after it as it was to come after its beginning.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.db.models import F

from games.models import Match
from games.services import outage
from tournaments.models import Meeting, Tournament
from tournaments.services.desk import Desk

log = logging.getLogger(__name__)


def outage_ended(*, alive: datetime, moment: datetime) -> None:
    """The site was away from `alive` to `moment`. Runs inside the transaction that gives all clocks their time back."""
    late = Tournament.objects.filter(start_at__gt=alive, start_at__lte=moment)
    late.update(start_at=F("start_at") + (moment - alive), starts_at=F("starts_at") + (moment - alive))
    running = Tournament.objects.filter(phase=Tournament.Phase.RUNNING).order_by("pk").values_list("pk", flat=True)
    for tournament_id in list(running):
        try:
            with transaction.atomic():
                _give_back(tournament_id, alive, moment)
        except OperationalError:  # a lock or the database, not the tournament: all of it again at the next heartbeat
            raise
        except Exception:  # one broken tournament must not stop everybody's clocks
            log.exception("outage in %s", tournament_id)


def put_off(row: Meeting, gap: timedelta) -> bool:
    """Let the time of a pairing begin later by `gap`, and every deadline of it end later. Whether it had one."""
    names = [name for name in Meeting.DEADLINES if getattr(row, name) is not None]
    if not gap or not names:
        return False
    for name in ("opened_at", *names):
        setattr(row, name, getattr(row, name) + gap)
    row.save(update_fields=["opened_at", *names])
    return True


def _give_back(tournament_id: str, alive: datetime, moment: datetime) -> None:
    desk = Desk.lock(tournament_id)
    if desk.state.phase != "running":
        return
    one, moved = desk.tournament, False
    for row in one.meetings.filter(state=Meeting.State.READY, opened_at__isnull=False).select_related("match"):
        moved |= put_off(row, outage.lost(alive, row.opened_at, paused_at(row) or moment))
    for round_ in one.round_rows.filter(stalled_at__isnull=False):
        lost = outage.lost(alive, round_.opened_at, moment)
        one.round_rows.filter(pk=round_.pk).update(stalled_at=F("stalled_at") + lost)
    gap = outage.lost(alive, one.begun_at, moment)
    if moved or one.round_rows.filter(open_at__isnull=False).exists():
        desk.record("outage", seconds=gap.total_seconds())
        desk.commit()


def paused_at(row: Meeting) -> datetime | None:
    """Since when the time of a pairing stands because its match is paused: all of it comes back when that goes on."""
    if row.match is None or row.match.status != Match.Status.LIVE or row.match.pause is None:
        return None
    return datetime.fromisoformat(row.match.pause["at"])
