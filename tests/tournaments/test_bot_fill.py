"""Filling a field with bots: to the next power of two, an even number, or the number that the director chose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.users.services import house_bot_ensure
from games.models import Match
from tests.tournaments.conftest import fresh
from tests.tournaments.test_services import kinds, refused
from tournaments import field_size, services
from tournaments.field_size import FieldEntry
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
GAME: dict[str, Any] = {"variant": "hypergammon"}
"""A game that the site's own engine plays, so that no wheel is needed."""
PERSON, CHECKED_IN, COMPUTER = (
    FieldEntry(checked_in=False, is_bot=False),
    FieldEntry(checked_in=True, is_bot=False),
    FieldEntry(True, True),
)


def fill(made: Tournament, by: User, *, level: int = 3, to: int | None = None) -> int:
    return services.entrants_fill(tournament_id=made.pk, user=by, level=level, to=to)


def names(made: Tournament) -> list[str]:
    """Who plays, in the order of entry."""
    return [entrant.name for entrant in made.entrants.select_related("user").order_by("number") if entrant.plays]


@pytest.mark.parametrize(
    ("sections", "count", "wanted"),
    [("bracket", n, whole) for n, whole in ((0, 2), (1, 2), (2, 2), (3, 4), (5, 8), (8, 8), (9, 16), (33, 64))]
    + [("table", n, whole) for n, whole in ((0, 2), (1, 2), (2, 2), (5, 6), (6, 6))]
    + [("cross", 7, 8), ("both", 9, 10)],
)
def test_the_full_field_size_by_format(sections: str, count: int, wanted: int) -> None:
    assert field_size.full_field_size(sections, count) == wanted


@pytest.mark.parametrize(
    ("places", "check_in", "count"),
    [
        ([PERSON, CHECKED_IN, COMPUTER], False, 3),
        ([PERSON, CHECKED_IN, COMPUTER], True, 2),
        ([PERSON, PERSON, COMPUTER], True, 3),  # nobody has begun to check in
    ],
)
def test_entrants_who_are_drawn_count(places: list[FieldEntry], check_in: bool, count: int) -> None:
    assert field_size.field_count(places, check_in=check_in) == count


@pytest.mark.parametrize(("format_", "walk_ins", "comes"), [("knockout", 5, 3), ("swiss", 5, 1), ("losses", 3, 1)])
def test_bots_are_added_until_the_field_is_full(
    tournament: Make, dora: User, format_: str, walk_ins: int, comes: int
) -> None:
    made = tournament(walk_ins=walk_ins, format_=format_, **GAME)
    assert fill(made, dora) == comes
    assert len(names(made)) == walk_ins + comes
    assert all(
        entrant.user.strength == 3 for entrant in made.entrants.select_related("user") if entrant.user is not None
    )


def test_bots_of_one_strength_have_separate_accounts_that_are_reused(tournament: Make, dora: User) -> None:
    first, second = tournament(walk_ins=1, **GAME), tournament(walk_ins=1, **GAME)
    fill(first, dora, to=4)
    fill(second, dora, to=3)
    assert (names(first), names(second)) == (["W1", "Dadila", "Dadila-2", "Dadila-3"], ["W1", "Dadila", "Dadila-2"])
    fill(second, dora, to=5)
    assert names(second)[3:] == ["Dadila-3", "Dadila-4"]
    fill(second, dora, level=1, to=6)
    assert names(second)[5:] == ["Pipa"]
    assert sorted(User.objects.filter(is_bot=True).values_list("bot_level", flat=True)) == [1, 3, 13, 23, 33]


def test_a_registered_bot_is_skipped_and_a_withdrawn_one_returns(tournament: Make, dora: User) -> None:
    made = tournament(**GAME)
    for level in (3, 4):
        services.entrant_add(tournament_id=made.pk, user=dora, player=house_bot_ensure(level))
    fill(made, dora, to=3)
    assert names(made) == ["Dadila", "Tablera", "Dadila-2"]
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=1)
    fill(made, dora, to=3)
    assert names(made) == ["Dadila", "Tablera", "Dadila-2"]


def test_bots_are_checked_in_and_only_checked_in_players_count(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, check_in=True, **GAME)
    for number in (1, 2, 3):
        services.entrant_check_in(tournament_id=made.pk, user=dora, number=number)
    assert fill(made, dora) == 1
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert names(made) == ["W1", "W2", "W3", "Dadila"]


def test_filling_is_one_act_that_can_be_undone_and_redone(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, **GAME)
    fill(made, dora, to=4)
    assert kinds(made)[-3:] == ["filled", "registered", "registered"]
    [act] = {event.act for event in made.events.all() if event.kind == "filled"}
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert (names(made), len(fresh(made).entrants)) == (["W1", "W2"], 2)
    services.act_redo(tournament_id=made.pk, user=dora, act=act)
    assert names(made) == ["W1", "W2", "Dadila", "Dadila-2"]
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert len(fresh(made).order) == 4


def test_matches_of_bots_are_unrated_and_bots_are_at_their_boards(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(rated=True, **GAME)
    services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    fill(made, dora, to=4)
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert sorted(Match.objects.filter(arranged=True).values_list("status", "rated")) == [
        ("live", False),
        ("open", False),
    ]


def test_impossible_fills_are_refused(tournament: Make, dora: User, ana: User) -> None:
    def no(code: str, made: Tournament, by: User = dora, **arguments: Any) -> None:
        refused(code, services.entrants_fill, tournament_id=made.pk, user=by, level=3, **arguments)

    three = tournament(walk_ins=3, **GAME)
    no("not_director", three, ana)
    no("fill_enough", three, to=3)
    no("fill_most", three, to=100)
    no("fill_enough", tournament(walk_ins=4, **GAME))
    no("fill_places", tournament(walk_ins=5, capacity=6, **GAME))
    no("fill_board", tournament(walk_ins=3, venue="board", **GAME))
    no("engine_variant", tournament(walk_ins=3, variant="longgammon"))
    no("entry_closed", tournament(walk_ins=3, start=True, **GAME))
    assert not User.objects.filter(is_bot=True).exists()


class TestDesk:
    @pytest.fixture
    def desk(self, client: Client, dora: User) -> Client:
        client.force_login(dora)
        return client

    def test_the_form_shows_the_missing_places_fills_them_and_is_logged(self, desk: Client, tournament: Make) -> None:
        made = tournament(walk_ins=5, **GAME)
        page = desk.get(f"/tournaments/{made.pk}/desk/").content.decode()
        assert "With 3 more players (8 in all), nobody has a bye in the first round." in page
        answer = desk.post(f"/tournaments/{made.pk}/desk/fill/", {"level": "4", "to": "", "at": "players"})
        assert answer.headers["Location"] == f"/tournaments/{made.pk}/desk/#players"
        page = desk.get(f"/tournaments/{made.pk}/desk/").content.decode()
        assert "The computer took 3 places (Expert)." in page
        assert "With this number of players, nobody has a bye in the first round." in page
        assert names(made)[5:] == ["Tablera", "Tablera-2", "Tablera-3"]

    @pytest.mark.parametrize("form", [{}, {"level": "9"}, {"level": "3", "to": "1"}, {"level": "3", "to": "x"}])
    def test_a_broken_form_changes_nothing(self, desk: Client, tournament: Make, form: dict[str, str]) -> None:
        made = tournament(walk_ins=5, **GAME)
        desk.post(f"/tournaments/{made.pk}/desk/fill/", form)
        assert len(names(made)) == 5

    @pytest.mark.parametrize("terms", [{"venue": "board"}, {"variant": "longgammon"}])
    def test_the_form_is_hidden_where_bots_cannot_play(
        self, desk: Client, tournament: Make, terms: dict[str, Any]
    ) -> None:
        made = tournament(walk_ins=5, **{**GAME, **terms})
        assert "Fill with computer players" not in desk.get(f"/tournaments/{made.pk}/desk/").content.decode()
