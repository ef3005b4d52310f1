"""Seasons of a club: a name, two dates, and how results count. Their tables follow from the placings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction

from accounts.clubs.roles import may_direct
from accounts.models import Club, User
from accounts.web.staff import refusal_code
from games.database import now
from games.registry import RULES
from tournaments.errors import NotFound, Refused
from tournaments.models import Season
from tournaments.seasons import MOST_PLACES, SeasonTerms

LONGEST_NAME = 80
MOST_POINTS = 1000  # for a place
MOST_SEASONS = 200  # of a club
FIRST_YEAR, LAST_YEAR = 1900, 2999  # so that its days have an hour in every time zone


def season_save(
    *,
    user: User,
    club: Club,
    name: str,
    first: date,
    last: date,
    terms: SeasonTerms,
    variants: Sequence[str] = (),
    season_id: int | None = None,
) -> Season:
    """Create a season, or change one, which recounts its table.

    Raises NotFound, Refused: not_club_director, season_name,
    season_days, season_years, season_points, variant, too_many_seasons.
    """
    if not may_direct(user, club):
        raise Refused(refusal_code(user, "not_club_director"))
    name = " ".join(name.split())
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        others = Season.objects.filter(club=club).exclude(pk=season_id or 0)
        if not 0 < len(name) <= LONGEST_NAME or others.filter(name=name).exists():
            raise Refused("season_name")
        if last < first:
            raise Refused("season_days")
        if first.year < FIRST_YEAR or last.year > LAST_YEAR:
            raise Refused("season_years", params={"first": FIRST_YEAR, "last": LAST_YEAR})
        numbers = (*terms.points, terms.presence, terms.best)
        if len(terms.points) > MOST_PLACES or not all(0 <= number <= MOST_POINTS for number in numbers):
            raise Refused("season_points", params={"most": MOST_POINTS, "places": MOST_PLACES})
        if unknown := [variant for variant in variants if variant not in RULES]:
            raise Refused("variant", params={"variant": unknown[0]})
        if others.count() >= MOST_SEASONS:
            raise Refused("too_many_seasons", params={"most": MOST_SEASONS})
        season = Season(club=club, made_by=user, made_at=now()) if season_id is None else _season(club, season_id)
        season.name, season.first, season.last = name, first, last
        season.rule, season.points, season.presence = terms.rule, list(terms.points), terms.presence
        season.best, season.variants = terms.best, list(variants)
        season.save()
    return season


def season_remove(*, user: User, club: Club, season_id: int) -> None:
    """Delete a season; its tournaments stay. Raises NotFound, Refused("not_club_director")."""
    if not may_direct(user, club):
        raise Refused(refusal_code(user, "not_club_director"))
    _season(club, season_id).delete()


def _season(club: Club, season_id: int) -> Season:
    found = Season.objects.filter(club=club, pk=season_id).first()
    if found is None:
        raise NotFound
    return found
