"""Who may do what in a club: one table, denied by default. A role is a row of `Membership`.

Owners look after the people of a club, directors after what it plays. The staff of the site may do what an owner may.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from django.db.models import Q, QuerySet

from accounts.models import Club, Membership, User
from accounts.second import acts_as_staff


class Standing(Enum):
    """What somebody is to a club. A passer-by, a computer and a closed account are nothing to it, as a guest is."""

    OWNER = "owner"
    DIRECTOR = "director"
    MEMBER = "member"
    EXPIRED = "expired"  # his last day as a member is over, whatever his role was
    STRANGER = "stranger"  # a member of the site, but not of this club
    STAFF = "staff"
    GUEST = "guest"


class Act(Enum):
    """What one may want to do in a club."""

    JOIN = "join"
    LEAVE = "leave"
    ENTER = "enter"  # take part in what is for members only
    EDIT = "edit"  # its page and its policies
    PEOPLE = "people"  # invite, admit, remove, say until when
    ROLES = "roles"
    DIRECT = "direct"  # its events, ladders, templates of nights, imports
    TAKE_OVER = "take_over"  # become a director of any of its tournaments


_S = Standing
_OWNERS = frozenset({_S.OWNER, _S.STAFF})
MAY: Mapping[Act, frozenset[Standing]] = {
    Act.JOIN: frozenset({_S.STRANGER}),
    Act.LEAVE: frozenset({_S.OWNER, _S.DIRECTOR, _S.MEMBER, _S.EXPIRED}),
    Act.ENTER: frozenset({_S.OWNER, _S.DIRECTOR, _S.MEMBER}),
    Act.EDIT: _OWNERS,
    Act.PEOPLE: _OWNERS,
    Act.ROLES: _OWNERS,
    Act.DIRECT: _OWNERS | {_S.DIRECTOR},
    Act.TAKE_OVER: _OWNERS,
}


def standings(user: User | None, club: Club) -> frozenset[Standing]:
    """What `user` is to `club`: his role, and staff beside it. The default club has everybody for a member."""
    if user is None or not user.is_authenticated or not user.is_active or user.is_guest or user.is_bot:
        return frozenset({Standing.GUEST})
    staff = {Standing.STAFF} if acts_as_staff(user) else set()
    row = Membership.objects.filter(club=club, user=user).first()
    if row is None:
        return frozenset({Standing.MEMBER if club.is_default else Standing.STRANGER, *staff})
    row.club = club
    return frozenset({Standing.EXPIRED if row.expired else Standing(row.role), *staff})


def may(user: User | None, act: Act, club: Club) -> bool:
    """Whether `user` may do it in this club."""
    return not MAY[act].isdisjoint(standings(user, club))


def owners_of(club: Club) -> QuerySet[User]:
    """Those who look after the people of a club today."""
    here = Membership.objects.filter(club=club, role=Membership.Role.OWNER)
    good = here.filter(Q(until=None) | Q(until__gte=club.today()))
    return User.objects.filter(memberships__in=good, is_active=True)


def directs(user: User | None, club: Club) -> bool:
    """Whether `user` may direct what this club plays: its owners and directors, and the staff of the site."""
    return may(user, Act.DIRECT, club)


def opens_events(user: User | None, club: Club) -> bool:
    """Whether `user` may open a tournament of this club: who directs it, and its members where the club says so."""
    found = standings(user, club)
    if club.makers == Club.Makers.MEMBERS and not MAY[Act.ENTER].isdisjoint(found):
        return True
    return not MAY[Act.DIRECT].isdisjoint(found)


def is_member(user: User | None, club: Club) -> bool:
    """Whether `user` is a member today, so that he may enter what is for members only."""
    return may(user, Act.ENTER, club)


def clubs_directed(user: User) -> list[Club]:
    """The clubs that `user` directs, the default one first."""
    return _clubs(user, {role.value for role in (Membership.Role.OWNER, Membership.Role.DIRECTOR)}, Club.objects.none())


def clubs_opening(user: User) -> list[Club]:
    """The clubs in whose name `user` may open a tournament, the default one first."""
    return [club for club in _clubs(user, set(Membership.Role.values), _open_to_all()) if opens_events(user, club)]


def _open_to_all() -> QuerySet[Club]:
    return Club.objects.filter(is_default=True, makers=Club.Makers.MEMBERS)


def _clubs(user: User, roles: set[str], more: QuerySet[Club]) -> list[Club]:
    """The clubs where `user` has one of these roles today, and `more`; for the staff all of them."""
    if not user.is_active or user.is_guest or user.is_bot:
        return []
    if acts_as_staff(user):
        return list(Club.objects.order_by("-is_default", "name"))
    rows = Membership.objects.filter(user=user, role__in=roles).select_related("club")
    found = {row.club_id: row.club for row in rows if not row.expired} | {club.pk: club for club in more}
    return sorted(found.values(), key=lambda club: (not club.is_default, club.name))
