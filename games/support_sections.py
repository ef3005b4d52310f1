"""The section about a user's matches on the support page."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.support.person_sections import Row, Section, section
from games import labels
from games.models import Match, Seat

MAX_MATCHES = 10


@section
def last_matches(about: User, viewer: User) -> Iterable[Section]:
    """The current and last matches of a user, each linked to its board or replay. Two queries."""
    seats = Seat.objects.filter(user=about).select_related("match").prefetch_related("match__seats__user")
    rows = []
    for seat in seats.order_by("-match__created_at", "-match")[:MAX_MATCHES]:
        match = seat.match
        opponent = next((other.name for other in match.seats.all() if other.pk != seat.pk), "")
        terms = f"{labels.variant(match.variant)}, {labels.length(match.length)}"
        state = _("rated") if match.rated else ""
        facts = " · ".join(part for part in (terms, str(Match.Status(match.status).label), state) if part)
        rows.append(
            Row(
                opponent or _("no opponent yet"),
                reverse("match", args=[match.pk]),
                facts,
                match.ended_at or match.created_at,
            )
        )
    yield Section(_("Recent matches"), rows, reverse("player", args=[about.username]))
