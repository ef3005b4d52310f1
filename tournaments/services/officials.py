"""The officials of a tournament: directors appoint and dismiss them, and the log keeps who did it and when."""

from __future__ import annotations

from django.db import transaction

from accounts.clubs.roles import ClubAction, may
from accounts.models import User
from tournaments.errors import Refused
from tournaments.models import Official
from tournaments.roles import DeskAct, Role
from tournaments.services.transaction import TournamentTransaction

MOST_OFFICIALS = 100


def official_appoint(*, tournament_id: str, user: User, official: User, role: str) -> None:
    """Give somebody a role at a tournament, as a director, in place of the role that they had.

    Raises Refused: not_director, role_unknown, members_only, creator_directs, officials_full.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.APPOINT)
        if role not in Role.values:
            raise Refused("role_unknown")
        if official.is_guest or official.is_bot or not official.is_active:
            raise Refused("members_only")
        _appoint(tx, user, official, Role(role))
        tx.commit()


def official_dismiss(*, tournament_id: str, user: User, official: User) -> None:
    """Take the role of somebody away, as a director; the creator of the tournament keeps theirs.

    They lose access at once: every request asks for the role anew. Raises Refused: not_director, creator_directs,
    no_role.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.APPOINT)
        if tx.tournament.role_of(official) is None:
            raise Refused("no_role")
        _dismiss(tx, user, official)
        tx.commit()


def director_add(*, tournament_id: str, user: User, director: User) -> None:
    """Add a director. Raises Refused as `official_appoint`."""
    official_appoint(tournament_id=tournament_id, user=user, official=director, role=Role.DIRECTOR)


def director_remove(*, tournament_id: str, user: User, director: User) -> None:
    """Remove a director, except the creator of the tournament. Raises Refused: not_director."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.APPOINT)
        if director.pk != tx.tournament.created_by_id and tx.tournament.role_of(director) == Role.DIRECTOR:
            _dismiss(tx, user, director)
            tx.commit()


def director_take_over(*, tournament_id: str, user: User) -> None:
    """An owner of the club becomes a director of its tournament (K4). Raises Refused: not_club_owner."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id, away=True)
        if not may(user, ClubAction.TAKE_OVER, tx.tournament.club):
            raise Refused("not_club_owner")
        _appoint(tx, user, user, Role.DIRECTOR)
        tx.commit()


def _appoint(tx: TournamentTransaction, by: User, official: User, role: Role) -> None:
    """Give a role and record it, unless they have it. Raises Refused: creator_directs, officials_full."""
    before = tx.tournament.role_of(official)
    if before == role:
        return
    if official.pk == tx.tournament.created_by_id and before is not None:
        raise Refused("creator_directs")
    if before is None and tx.tournament.officials.count() >= MOST_OFFICIALS:
        raise Refused("officials_full", params={"most": MOST_OFFICIALS})
    appointment = {"role": role, "appointed_by": by, "appointed_at": tx.moment}
    Official.objects.update_or_create(tournament=tx.tournament, user=official, defaults=appointment)
    if before == Role.DIRECTOR:
        tx.record("director_removed", by, name=official.username)
    if role == Role.DIRECTOR:
        tx.record("director_added", by, name=official.username)
    else:
        tx.record("appointed", by, name=official.username, role=role.value)


def _dismiss(tx: TournamentTransaction, by: User, official: User) -> None:
    """Take a role away and record it. Raises Refused("creator_directs")."""
    if official.pk == tx.tournament.created_by_id:
        raise Refused("creator_directs")
    role = tx.tournament.role_of(official)
    tx.tournament.officials.filter(user=official).delete()
    if role == Role.DIRECTOR:
        tx.record("director_removed", by, name=official.username)
    else:
        tx.record("dismissed", by, name=official.username, role=role)
