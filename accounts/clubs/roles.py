"""The permissions in a club: one table, denied by default. A role is a row of `Membership`.

Owners manage the members of a club, directors its events. The staff of the site may do what an owner may.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from django.conf import settings
from django.db.models import Q, QuerySet

from accounts.models import Club, Membership, User
from accounts.web.staff import acts_as_staff


class ClubStatus(Enum):
    """What a user is in a club. Anonymous visitors, bots and closed accounts count as guests."""

    OWNER = "owner"
    DIRECTOR = "director"
    MEMBER = "member"
    EXPIRED = "expired"  # the last day of the membership is over, whatever the role was
    STRANGER = "stranger"  # a member of the site, but not of this club
    STAFF = "staff"
    GUEST = "guest"


class ClubAction(Enum):
    """What can be permitted in a club."""

    JOIN = "join"
    LEAVE = "leave"
    ENTER = "enter"  # take part in what is for members only
    EDIT = "edit"  # its page and its settings
    PEOPLE = "people"  # invite, accept, remove, set the last day
    ROLES = "roles"
    DIRECT = "direct"  # its events, ladders, templates, imports
    TAKE_OVER = "take_over"  # become a director of any of its tournaments


_OWNERS = frozenset({ClubStatus.OWNER, ClubStatus.STAFF})
PERMISSIONS: Mapping[ClubAction, frozenset[ClubStatus]] = {
    ClubAction.JOIN: frozenset({ClubStatus.STRANGER}),
    ClubAction.LEAVE: frozenset({ClubStatus.OWNER, ClubStatus.DIRECTOR, ClubStatus.MEMBER, ClubStatus.EXPIRED}),
    ClubAction.ENTER: frozenset({ClubStatus.OWNER, ClubStatus.DIRECTOR, ClubStatus.MEMBER}),
    ClubAction.EDIT: _OWNERS,
    ClubAction.PEOPLE: _OWNERS,
    ClubAction.ROLES: _OWNERS,
    ClubAction.DIRECT: _OWNERS | {ClubStatus.DIRECTOR},
    ClubAction.TAKE_OVER: _OWNERS,
}


def club_statuses(user: User | None, club: Club) -> frozenset[ClubStatus]:
    """What `user` is in `club`: their role, and staff besides. Everybody is a member of the default club."""
    if user is None or _counts_as_guest(user):
        return frozenset({ClubStatus.GUEST})
    staff = {ClubStatus.STAFF} if acts_as_staff(user) else set()
    row = Membership.objects.filter(club=club, user=user).first()
    if row is None:
        return frozenset({ClubStatus.MEMBER if club.is_default else ClubStatus.STRANGER, *staff})
    row.club = club
    return frozenset({ClubStatus.EXPIRED if row.expired else ClubStatus(row.role), *staff})


def _counts_as_guest(user: User) -> bool:
    return not user.is_authenticated or not user.is_active or user.is_guest or user.is_bot


def may(user: User | None, act: ClubAction, club: Club) -> bool:
    """Whether `user` may do it in this club."""
    return not PERMISSIONS[act].isdisjoint(club_statuses(user, club))


def owners_of(club: Club) -> QuerySet[User]:
    """The present owners of a club."""
    owners = Membership.objects.filter(club=club, role=Membership.Role.OWNER)
    present = owners.filter(Q(until=None) | Q(until__gte=club.today()))
    return User.objects.filter(memberships__in=present, is_active=True)


def may_direct(user: User | None, club: Club) -> bool:
    """Whether `user` may direct this club's events: its owners and directors, and the staff of the site."""
    return may(user, ClubAction.DIRECT, club)


def directed_clubs(user: User | None) -> list[Club]:
    """The clubs whose events `user` may direct by their role in it: none, for nearly everybody. One query at most."""
    if user is None or _counts_as_guest(user):
        return []
    roles = [status.value for status in PERMISSIONS[ClubAction.DIRECT] if status.value in Membership.Role.values]
    rows = Membership.objects.filter(user=user, role__in=roles).select_related("club")
    return [row.club for row in rows if not row.expired]


def may_create_events(user: User | None, club: Club) -> bool:
    """Whether `user` may create a tournament of this club: directors, and members where the club allows it."""
    statuses = club_statuses(user, club)
    if club.makers == Club.Makers.MEMBERS and not PERMISSIONS[ClubAction.ENTER].isdisjoint(statuses):
        return True
    return not PERMISSIONS[ClubAction.DIRECT].isdisjoint(statuses)


def is_member(user: User | None, club: Club) -> bool:
    """Whether `user` is a member today, and may enter what is for members only."""
    return may(user, ClubAction.ENTER, club)


def clubs_directed(user: User) -> list[Club]:
    """The clubs that `user` may direct, the default one first."""
    return _clubs(user, {role.value for role in (Membership.Role.OWNER, Membership.Role.DIRECTOR)}, Club.objects.none())


def clubs_for_new_events(user: User) -> list[Club]:
    """The clubs for which `user` may create a tournament, the default one first."""
    return [
        club
        for club in _clubs(user, set(Membership.Role.values), _default_club_for_members())
        if may_create_events(user, club)
    ]


def _default_club_for_members() -> QuerySet[Club]:
    return Club.objects.filter(is_default=True, makers=Club.Makers.MEMBERS)


def _clubs(user: User, roles: set[str], more: QuerySet[Club]) -> list[Club]:
    """The clubs where `user` has one of these roles today, and `more`; for staff all of them."""
    if not user.is_active or user.is_guest or user.is_bot:
        return []
    if acts_as_staff(user):
        return list(Club.objects.order_by("-is_default", "name"))
    rows = Membership.objects.filter(user=user, role__in=roles).select_related("club")
    found = {row.club_id: row.club for row in rows if not row.expired} | {club.pk: club for club in more}
    return sorted(found.values(), key=lambda club: (not club.is_default, club.name))


def may_create(user: User | None) -> bool:
    """Whether `user` may create a club: the staff of the site, or any member where `CLUBS_OPEN` is set (K1)."""
    if user is None or not user.is_authenticated or user.is_guest or user.is_bot or not user.is_active:
        return False
    return acts_as_staff(user) or settings.CLUBS_OPEN
