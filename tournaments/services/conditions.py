"""Who may enter by himself. Each refusal names the condition and how to meet it; a director lets in whom he likes."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.formats import date_format
from django.utils.timezone import localtime

from accounts.models import User
from accounts.roles import is_member
from games import ratings, words
from games.clocks import pace_of
from games.models import Rating
from tournaments.errors import Refused
from tournaments.models import Tournament
from tournaments.services.desk import Desk
from tournaments.terms import Terms

LONGEST_PASSWORD = 40


def check_conditions(desk: Desk, user: User, *, password: str = "", invitation: str = "") -> None:
    """Raises Refused: closed_at, by_password, by_invitation, club_only, rating_low, rating_high."""
    one, terms = desk.tournament, desk.state.rules
    closes = closes_at(one, terms)
    if closes is not None and closes <= desk.moment:
        said = date_format(localtime(closes, ZoneInfo(one.timezone)), "SHORT_DATETIME_FORMAT")
        raise Refused("closed_at", params={"moment": said})
    if not _let_in(one, terms, password, invitation):
        raise Refused("by_password" if terms.entry == "password" else "by_invitation")
    if terms.club_only and not is_member(user, one.club):
        raise Refused("club_only", params={"club": one.club.name})
    _check_rating(terms, user)


def closes_at(tournament: Tournament, terms: Terms) -> datetime | None:
    """When nobody can enter by himself any more; None: until the draw."""
    if not terms.closes_minutes or tournament.starts_at is None:
        return None
    return tournament.starts_at - timedelta(minutes=terms.closes_minutes)


def _let_in(tournament: Tournament, terms: Terms, password: str, invitation: str) -> bool:
    """Whether he knows the password, or came by the link, where one of them is asked for."""
    if terms.entry == "all":
        return True
    if tournament.invitation and constant_time_compare(invitation, tournament.invitation):
        return True
    known = tournament.password if terms.entry == "password" else ""
    return bool(known) and check_password(password.strip()[:LONGEST_PASSWORD], known)


def _check_rating(terms: Terms, user: User) -> None:
    """By his rating in the pool of the game at the pace of its clock; who has none yet has that of a beginner."""
    if not (terms.rating_from or terms.rating_to):
        return
    pool = {"pool__variant": terms.variant, "pool__pace": pace_of(terms.clock)}
    found = Rating.objects.filter(user=user, **pool).values_list("rating", flat=True).first()
    rating = round(found if found is not None else ratings.START)
    params = {"rating": rating, "game": words.variant(terms.variant)}
    if rating < terms.rating_from:
        raise Refused("rating_low", params={**params, "least": terms.rating_from})
    if terms.rating_to and rating > terms.rating_to:
        raise Refused("rating_high", params={**params, "most": terms.rating_to})


def password_set(*, tournament_id: str, user: User, password: str) -> None:
    """Choose the word that lets people in; only its hash is kept. An empty one lets in nobody: then only the link does.

    Raises Refused: not_director, already_drawn, password.
    """
    password = password.strip()
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open")
        if len(password) > LONGEST_PASSWORD or not password.isprintable():
            raise Refused("password", params={"most": LONGEST_PASSWORD})
        desk.tournament.password = make_password(password) if password else ""
        desk.tournament.save(update_fields=["password"])


def invitation_renew(*, tournament_id: str, user: User) -> str:
    """What a new link says that lets people in; the one before it lets in nobody any more.

    Raises Refused: not_director, already_drawn.
    """
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("open")
        desk.tournament.invitation = secrets.token_urlsafe(18)
        desk.tournament.save(update_fields=["invitation"])
    return desk.tournament.invitation
