"""Sections that tournaments add to pages of other apps: see accounts.web.page_sections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q

from accounts.models import User
from accounts.web.page_sections import section
from games.database import now
from games.models import Match
from tournaments.selectors.next_board import NextBoard, next_board
from tournaments.selectors.tournament_list import PHASES, TournamentRow, counted, tournament_rows

AHEAD = timedelta(hours=18)
"""What begins so soon is on tonight, wherever its club is."""
MOST_TONIGHT = 5


@section("tonight", "tournaments/_tonight.html")
def tournaments_tonight(user: User | None) -> Sequence[TournamentRow]:
    """The tournaments that are played now, and those that begin in the next hours."""
    moment = now()
    soon = Q(phase__in=(PHASES.OPEN, PHASES.DRAWN), starts_at__range=(moment - AHEAD / 3, moment + AHEAD))
    found = counted(user).filter(soon | Q(phase=PHASES.RUNNING))
    return tournament_rows(found.order_by("-phase", "starts_at", "created_at")[:MOST_TONIGHT])


@section("match", "tournaments/_next_board.html")
def host_boards(match: Match, user: User | None) -> Sequence[NextBoard]:
    """The way to the next board, on the page of a match that the user plays as the host of an exhibition."""
    found = next_board(match=match, user=user)
    return [] if found is None else [found]
