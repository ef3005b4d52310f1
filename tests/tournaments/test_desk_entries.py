"""Entering a tournament: players with their own forms, directors at the desk."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.desk_browser import As, Make, do, messages, view
from tournaments.models import Entrant

pytestmark = pytest.mark.django_db


def test_a_player_enters_with_a_nonce_checks_in_and_leaves(as_user: As, ana: User, tournament: Make) -> None:
    made, client = tournament(check_in=True), as_user(ana)
    answer = do(client, "tournament-enter", made, nonce="ab" * 32)
    assert answer.headers["Location"] == reverse("tournament", args=[made.pk])
    assert messages(answer) == ["You're registered."]
    entrant = Entrant.objects.get()
    assert (entrant.user, bytes(entrant.nonce)) == (ana, b"\xab" * 32)
    do(client, "tournament-here", made, nonce="cd" * 32)
    entrant.refresh_from_db()
    assert (entrant.checked_in, bytes(entrant.nonce)) == (True, b"\xcd" * 32)
    do(client, "tournament-here", made, here="0")
    do(client, "tournament-leave", made)
    entrant.refresh_from_db()
    assert (entrant.checked_in, entrant.withdrawn) == (False, True)


def test_an_impossible_entry_shows_a_message(as_user: As, ana: User, tournament: Make) -> None:
    made, client = tournament(), as_user(ana)
    assert messages(do(client, "tournament-enter", made, nonce="xyz")) == [
        "Invalid draw number. It must have 64 hexadecimal digits."
    ]
    for name in ("tournament-leave", "tournament-here"):
        assert messages(do(client, name, made)) == ["This player is not in the tournament."]


def test_the_director_enters_members_and_walk_ins(desk: Client, ana: User, tournament: Make) -> None:
    made = tournament()
    answer = do(desk, "desk-entrant-add", made, name="ANA", walk_in="no", at="players")
    assert answer.headers["Location"] == reverse("tournament-desk", args=[made.pk]) + "#players"
    do(desk, "desk-entrant-add", made, name="Old  Paco")
    do(desk, "desk-entrant-add", made, name="ana", walk_in="yes")
    assert [(entrant.name, entrant.user) for entrant in made.entrants.all()] == [
        ("ana", ana),
        ("Old Paco", None),
        ("ana (2)", None),
    ]
    entered = do(desk, "desk-entrant-add", made, name="ana", walk_in="no")
    assert messages(entered) == ["This player is already registered."]
    nobody = do(desk, "desk-entrant-add", made, name="Old Paco", walk_in="no")
    assert messages(nobody) == ["There is no player with that name."]
    assert messages(do(desk, "desk-entrant-add", made, name="")) == ["This field is required."]


def test_a_typed_name_of_a_member_is_asked_about(desk: Client, ana: User, tournament: Make) -> None:
    open_, running = tournament(), tournament(walk_ins=3, start=True)
    for name, made, more in (
        ("desk-entrant-add", open_, {}),
        ("desk-late", running, {"points": "1"}),
        ("desk-substitute", running, {"entrant": "1"}),
    ):
        before = made.events.count()
        answer = do(desk, name, made, name="ANA", **more)
        text = answer.content.decode()
        assert (answer.status_code, made.events.count()) == (200, before)
        assert "Is this the member ana?" in text
        for field, value in {"name": "ANA", **more}.items():
            assert f'<input type="hidden" name="{field}" value="{value}">' in text
        assert all(f'name="walk_in" value="{choice}"' in text for choice in ("yes", "no"))
    do(desk, "desk-substitute", running, entrant="1", name="ANA", walk_in="no")
    assert running.entrants.get(number=1).user == ana


def test_the_director_changes_an_entrant(desk: Client, ana: User, tournament: Make) -> None:
    made = tournament(walk_ins=2)
    entrant = made.entrants.get(number=1)

    def now() -> tuple[bool, bool, User | None]:
        entrant.refresh_from_db()
        return entrant.checked_in, entrant.withdrawn, entrant.user

    do(desk, "desk-entrant", made, entrant=1, action="check-in")
    assert now() == (True, False, None)
    do(desk, "desk-entrant", made, entrant=1, action="check-out")
    assert now() == (False, False, None)
    do(desk, "desk-entrant", made, entrant=1, action="withdraw")
    assert now() == (False, True, None)
    do(desk, "desk-entrant", made, entrant=1, action="reinstate")
    assert now() == (False, False, None)
    do(desk, "desk-entrant", made, entrant=1, action="link", name="Ana")
    assert now() == (False, False, ana)
    assert messages(do(desk, "desk-entrant", made, entrant=2, action="link", name="nobody")) == [
        "There is no player with that name."
    ]
    assert messages(do(desk, "desk-entrant", made, entrant="x", action="withdraw")) == [
        "This player is not in the tournament."
    ]


def test_seeds_are_set_and_removed(desk: Client, tournament: Make) -> None:
    made = tournament(walk_ins=3)
    do(desk, "desk-seeds", made, seed_1="", seed_2="1", seed_3="2")
    assert list(made.entrants.values_list("seed_rank", flat=True)) == [None, 1, 2]
    assert [entrant.number for entrant in view(desk, made).active_entrants] == [2, 3, 1]
    assert messages(do(desk, "desk-seeds", made, seed_1="1", seed_2="1")) == [
        "Use each seed number once, for a player in this tournament."
    ]
    do(desk, "desk-seeds", made, seed_2="")
    assert list(made.entrants.values_list("seed_rank", flat=True)) == [None, None, 2]
