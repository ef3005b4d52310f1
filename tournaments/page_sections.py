"""Sections that tournaments add to pages of other apps: see accounts.web.page_sections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Count, Q

from accounts.models import User
from accounts.web.page_sections import section
from games.database import now
from tournaments.models import Tournament
from tournaments.selectors.tournament_list import PHASES, TournamentRow, entered_tournaments, tournament_rows

AHEAD = timedelta(hours=18)
"""What begins so soon is on tonight, wherever its club is."""
MOST_TONIGHT = 5


@section("tonight", "tournaments/_tonight.html")
def tournaments_tonight(user: User | None) -> Sequence[TournamentRow]:
    """The tournaments that are played now, and those that begin in the next hours."""
    moment = now()
    plays = Q(entrants__withdrawn=False, entrants__waiting=False)
    soon = Q(phase__in=(PHASES.OPEN, PHASES.DRAWN), starts_at__range=(moment - AHEAD / 3, moment + AHEAD))
    found = Tournament.objects.filter(soon | Q(phase=PHASES.RUNNING)).annotate(players=Count("entrants", filter=plays))
    return tournament_rows(
        found.order_by("-phase", "starts_at", "created_at")[:MOST_TONIGHT], entered_tournaments(user)
    )
