"""Club permissions: each role and each action."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.clubs import services as clubs
from accounts.clubs.roles import (
    PERMISSIONS,
    ClubAction,
    ClubStatus,
    club_statuses,
    clubs_directed,
    clubs_for_new_events,
    may,
    may_create_events,
    may_direct,
)
from accounts.models import Club, Membership, User
from accounts.users import services as people

pytestmark = pytest.mark.django_db

ALL_ACTIONS = {act.value for act in ClubAction}
EXPECTED = {
    "owner": ALL_ACTIONS - {"join"},
    "director": {"leave", "enter", "direct"},
    "member": {"leave", "enter"},
    "expired": {"leave"},
    "stranger": {"join"},
    "staff": {"edit", "people", "roles", "direct", "take_over", "join"},
    "guest": set(),
    "bot": set(),
    "closed": set(),
    "nobody": set(),
}


@pytest.fixture
def club(dora: User) -> Club:
    dora.is_staff = True
    dora.save()
    made = clubs.club_create(by=dora, name="Peña del Dado")
    Membership.objects.filter(club=made, user=dora).update(role="owner")
    return made


@pytest.fixture
def cast(club: Club, person: Callable[..., User]) -> dict[str, User | None]:
    """One user of each role."""
    found: dict[str, User | None] = {"nobody": None, "guest": people.guest_create(), "bot": people.house_bot_ensure()}
    for name in ("owner", "director", "member", "expired", "stranger", "staff", "closed"):
        found[name] = person(f"the-{name}", is_staff=name == "staff", is_active=name != "closed")
    for role in ("owner", "director", "member"):
        Membership.objects.create(club=club, user=found[role], role=role)
    Membership.objects.create(club=club, user=found["closed"], role="owner")
    yesterday = club.today() - timedelta(days=1)
    Membership.objects.create(club=club, user=found["expired"], role="director", until=yesterday)
    return found


@pytest.mark.parametrize("role", EXPECTED)
def test_each_role_has_exactly_the_permissions_of_the_table(
    club: Club, cast: dict[str, User | None], role: str
) -> None:
    assert {act.value for act in ClubAction if may(cast[role], act, club)} == EXPECTED[role]


def test_every_action_has_a_row_in_the_table() -> None:
    assert set(PERMISSIONS) == set(ClubAction)
    assert ClubStatus.GUEST not in frozenset().union(*PERMISSIONS.values())


def test_a_membership_is_valid_on_its_last_day(club: Club, ana: User) -> None:
    Membership.objects.create(club=club, user=ana, role="director", until=club.today())
    assert may_direct(ana, club)
    Membership.objects.filter(user=ana).update(until=club.today() - timedelta(days=1))
    assert club_statuses(ana, club) == {ClubStatus.EXPIRED}
    assert not may_direct(ana, club)
    assert clubs_directed(ana) == []


def test_every_user_is_a_member_of_the_default_club(ana: User) -> None:
    club = clubs.default_club_ensure()
    assert club_statuses(ana, club) == {ClubStatus.MEMBER}
    assert may_create_events(ana, club)
    assert clubs_for_new_events(ana) == [club]
    assert not may_direct(ana, club)


def test_a_member_creates_events_where_the_club_allows_it(club: Club, cast: dict[str, User | None]) -> None:
    assert [role for role in cast if may_create_events(cast[role], club)] == ["owner", "director", "staff"]
    club.makers = Club.Makers.MEMBERS
    assert [role for role in cast if may_create_events(cast[role], club)] == ["owner", "director", "member", "staff"]
