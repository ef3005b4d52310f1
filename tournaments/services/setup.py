"""Making a tournament, changing it while it is open, and who directs it."""

from __future__ import annotations

import zoneinfo
from dataclasses import replace
from datetime import datetime
from itertools import product
from typing import Any

from django.db import transaction

from accounts.models import Club, User
from accounts.roles import Act, may, opens_events
from accounts.services import club_ensure_default
from games.database import now
from games.errors import Refused as PlayRefused
from games.registry import RULES
from games.services.offers import check_offer
from tournaments import draw
from tournaments.errors import Refused
from tournaments.fold import State
from tournaments.formats.table import FORMATS
from tournaments.models import Director, Tournament
from tournaments.services.desk import Desk
from tournaments.services.follow import options_at
from tournaments.terms import ENTRIES, PACES, SEEDINGS, VENUES, Terms

LONGEST_NAME, LONGEST_TEXT, MOST_PLACES = 80, 2000, 512


def tournament_create(
    *,
    creator: User,
    name: str,
    terms: Terms,
    club: Club | None = None,
    about: str = "",
    timezone: str = "UTC",
    capacity: int | None = None,
    starts_at: datetime | None = None,
    starts_itself: bool = False,
) -> Tournament:
    """Open a tournament of a club (None: the default one) for entries; who makes it directs it.

    Raises Refused: members_only, not_club_director, no_name, config, lengths, timezone, starts_at, and what is refused
    in an offer to play (variant, length, clock, options, house_rated).
    """
    if creator.is_guest or creator.is_bot:
        raise Refused("members_only")
    club = club or club_ensure_default()
    if not opens_events(creator, club):
        raise Refused("not_club_director")
    terms = as_the_club_rates(club, terms)
    check_terms(terms)
    seed = draw.new_seed()
    with transaction.atomic():
        tournament = Tournament(
            club=club,
            seed=seed,
            seed_hash=draw.commitment(seed),
            created_by=creator,
            created_at=now(),
            **_facts(name, about, timezone, capacity, starts_at, starts_itself),
        )
        tournament.save(force_insert=True)
        Director.objects.create(tournament=tournament, user=creator)
        desk = Desk(tournament, State(), tournament.created_at)
        desk.record("configured", creator, terms=terms.as_json())
        desk.commit()
    return tournament


def tournament_change(*, tournament_id: str, user: User, terms: Terms | None = None, **facts: Any) -> Tournament:
    """Change what was chosen, before the draw; facts that are not named stay.

    Raises Refused as tournament_create, not_director, already_drawn.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open")
        one = desk.tournament
        names = ("name", "about", "timezone", "capacity", "starts_at", "starts_itself")
        for key, value in _facts(*(facts.get(each, getattr(one, each)) for each in names)).items():
            setattr(one, key, value)
        terms = as_the_club_rates(one.club, terms or desk.state.rules)
        check_terms(terms)
        desk.record("configured", user, terms=terms.as_json())
        desk.admit()
        desk.commit()
    return one


def director_add(*, tournament_id: str, user: User, director: User) -> None:
    """Let a member direct, too. Raises Refused: not_director, members_only."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        if director.is_guest or director.is_bot or not director.is_active:
            raise Refused("members_only")
        _, made = Director.objects.get_or_create(tournament=desk.tournament, user=director)
        if made:
            desk.record("director_added", user, name=director.username)
            desk.commit()


def director_take_over(*, tournament_id: str, user: User) -> None:
    """An owner of the club becomes a director of its tournament (K4). Raises Refused: not_club_owner."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        if not may(user, Act.TAKE_OVER, desk.tournament.club):
            raise Refused("not_club_owner")
        _, made = Director.objects.get_or_create(tournament=desk.tournament, user=user)
        if made:
            desk.record("director_added", user, name=user.username)
            desk.commit()


def director_remove(*, tournament_id: str, user: User, director: User) -> None:
    """Take a director's rights back; the maker of the tournament keeps his. Raises Refused: not_director."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        others = desk.tournament.directors.exclude(user=desk.tournament.created_by)
        if others.filter(user=director).delete()[0]:
            desk.record("director_removed", user, name=director.username)
            desk.commit()


def announce(*, tournament_id: str, user: User, text: str) -> None:
    """Say something to everybody who looks at the page. Raises Refused: not_director."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        if text.strip():
            desk.record("announced", user, text=text.strip()[:LONGEST_TEXT])
            desk.commit()


def as_the_club_rates(club: Club, terms: Terms) -> Terms:
    """The terms with `rated` as the club's policy has it; matches with house options never are (K5)."""
    if club.rated == Club.Rated.CHOOSE:
        return terms
    return replace(terms, rated=club.rated == Club.Rated.ALL and not _house(terms))


def _house(terms: Terms) -> bool:
    """Whether a house option of the game is not as usual."""
    rules = RULES.get(terms.variant)
    known = rules.terms(rules.lengths[0]) if rules else {}
    return any(term.house and terms.options.get(key, term.default) != term.default for key, term in known.items())


def check_terms(terms: Terms) -> None:
    """Whether a tournament can be played on these terms. Raises Refused: config, and what an offer to play refuses."""
    waits = (terms.round_minutes, terms.round_hours, terms.no_show_minutes, terms.penalty_minutes - 1, *terms.hours)
    bounds = (terms.rating_from, terms.rating_to, terms.closes_minutes)
    if (
        terms.config.format not in FORMATS
        or terms.pace not in PACES
        or terms.venue not in VENUES
        or terms.seeding not in SEEDINGS
        or terms.entry not in ENTRIES
        or 0 < terms.rating_to < terms.rating_from
        or (terms.pace == "timed" and terms.round_minutes < 1)
        or min(*waits, *bounds) < 0
    ):
        raise Refused("config")
    for length, clock in product({*terms.lengths, *terms.side_lengths}, {terms.clock, *terms.clocks}):
        try:
            options = options_at(terms, length)
            check_offer([], variant=terms.variant, length=length, clock=clock, rated=terms.rated, options=options)
        except PlayRefused as refusal:
            raise Refused(refusal.code, ruling=refusal.ruling, params=refusal.params) from refusal


def _facts(
    name: str, about: str, timezone: str, capacity: int | None, starts_at: datetime | None, starts_itself: bool
) -> dict[str, Any]:
    """The columns of a tournament, checked. Raises Refused: no_name, timezone, config, starts_at."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("no_name")
    try:
        zoneinfo.ZoneInfo(timezone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refused("timezone") from error
    if capacity is not None and not 2 <= capacity <= MOST_PLACES:
        raise Refused("config")
    if starts_itself and starts_at is None:
        raise Refused("starts_at")
    return {
        "name": name,
        "about": about.strip()[:LONGEST_TEXT],
        "timezone": timezone,
        "capacity": capacity,
        "starts_at": starts_at,
        "starts_itself": starts_itself,
    }
