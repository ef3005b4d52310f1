"""Sweeps of tournaments: tasks that handle rows whose deadline has come, and may run any number of times."""

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
from tournaments.services import records, recurring, results_sync

log = logging.getLogger(__name__)
MOST = 200  # rows of a kind in one sweep; the next one takes the rest


@shared_task
def sweep_tournaments() -> int:
    """Handle every tournament, round and pairing that is due, and record lost results. Returns how many were due."""
    moment = now()
    if not outage.site_is_alive(moment):
        return 0  # the site was down, and players could not act: the time is given back
    starts = Tournament.objects.filter(start_at__lte=moment).order_by("start_at").values_list("pk", flat=True)
    opens = TournamentRound.objects.filter(open_at__lte=moment).values_list("tournament_id", flat=True).distinct()
    stalled = TournamentRound.objects.filter(stalled_at__lte=moment).values_list("pk", flat=True)
    due = Q(remind_at__lte=moment) | Q(no_show_at__lte=moment) | Q(lock_at__lte=moment)
    # Rows due in a pause wait for its end: otherwise every sweep would handle them.
    meetings = Meeting.objects.filter(due).filter(match__pause__isnull=True).values_list("pk", flat=True)
    breaks = Tournament.objects.filter(break_ends_at__lte=moment).values_list("pk", flat=True)
    return (
        _handle_each(breaks[:MOST], lambda pk: services.break_due(tournament_id=pk))
        + _handle_each(starts[:MOST], lambda pk: services.tournament_due(tournament_id=pk))
        + _handle_each(services.absence_changes_unrecorded()[:MOST], services.absence_change_record)
        + _handle_each(services.unrecorded_match_ids(), lambda pk: services.match_result_record(match_id=pk))
        + _handle_each(opens[:MOST], lambda pk: services.round_due(tournament_id=pk))
        + _handle_each(stalled[:MOST], lambda pk: services.round_stalled(row_id=pk))
        + _handle_each(meetings[:MOST], lambda pk: services.meeting_due(meeting_id=pk))
        + _handle_each(services.arenas_running()[:MOST], lambda pk: services.arena_due(tournament_id=pk))
    )


@shared_task
def sweep_recurring_events() -> int:
    """Open due tournaments of recurring events, and bring results and records of clubs up to date. Returns how many."""
    return (
        _handle_each(
            recurring.recurring_events_due(now(), MOST), lambda pk: recurring.recurring_event_due(recurring_event_id=pk)
        )
        + _handle_each(
            results_sync.tournaments_to_sync(MOST), lambda pk: results_sync.tournament_sync_results(tournament_id=pk)
        )
        + _handle_each(records.records_due(MOST), lambda pk: records.records_count(club_id=pk))
    )


def _handle_each(rows: Iterable[Any], handle: Callable[[Any], object]) -> int:
    count = 0
    for row in list(rows):
        count += 1
        try:
            handle(row)
        except Exception:  # one broken tournament must not stop the others
            log.exception("deadline of %s", row)
    return count
