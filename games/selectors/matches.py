"""Reads of matches that several lists and pages share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from accounts.models import User
from games.errors import NotFound
from games.models import Match, ResultCorrection, Seat
from games.selectors.spectator_access import check_spectator
from games.services.presence import SLOW

ACTIVE_WITHIN = timedelta(minutes=30)
"""How long ago the last action of a match may lie: of an event, or by correspondence."""
CASUAL_ACTIVE_WITHIN = timedelta(minutes=3)
"""The same for all others: their players may simply have gone."""
CLOCK_AHEAD = timedelta(minutes=10)
"""How far a clock's moment may lie in the future; one that lies further stands for a vacation."""


def with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Prefetch the seats with their users, White first."""
    return matches.prefetch_related(_seats())


def fetch_seats(*lists: Sequence[Match]) -> None:
    """Fetch the seats of the matches of several lists in one query, as `with_seats` does for one."""
    prefetch_related_objects([match for matches in lists for match in matches], _seats())


def _seats() -> Prefetch[Any]:
    return Prefetch("seats", Seat.objects.select_related("user").order_by("-side"))


def recently_active(moment: datetime) -> QuerySet[Match]:
    """The live matches with an action shortly before a moment: others are not worth watching."""
    # `ended_at` leads SQLite to an index: by the status alone it expects half the table to be live.
    live = Match.objects.filter(status=Match.Status.LIVE, ended_at=None)
    patient = Q(arranged=True) | Q(clock_preset__in=SLOW)
    return live.filter(clock_at__range=(moment - ACTIVE_WITHIN, moment + CLOCK_AHEAD)).filter(
        patient | Q(clock_at__gte=moment - CASUAL_ACTIVE_WITHIN)
    )


def visible_match(*, match_id: str, user: User | None) -> Match:
    """Fetch a match with its players for a page. Raises NotFound, or its subclass ViewerBlocked.

    A challenge and a cancelled offer are visible to the two players only; an arranged match is public.
    """
    with_ratings = Match.objects.select_related("creator", "invited", "rated_match").prefetch_related(
        "rated_match__events"
    )
    with_ratings = with_ratings.annotate(corrected=Exists(ResultCorrection.objects.filter(match=OuterRef("pk"))))
    match = with_seats(with_ratings).filter(pk=match_id).first()
    if match is None:
        raise NotFound
    concerned = user is not None and user.pk in (match.creator_id, match.invited_id)
    private = match.status == Match.Status.CANCELLED or (match.status == Match.Status.OPEN and match.invited_id)
    if private and not match.arranged and not concerned:
        raise NotFound
    check_spectator(match, user.pk if user else None)
    return match
