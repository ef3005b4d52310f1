"""What happens in tournaments without anybody's click: rows with deadlines, swept by a task that may run many times."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from celery import shared_task
from django.db.models import Q

from games.database import now
from games.services import outage
from tournaments import services
from tournaments.models import Meeting, Tournament, TournamentRound
from tournaments.services import books, nights, records

log = logging.getLogger(__name__)
MOST = 200  # rows of a kind in one sweep; the next one takes the rest


@shared_task
def sweep_tournaments() -> int:
    """Carry out everything whose time has come, and take the results that were not heard of. How many there were."""
    moment = now()
    if not outage.watched(moment):
        return 0  # nobody can come, report or check in: the time is given back
    starts = Tournament.objects.filter(start_at__lte=moment).order_by("start_at").values_list("pk", flat=True)
    opens = TournamentRound.objects.filter(open_at__lte=moment).values_list("tournament_id", flat=True).distinct()
    stalled = TournamentRound.objects.filter(stalled_at__lte=moment).values_list("pk", flat=True)
    due = Q(remind_at__lte=moment) | Q(no_show_at__lte=moment) | Q(lock_at__lte=moment)
    # What is due in a pause waits for its end: else the sweep would look at it each time.
    meetings = Meeting.objects.filter(due).filter(match__pause__isnull=True).values_list("pk", flat=True)
    recesses = Tournament.objects.filter(recess_at__lte=moment).values_list("pk", flat=True)
    return (
        _each(recesses[:MOST], lambda pk: services.recess_due(tournament_id=pk))
        + _each(starts[:MOST], lambda pk: services.tournament_due(tournament_id=pk))
        + _each(services.absences_untold()[:MOST], services.absence_tell)
        + _each(services.lost_results(), lambda pk: services.match_over(match_id=pk))
        + _each(opens[:MOST], lambda pk: services.round_due(tournament_id=pk))
        + _each(stalled[:MOST], lambda pk: services.round_stalled(row_id=pk))
        + _each(meetings[:MOST], lambda pk: services.meeting_due(meeting_id=pk))
    )


@shared_task
def sweep_nights() -> int:
    """Open the evenings of the clubs whose time has come, and write up their books. How many rows were due."""
    return (
        _each(nights.recurrences_due(now(), MOST), lambda pk: nights.recurrence_due(recurrence_id=pk))
        + _each(books.tournaments_to_book(MOST), lambda pk: books.tournament_book(tournament_id=pk))
        + _each(records.records_due(MOST), lambda pk: records.records_count(club_id=pk))
    )


def _each(rows: Iterable[Any], handle: Callable[[Any], object]) -> int:
    count = 0
    for row in list(rows):
        count += 1
        try:
            handle(row)
        except Exception:  # one broken tournament must not stop the others
            log.exception("deadline of %s", row)
    return count
