"""The conditions of entry for players who register themselves; directors can enter anybody.

Each refusal names the condition, and how to meet it.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.formats import date_format
from django.utils.timezone import localtime

from accounts.clubs.roles import is_member
from accounts.models import User
from games import labels, ratings
from games.clocks import pace_of
from games.models import Rating
from tournaments.errors import Refused
from tournaments.models import Tournament
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction
from tournaments.terms import Terms

LONGEST_PASSWORD = 40


def check_conditions(tx: TournamentTransaction, user: User, *, password: str = "", invitation: str = "") -> None:
    """Raises Refused: closed_at, by_password, by_invitation, club_only, rating_low, rating_high."""
    tournament, terms = tx.tournament, tx.state.rules
    closes = closes_at(tournament, terms)
    if closes is not None and closes <= tx.moment:
        local = date_format(localtime(closes, ZoneInfo(tournament.timezone)), "SHORT_DATETIME_FORMAT")
        raise Refused("closed_at", params={"moment": local})
    if not _has_entry_access(tournament, terms, password, invitation):
        raise Refused("by_password" if terms.entry == "password" else "by_invitation")
    if terms.club_only and not is_member(user, tournament.club):
        raise Refused("club_only", params={"club": tournament.club.name})
    _check_rating(terms, user)


def closes_at(tournament: Tournament, terms: Terms) -> datetime | None:
    """When entries by players close; None: with the draw."""
    if not terms.closes_minutes or tournament.starts_at is None:
        return None
    return tournament.starts_at - timedelta(minutes=terms.closes_minutes)


def _has_entry_access(tournament: Tournament, terms: Terms, password: str, invitation: str) -> bool:
    """Whether the password or the invitation is right, where one of them is needed."""
    if terms.entry == "all":
        return True
    if tournament.invitation and constant_time_compare(invitation, tournament.invitation):
        return True
    password_hash = tournament.password if terms.entry == "password" else ""
    return bool(password_hash) and check_password(password.strip()[:LONGEST_PASSWORD], password_hash)


def _check_rating(terms: Terms, user: User) -> None:
    """Check the rating in the pool of the game at the pace of its clock; without one, the rating of a beginner counts.

    Raises Refused: rating_low, rating_high.
    """
    if not (terms.rating_from or terms.rating_to):
        return
    pool = {"pool__variant": terms.variant, "pool__pace": pace_of(terms.clock)}
    found = Rating.objects.filter(user=user, **pool).values_list("rating", flat=True).first()
    rating = round(found if found is not None else ratings.START)
    params = {"rating": rating, "game": labels.variant(terms.variant)}
    if rating < terms.rating_from:
        raise Refused("rating_low", params={**params, "least": terms.rating_from})
    if terms.rating_to and rating > terms.rating_to:
        raise Refused("rating_high", params={**params, "most": terms.rating_to})


def password_set(*, tournament_id: str, user: User, password: str) -> None:
    """Set the password for entering; only its hash is stored. With an empty one, players enter by the link alone.

    Raises Refused: not_director, already_drawn, password.
    """
    password = password.strip()
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.CHANGE_SETTINGS)
        tx.check_phase("open")
        if len(password) > LONGEST_PASSWORD or not password.isprintable():
            raise Refused("password", params={"most": LONGEST_PASSWORD})
        tx.tournament.password = make_password(password) if password else ""
        tx.tournament.save(update_fields=["password"])


def invitation_renew(*, tournament_id: str, user: User) -> str:
    """Make a new invitation, the secret part of the link for entering; the one before it is void.

    Raises Refused: not_director, already_drawn.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.CHANGE_SETTINGS)
        tx.check_phase("open")
        tx.tournament.invitation = secrets.token_urlsafe(18)
        tx.tournament.save(update_fields=["invitation"])
    return tx.tournament.invitation
