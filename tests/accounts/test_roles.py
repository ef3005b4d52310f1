"""Who may do what in a club: each role at each act, and what is denied to everybody else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts import clubs
from accounts import services as people
from accounts.models import Club, Membership, User
from accounts.roles import MAY, Act, Standing, clubs_directed, clubs_opening, directs, may, opens_events, standings

pytestmark = pytest.mark.django_db

EVERY = {act.value for act in Act}
EXPECTED = {
    "owner": EVERY - {"join"},
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
    """One of each."""
    found: dict[str, User | None] = {"nobody": None, "guest": people.guest_create(), "bot": people.bot_ensure()}
    for name in ("owner", "director", "member", "expired", "stranger", "staff", "closed"):
        found[name] = person(f"the-{name}", is_staff=name == "staff", is_active=name != "closed")
    for role in ("owner", "director", "member"):
        Membership.objects.create(club=club, user=found[role], role=role)
    Membership.objects.create(club=club, user=found["closed"], role="owner")
    gone = club.today() - timedelta(days=1)
    Membership.objects.create(club=club, user=found["expired"], role="director", until=gone)
    return found


@pytest.mark.parametrize("who", EXPECTED)
def test_each_role_may_do_what_the_table_says_and_nothing_more(
    club: Club, cast: dict[str, User | None], who: str
) -> None:
    assert {act.value for act in Act if may(cast[who], act, club)} == EXPECTED[who]


def test_every_act_has_its_row_in_the_table() -> None:
    assert set(MAY) == set(Act)
    assert Standing.GUEST not in frozenset().union(*MAY.values())


def test_a_last_day_is_still_a_day_of_membership(club: Club, ana: User) -> None:
    Membership.objects.create(club=club, user=ana, role="director", until=club.today())
    assert directs(ana, club)
    Membership.objects.filter(user=ana).update(until=club.today() - timedelta(days=1))
    assert standings(ana, club) == {Standing.EXPIRED}
    assert not directs(ana, club)
    assert clubs_directed(ana) == []


def test_everybody_of_the_site_is_a_member_of_its_default_club(ana: User) -> None:
    club = people.club_ensure_default()
    assert standings(ana, club) == {Standing.MEMBER}
    assert opens_events(ana, club)
    assert clubs_opening(ana) == [club]
    assert not directs(ana, club)


def test_a_member_opens_events_where_the_club_says_so(club: Club, cast: dict[str, User | None]) -> None:
    assert [who for who in cast if opens_events(cast[who], club)] == ["owner", "director", "staff"]
    club.makers = Club.Makers.MEMBERS
    assert [who for who in cast if opens_events(cast[who], club)] == ["owner", "director", "member", "staff"]
