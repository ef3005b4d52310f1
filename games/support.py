"""What `games` tells the support of a person: his last matches, and where he stands."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.support.cards import Row, Section, section
from games import words
from games.models import Match, Seat

MOST = 10


@section
def last_matches(about: User, viewer: User) -> Iterable[Section]:
    """What he plays now and played last, each with the way to its board or replay. Two queries."""
    seats = Seat.objects.filter(user=about).select_related("match").prefetch_related("match__seats__user")
    rows = []
    for seat in seats.order_by("-match__created_at", "-match")[:MOST]:
        match = seat.match
        rival = next((one.name for one in match.seats.all() if one.pk != seat.pk), "")
        terms = f"{words.variant(match.variant)}, {words.length(match.length)}"
        state = _("rated") if match.rated else ""
        facts = " · ".join(part for part in (terms, str(Match.Status(match.status).label), state) if part)
        rows.append(
            Row(rival or _("nobody yet"), reverse("match", args=[match.pk]), facts, match.ended_at or match.created_at)
        )
    yield Section(_("Last matches"), rows, reverse("player", args=[about.username]))
