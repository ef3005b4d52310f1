"""Weekends for tests: dora organizes them."""

from __future__ import annotations

from datetime import date
from typing import Any

from accounts.clubs.services import default_club_ensure
from accounts.models import User
from tournaments.models import Tournament, Weekend
from tournaments.services.weekends import weekend_publish, weekend_save, weekend_set_tournaments

WEEKEND: dict[str, Any] = {"name": "Open", "first": date(2026, 12, 5), "last": date(2026, 12, 6)}


def weekend_of(by: User, *tournaments: Tournament, published: bool = True) -> Weekend:
    """A weekend of these tournaments, or of none, in their club."""
    club = tournaments[0].club if tournaments else default_club_ensure()
    weekend = weekend_save(user=by, club=club, **WEEKEND)
    ids = [tournament.pk for tournament in tournaments]
    weekend_set_tournaments(weekend_id=weekend.pk, user=by, tournament_ids=ids)
    weekend_publish(weekend_id=weekend.pk, user=by, published=published)
    weekend.refresh_from_db()
    return weekend
