"""The pairings of a weekend that are to be played now."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import Meeting, Tournament, Weekend


def open_meetings(weekend: Weekend) -> QuerySet[Meeting]:
    """The pairings that are to be played now, with their players and matches."""
    rows = Meeting.objects.filter(
        tournament__weekend=weekend,
        tournament__phase=Tournament.Phase.RUNNING,
        state=Meeting.State.READY,
        opened_at__isnull=False,
    )
    return rows.select_related("tournament", "a__user", "b__user", "match").defer("match__snapshot", "match__clock")
