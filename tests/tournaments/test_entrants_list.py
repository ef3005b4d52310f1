"""A list of entrants, pasted or from a file: read, shown before anything is written, and entered as chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from accounts.users import services as people
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.entrants_list import ListedEntrant, UnreadableList, parse
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
TABLE = "Nombre;Usuario;Cabeza de serie;Pagado;Presente\nAna Pérez;ana;1;x;si\nPaco;;;;\nRosa;;uno;no;\n"


def client_of(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user, backend=people.BACKEND)
    return client


def names_of(made: Tournament) -> list[str]:
    return [entrant.name for entrant in made.entrants.order_by("number")]


def statuses(made: Tournament, dora: User, text: str) -> list[tuple[str, str]]:
    lines = services.entrants_check(tournament_id=made.pk, user=dora, text=text)
    return [(line.status, line.choice) for line in lines]


# Reading


def test_a_pasted_list_is_a_name_on_each_line_without_its_number() -> None:
    text = "\ufeff1. Ana Pérez\r\n\r\n2) Juan García, hijo\n - Óscar\n12 monos\n"
    assert [(line.number, line.name, line.fault) for line in parse(text)] == [
        (1, "Ana Pérez", ""),
        (3, "Juan García, hijo", ""),
        (4, "Óscar", ""),
        (5, "12 monos", ""),
    ]


def test_a_table_has_its_columns_in_any_order_and_language() -> None:
    assert parse(TABLE) == [
        ListedEntrant(2, "Ana Pérez", "ana", 1, paid=True, here=True),
        ListedEntrant(3, "Paco"),
        ListedEntrant(4, "Rosa", fault="seed"),
    ]
    assert parse('seed,name\n2,"Pérez, Ana"\n') == [ListedEntrant(2, "Pérez, Ana", seed=2)]
    assert parse("username\n@bea\n") == [ListedEntrant(2, "bea", "bea")]


def test_what_cannot_be_read_is_refused() -> None:
    for text, code in (("", "list_empty"), ("name;seed\n", "list_empty"), ("Ana\n" * 513, "list_long")):
        with pytest.raises(UnreadableList) as error:
            parse(text)
        assert error.value.code == code
    assert [line.fault for line in parse("x" * 81 + "\nan\u200ba")] == ["name", "name"]


# Dry run and import


def test_the_dry_run_writes_nothing_and_knows_members_and_repetitions(tournament: Make, ana: User, dora: User) -> None:
    made = tournament()
    services.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    text = "Ana\nPACO\nRosa\nrosa\n"
    assert statuses(made, dora, text) == [
        ("member", "member"),
        ("known", "skip"),
        ("new", "walk-in"),
        ("twice", "skip"),
    ]
    assert names_of(made) == ["Paco"]
    assert statuses(made, dora, "name;username\nJuan;nobody\n") == [("error", "skip")]


def test_a_list_is_entered_in_one_act_and_a_second_time_nobody_twice(tournament: Make, ana: User, dora: User) -> None:
    made = tournament()
    enter = {"tournament_id": made.pk, "user": dora, "text": "Ana\nPaco\nRosa\n", "choices": {}}
    assert services.entrants_import(**enter) == 3
    assert services.entrants_import(**enter) == 0
    assert names_of(made) == ["ana", "Paco", "Rosa"]
    assert len(set(made.events.filter(kind="registered").values_list("act", flat=True))) == 1


def test_two_of_one_name_are_told_apart(tournament: Make, ana: User, dora: User) -> None:
    made = tournament()
    choices: dict[int, Any] = {1: "walk-in", 3: "walk-in", 4: "skip"}
    services.entrants_import(tournament_id=made.pk, user=dora, text="ana\nPaco\nPaco\nRosa\n", choices=choices)
    assert names_of(made) == ["ana", "Paco", "Paco (2)"]
    assert made.entrants.get(number=1).user is None


def test_seeds_payments_and_presence_come_with_the_table_and_the_last_ones_wait(
    tournament: Make, ana: User, dora: User
) -> None:
    made = tournament(capacity=2)
    services.entrants_import(tournament_id=made.pk, user=dora, text=TABLE + "Luz;;3;x;\n", choices={})
    state = fresh(made)
    assert (state.entrants, state.waiting, state.paid, state.checked_in) == ((1, 2), (3,), {1, 3}, {1})
    assert list(made.entrants.order_by("number").values_list("seed_rank", flat=True)) == [1, None, 3]


def test_the_page_shows_the_lines_and_adds_them_as_chosen(tournament: Make, ana: User, dora: User) -> None:
    made, client = tournament(), client_of(dora)
    url = reverse("desk-entrants-list", args=[made.pk])
    assert client.post(url, {"text": " "}).status_code == 422
    page = client.post(url, {"text": "Ana\nPaco\n"}).content.decode()
    assert "1 new name" in page
    assert '<option value="member" selected>' in page
    answer = client.post(url, {"text": "Ana\nPaco\n", "action": "add", "line_2": "skip"})
    assert answer.headers["Location"].endswith("#players")
    assert names_of(made) == ["ana"]


def test_everybody_is_checked_in_at_once(tournament: Make, ana: User, dora: User) -> None:
    made = tournament(walk_ins=3)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=2)
    client_of(dora).post(reverse("desk-entrant", args=[made.pk]), {"action": "check-in-all"})
    assert fresh(made).checked_in == {1, 3}


def test_names_are_completed_from_the_people_of_the_club(tournament: Make, ana: User, bea: User, dora: User) -> None:
    club = default_club_ensure()
    for user in (ana, bea):
        Membership.objects.get_or_create(club=club, user=user)
    tournament(walk_ins=1)
    earlier = tournament()
    for name in ("Antonio Gil", "Gil Anaya", "Mariana"):
        services.entrant_add(tournament_id=earlier.pk, user=dora, name=name)
    made = tournament()
    url = reverse("desk-people", args=[made.pk])
    assert client_of(dora).get(url, {"q": "an"}).json() == {"names": ["ana", "Antonio Gil", "Gil Anaya"]}
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    assert client_of(dora).get(url, {"q": "an"}).json() == {"names": ["Antonio Gil", "Gil Anaya"]}
    assert client_of(dora).get(url, {"q": " "}).json() == {"names": []}
    assert client_of(bea).get(url, {"q": "an"}).status_code == 403
