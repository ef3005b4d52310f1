"""Tests that commit leave the tables empty behind them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from accounts.models import Club, Membership, User
from tests.services import emptied_tables


@pytest.mark.django_db
def test_rows_go_whatever_refers_to_them_and_permissions_stay(person: Callable[[str], User]) -> None:
    club = Club.objects.create(name="Peña", slug="pena")
    Membership.objects.create(club=club, user=person("ana"))
    permissions, types = Permission.objects.count(), ContentType.objects.count()

    emptied_tables.empty(connection)

    assert [model.objects.count() for model in (Membership, User)] == [0, 0]
    assert [(club.name, club.is_default) for club in Club.objects.all()] == [("Tablero", True)]
    assert (Permission.objects.count(), ContentType.objects.count()) == (permissions, types)
    assert permissions > 100
    connection.check_constraints()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", ["first", "second"])
def test_a_test_that_commits_finds_the_tables_empty(turn: str, person: Callable[[str], User]) -> None:
    person("ana")
    assert User.objects.count() == 1
