"""Creating a tournament, changing it while it is open, and announcements."""

from __future__ import annotations

import zoneinfo
from dataclasses import replace
from datetime import datetime
from itertools import product
from typing import Any

from django.db import transaction

from accounts.clubs.roles import may_create_events
from accounts.clubs.services import default_club_ensure
from accounts.models import Club, User
from accounts.web.staff import refusal_code
from games.clocks import PRESETS
from games.database import now
from games.errors import Refused as PlayRefused
from games.services.offers import check_offer
from games.services.presence import is_live_clock
from tournaments import draw, series, teams
from tournaments.errors import Refused
from tournaments.formats import arena
from tournaments.formats.core import Config, Invalid
from tournaments.formats.registry import FORMATS
from tournaments.formats.standings import check_tie_breaks
from tournaments.models import Official, Tournament
from tournaments.roles import DeskAct, Role
from tournaments.services.match_options import has_house_options, match_options
from tournaments.services.transaction import TournamentTransaction
from tournaments.state import State
from tournaments.terms import ENTRIES, PACES, SEEDINGS, VENUES, Terms

LONGEST_NAME, LONGEST_TEXT, MOST_PLACES = 80, 2000, 512


def tournament_create(
    *,
    creator: User,
    name: str,
    terms: Terms,
    club: Club | None = None,
    about: str = "",
    timezone: str = "",
    capacity: int | None = None,
    starts_at: datetime | None = None,
    starts_itself: bool = False,
) -> Tournament:
    """Create a tournament of a club (None: the default one), open for entries; its creator directs it.

    Its time zone is that of the club, unless another one is given (ruling E11).

    Raises Refused: members_only, not_club_director, no_name, config, lengths, timezone, starts_at, and what is refused
    in an offer to play (variant, length, clock, options, house_rated).
    """
    if creator.is_guest or creator.is_bot:
        raise Refused("members_only")
    club = club or default_club_ensure()
    if not may_create_events(creator, club):
        raise Refused(refusal_code(creator, "not_club_director"))
    terms = apply_club_rating(club, terms)
    check_terms(terms)
    seed = draw.new_seed()
    with transaction.atomic():
        tournament = Tournament(
            club=club,
            seed=seed,
            seed_hash=draw.commitment(seed),
            created_by=creator,
            created_at=now(),
            **_checked_columns(name, about, timezone or club.timezone, capacity, starts_at, starts_itself),
        )
        tournament.save(force_insert=True)
        Official.objects.create(
            tournament=tournament,
            user=creator,
            role=Role.DIRECTOR,
            appointed_by=creator,
            appointed_at=tournament.created_at,
        )
        tx = TournamentTransaction(tournament, State(), tournament.created_at)
        tx.record("configured", creator, terms=terms.as_json())
        tx.commit()
    return tournament


def tournament_update(*, tournament_id: str, user: User, terms: Terms | None = None, **facts: Any) -> Tournament:
    """Change the settings before the draw; `facts` that are not given stay.

    Raises Refused as tournament_create, not_director, already_drawn, teams_or_players (somebody has entered).
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.CHANGE_SETTINGS)
        tx.check_phase("open")
        tournament = tx.tournament
        names = ("name", "about", "timezone", "capacity", "starts_at", "starts_itself")
        for key, value in _checked_columns(
            *(facts.get(column, getattr(tournament, column)) for column in names)
        ).items():
            setattr(tournament, key, value)
        terms = apply_club_rating(tournament.club, terms or tx.state.rules)
        check_terms(terms)
        if bool(terms.config.boards) != bool(tx.state.teams.boards) and (tx.state.entrants or tx.state.waiting):
            raise Refused("teams_or_players")
        tx.record("configured", user, terms=terms.as_json())
        tx.admit_waiting()
        tx.commit()
    return tournament


def announcement_post(*, tournament_id: str, user: User, text: str) -> None:
    """Post an announcement on the tournament's page. Raises Refused: not_director."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.ANNOUNCE)
        if text.strip():
            tx.record("announced", user, text=text.strip()[:LONGEST_TEXT])
            tx.commit()


def apply_club_rating(club: Club, terms: Terms) -> Terms:
    """The terms with `rated` as the club's policy has it; matches with house options are never rated (K5)."""
    if club.rated == Club.Rated.CHOOSE:
        return terms
    return replace(terms, rated=club.rated == Club.Rated.ALL and not has_house_options(terms))


def check_terms(terms: Terms) -> None:
    """Check that these terms can be played.

    Raises Refused: config, third_place, team_*, series_*, arena_*, exhibition_clock, tie_breaks, tie_breaks_all_meet,
    and what an offer to play refuses.
    """
    durations = (terms.round_minutes, terms.round_hours, terms.no_show_minutes, terms.penalty_minutes - 1, *terms.hours)
    bounds = (terms.rating_from, terms.rating_to, terms.closes_minutes)
    if (
        terms.config.format not in FORMATS
        or terms.pace not in PACES
        or terms.venue not in VENUES
        or terms.seeding not in SEEDINGS
        or terms.entry not in ENTRIES
        or 0 < terms.rating_to < terms.rating_from
        or (terms.pace == "timed" and terms.round_minutes < 1)
        or min(*durations, *bounds) < 0
    ):
        raise Refused("config")
    if terms.config.third_place and terms.config.consolation != "none":
        raise Refused("third_place")
    _check_teams(terms)
    _check_series(terms.config)
    _check_arena(terms)
    _check_exhibition(terms)
    _check_tie_breaks(terms.config)
    for length, clock in product({*terms.lengths, *terms.side_lengths}, {terms.clock, *terms.clocks}):
        try:
            options = match_options(terms, length)
            check_offer([], variant=terms.variant, length=length, clock=clock, rated=terms.rated, options=options)
        except PlayRefused as refusal:
            raise Refused(refusal.code, ruling=refusal.ruling, params=refusal.params) from refusal


def _check_teams(terms: Terms) -> None:
    """Raises Refused: team_boards, team_format, team_pace."""
    boards = terms.config.boards
    if not boards:
        return
    if not teams.FEWEST_BOARDS <= boards <= teams.MOST_BOARDS:
        raise Refused("team_boards", params={"least": teams.FEWEST_BOARDS, "most": teams.MOST_BOARDS})
    if terms.config.format not in teams.FORMATS:
        raise Refused("team_format")
    if terms.pace not in teams.PACES:
        raise Refused("team_pace")


def _check_series(config: Config) -> None:
    """Raises Refused: series_length, series_teams, series_arena."""
    if config.best_of not in (1, *series.LENGTHS):
        raise Refused("series_length", params={"lengths": ", ".join(map(str, series.LENGTHS))})
    if config.best_of > 1 and config.boards:
        raise Refused("series_teams")
    if config.best_of > 1 and config.format == arena.Arena.key:
        raise Refused("series_arena")


def _check_arena(terms: Terms) -> None:
    """Raises Refused: arena_minutes, arena_length, arena_clock, arena_online."""
    if terms.config.format != arena.Arena.key:
        return
    if not arena.LEAST_MINUTES <= terms.config.minutes <= arena.MOST_MINUTES:
        raise Refused("arena_minutes", params={"least": arena.LEAST_MINUTES, "most": arena.MOST_MINUTES})
    if len(terms.lengths) != 1 or terms.lengths[0] not in arena.LENGTHS:
        raise Refused("arena_length")
    clock = PRESETS.get(terms.clock)
    if terms.clocks or clock is None or clock.kind is None or clock.slow:
        raise Refused("arena_clock")
    if (terms.venue, terms.pace) != ("online", "flow") or terms.check_in or terms.no_show_minutes or terms.round_hours:
        raise Refused("arena_online")


def _check_exhibition(terms: Terms) -> None:
    """Raises Refused: exhibition_clock."""
    sits_down = terms.venue != "board" and any(is_live_clock(clock) for clock in (terms.clock, *terms.clocks))
    if FORMATS[terms.config.format].at_once and sits_down:
        raise Refused("exhibition_clock")


def _check_tie_breaks(config: Config) -> None:
    """Raises Refused: tie_breaks, tie_breaks_all_meet."""
    all_meet = FORMATS[config.format].sections in ("cross", "both") and config.rounds == 0
    try:
        check_tie_breaks(config, all_meet=all_meet)
    except Invalid as error:
        raise Refused(error.code, params=dict(error.params)) from error


def _checked_columns(
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
