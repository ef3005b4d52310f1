"""Entries: conditions, the waiting list, payments and names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.clubs import services as clubs
from accounts.models import User
from games.database import now
from games.models import Rating, RatingPool
from tests.tournaments.conftest import fresh, terms
from tests.tournaments.entrant_names import active_names
from tests.tournaments.test_services import enter, kinds, refused
from tournaments import notify, services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


# Conditions


def test_the_password_lets_players_in_and_is_stored_as_a_hash(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(entry="password")
    refused("by_password", services.entrant_register, tournament_id=made.pk, user=ana, password="")
    services.password_set(tournament_id=made.pk, user=dora, password=" Fevga 66 ")
    made.refresh_from_db()
    assert "Fevga" not in made.password
    refused("by_password", services.entrant_register, tournament_id=made.pk, user=ana, password="fevga 66")
    services.entrant_register(tournament_id=made.pk, user=ana, password="Fevga 66")
    link = services.invitation_renew(tournament_id=made.pk, user=dora)
    services.entrant_register(tournament_id=made.pk, user=bea, invitation=link)
    assert active_names(made) == ["ana", "bea"]


def test_only_the_newest_invitation_is_valid(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(entry="invited")
    refused("by_invitation", services.entrant_register, tournament_id=made.pk, user=ana, invitation="")
    first = services.invitation_renew(tournament_id=made.pk, user=dora)
    second = services.invitation_renew(tournament_id=made.pk, user=dora)
    refused("by_invitation", services.entrant_register, tournament_id=made.pk, user=ana, invitation=first)
    services.entrant_register(tournament_id=made.pk, user=ana, invitation=second)
    refused("not_director", services.invitation_renew, tournament_id=made.pk, user=ana)
    refused("not_director", services.password_set, tournament_id=made.pk, user=ana, password="x")
    refused("password", services.password_set, tournament_id=made.pk, user=dora, password="x" * 41)


def test_a_tournament_can_be_for_members_of_the_club_only(
    person: Callable[..., User], dora: User, ana: User, bea: User
) -> None:
    dora.is_staff = True
    dora.save(update_fields=["is_staff"])
    club = clubs.club_create(by=dora, name="Peña del dado")
    made = services.tournament_create(
        creator=dora, name="Torneo semanal del club", terms=terms(club_only=True), club=club
    )
    refused("club_only", services.entrant_register, tournament_id=made.pk, user=ana)
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    assert active_names(made) == ["ana"]


def test_a_tournament_can_have_rating_bounds_in_the_pool_of_its_game(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament(rating_from=1480, rating_to=1520, clock="club")
    pool = RatingPool.objects.create(variant="backgammon", pace="live")
    for user, rating in ((ana, 1479.4), (bea, 1520.6)):
        facts = {"rating": rating, "peak": rating, "experience": 5, "last_at": now(), "peak_at": now()}
        Rating.objects.create(pool=pool, user=user, **facts)
    refused("rating_low", services.entrant_register, tournament_id=made.pk, user=ana)
    refused("rating_high", services.entrant_register, tournament_id=made.pk, user=bea)
    enter(made, carlos)  # who has none begins with 1500
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    assert active_names(made) == ["carlos", "ana"]


def test_entries_close_before_the_start_but_not_for_a_director(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(starts_at=now() + timedelta(minutes=10), closes_minutes=15)
    refused("closed_at", services.entrant_register, tournament_id=made.pk, user=ana)
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    assert active_names(made) == ["ana"]


@pytest.mark.parametrize("wrong", [{"entry": "friends"}, {"rating_from": 1600, "rating_to": 1500}, {"rating_to": -1}])
def test_impossible_conditions_are_refused(dora: User, wrong: dict[str, Any]) -> None:
    refused("config", services.tournament_create, creator=dora, name="Torneo semanal del club", terms=terms(**wrong))


# Waiting list


def test_entrants_above_the_limit_wait_and_are_admitted_automatically(
    tournament: Make, dora: User, ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    notified: list[int] = []
    monkeypatch.setattr(notify.notify, "notify_user", lambda user_id, message: notified.append(user_id))
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana, bea)
    assert (active_names(made), fresh(made).waiting) == (["W1", "W2"], (3, 4))
    refused("entered", services.entrant_register, tournament_id=made.pk, user=ana)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=1)
    assert (active_names(made), fresh(made).waiting, notified) == (["W2", "ana"], (4,), [ana.pk])
    assert [(entrant.waiting, entrant.withdrawn) for entrant in made.entrants.all()] == [
        (False, True),
        (False, False),
        (False, False),
        (True, False),
    ]
    assert kinds(made)[-2:] == ["withdrawn", "admitted"]


def test_a_higher_limit_or_a_director_admits_from_the_waiting_list(
    tournament: Make, dora: User, ana: User, bea: User, carlos: User
) -> None:
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana, bea, carlos)
    refused("not_director", services.entrant_admit, tournament_id=made.pk, user=ana, number=3)
    services.entrant_admit(tournament_id=made.pk, user=dora, number=4)
    assert active_names(made) == ["W1", "W2", "bea"]
    refused("not_waiting", services.entrant_admit, tournament_id=made.pk, user=dora, number=4)
    services.tournament_update(tournament_id=made.pk, user=dora, capacity=4)
    assert (active_names(made), fresh(made).waiting) == (["W1", "W2", "bea", "ana"], (5,))


def test_a_withdrawn_player_returns_at_the_end_of_the_waiting_list(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(walk_ins=1, capacity=2)
    enter(made, ana, bea)
    services.entrant_withdraw(tournament_id=made.pk, user=ana, number=2)
    assert active_names(made) == ["W1", "bea"]
    enter(made, ana)
    assert (active_names(made), fresh(made).waiting) == (["W1", "bea"], (2,))
    services.entrant_withdraw(tournament_id=made.pk, user=ana, number=2)
    assert fresh(made).waiting == ()
    services.entrant_withdraw(tournament_id=made.pk, user=bea, number=3)
    enter(made, ana)
    assert active_names(made) == ["W1", "ana"]


def test_an_undone_withdrawal_returns_the_admitted_player_to_the_list(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=1)
    act = made.events.get(kind="withdrawn").act
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert (active_names(made), fresh(made).waiting) == (["W1", "W2"], (3,))
    services.act_redo(tournament_id=made.pk, user=dora, act=act)
    assert (active_names(made), fresh(made).waiting) == (["W2", "ana"], ())


def test_the_waiting_list_is_not_drawn(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2, capacity=2)
    enter(made, ana)
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert (fresh(made).order, fresh(made).waiting) == ((1, 2), (3,))


def test_the_director_records_who_has_paid(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2)
    refused("not_director", services.entrant_paid, tournament_id=made.pk, user=ana, number=1)
    services.entrant_paid(tournament_id=made.pk, user=dora, number=1)
    services.entrant_paid(tournament_id=made.pk, user=dora, number=1)
    assert [entrant.paid for entrant in made.entrants.all()] == [True, False]
    services.entrant_paid(tournament_id=made.pk, user=dora, number=1, paid=False)
    assert (fresh(made).paid, kinds(made).count("paid")) == (frozenset(), 2)


# Names


def test_equal_names_of_walk_ins_are_numbered(tournament: Make, dora: User) -> None:
    made = tournament()
    for name in ("Juan Pérez", "juan  pérez", "JUAN PÉREZ", "Juan Pérez (2)", "J" * 80, "j" * 80):
        services.entrant_add(tournament_id=made.pk, user=dora, name=name)
    assert active_names(made) == [
        "Juan Pérez",
        "juan pérez (2)",
        "JUAN PÉREZ (3)",
        "Juan Pérez (2) (2)",
        "J" * 80,
        f"{'j' * 76} (2)",
    ]


def test_a_walk_in_with_the_name_of_a_player_is_numbered(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament()
    enter(made, ana)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Ana")
    services.entrant_add(tournament_id=made.pk, user=dora, name="Bea")
    enter(made, bea)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Carlos")
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=5, name="ana")
    assert active_names(made) == ["ana", "Ana (2)", "Bea (2)", "bea", "ana (3)"]
