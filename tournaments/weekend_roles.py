"""Who may do what at a weekend (ruling E22): the one table that services and pages ask."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from accounts.clubs.roles import may_create_events, may_direct
from accounts.models import User
from tournaments.errors import Refused
from tournaments.models import Official, Tournament, Weekend
from tournaments.roles import DeskAct, Role, may


class WeekendRole(StrEnum):
    """What somebody is at a weekend, each with the rights of those before it."""

    OFFICIAL = "official"  # a scorekeeper or referee of one of its tournaments
    DIRECTOR = "director"  # of one of its tournaments
    # Who created it, while they may create tournaments of its club; and the directors of the club.
    ORGANIZER = "organizer"


class WeekendAct(StrEnum):
    """What is done at the desk of a weekend."""

    VIEW_DESK = "view_desk"
    MANAGE_PEOPLE = "manage_people"  # the register of people, fees, boards
    KEEP_RECORDS = "keep_records"  # side pools, auctions, consolation shares
    ORGANIZE = "organize"  # its name and dates, its tournaments, whether it is published


LEAST_ROLE: Mapping[WeekendAct, WeekendRole] = {
    WeekendAct.VIEW_DESK: WeekendRole.OFFICIAL,
    WeekendAct.MANAGE_PEOPLE: WeekendRole.DIRECTOR,
    WeekendAct.KEEP_RECORDS: WeekendRole.DIRECTOR,
    WeekendAct.ORGANIZE: WeekendRole.ORGANIZER,
}
RANKS = {role: rank for rank, role in enumerate(WeekendRole)}
REFUSALS = {
    WeekendRole.OFFICIAL: "not_weekend_official",
    WeekendRole.DIRECTOR: "not_weekend_director",
    WeekendRole.ORGANIZER: "not_organizer",
}


def role_of(user: User | None, weekend: Weekend) -> WeekendRole | None:
    """The highest role of a user at a weekend; None without one. Asks the database each time."""
    if user is None or user.pk is None or not user.is_active or user.is_guest:
        return None
    created = weekend.created_by_id == user.pk and may_create_events(user, weekend.club)
    if created or may_direct(user, weekend.club):
        return WeekendRole.ORGANIZER
    roles = set(Official.objects.filter(tournament__weekend=weekend, user=user).values_list("role", flat=True))
    if not roles:
        return None
    return WeekendRole.DIRECTOR if Role.DIRECTOR in roles else WeekendRole.OFFICIAL


def may_include(user: User, tournament: Tournament) -> bool:
    """Whether a user may make a tournament part of a weekend: they direct it, or its club."""
    return may(tournament.role_of(user), DeskAct.CHANGE_SETTINGS) or may_direct(user, tournament.club)


def acts_of(role: WeekendRole | None) -> frozenset[WeekendAct]:
    """Everything that a role may do."""
    return frozenset(act for act, least in LEAST_ROLE.items() if role is not None and RANKS[role] >= RANKS[least])


def check(user: User | None, weekend: Weekend, act: WeekendAct) -> frozenset[WeekendAct]:
    """Everything that a user may do, if an act is among it.

    Raises Refused: not_weekend_official, not_weekend_director, not_organizer, by the least role that the act needs.
    """
    permitted = acts_of(role_of(user, weekend))
    if act not in permitted:
        raise Refused(REFUSALS[LEAST_ROLE[act]])
    return permitted
