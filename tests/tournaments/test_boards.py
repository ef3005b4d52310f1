"""Boards: rooms with numbers, pairings that are called to them, and what lateness costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.boards import Boards, Call, Room, latest_by_board, penalty_points
from tournaments.errors import Refused
from tournaments.formats.core import Invalid
from tournaments.forms.boards import BoardsForm
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def refused(code: str, service: Callable[..., Any], **arguments: Any) -> None:
    with pytest.raises(Refused) as found:
        service(**arguments)
    assert found.value.code == code


def boards_of(made: Tournament) -> dict[str, int]:
    """The board of each pairing that was called to one."""
    return {key: call.board for key, call in fresh(made).called.items()}


def hall(made: Tournament, dora: User, last: int = 8, **more: Any) -> None:
    services.boards_set(tournament_id=made.pk, user=dora, boards=Boards((Room("Hall", 1, last),), **more))


# The value


def test_a_board_is_in_one_room_and_a_reserved_one_exists() -> None:
    for value in (
        {"rooms": [{"name": "A", "first": 1, "last": 4}, {"name": "B", "first": 4, "last": 6}]},
        {"rooms": [{"name": "A", "first": 4, "last": 1}]},
        {"rooms": [{"name": "A", "first": 1, "last": 4}], "reserved": [5]},
    ):
        with pytest.raises(Invalid):
            Boards.read(value)
    boards = Boards((Room("Hall", 1, 2), Room("Bar", 7, 8)), frozenset({2}), frozenset({7}))
    assert Boards.read(boards.as_json()) == boards
    assert (boards.numbers, boards.free({1})) == ((1, 2, 7, 8), [8])
    assert [boards.room_of(number) for number in (2, 7, 5)] == ["Hall", "Bar", ""]


def test_of_two_calls_to_a_board_the_later_one_holds() -> None:
    calls = {key: Call(board, "", (1, 2)) for key, board in (("a", 1), ("b", 2), ("c", 1))}
    assert sorted(latest_by_board(calls.items())) == ["b", "c"]


def test_e13_lateness_costs_a_point_after_the_grace_period_and_one_more_for_each_step() -> None:
    assert [penalty_points(minutes, grace=10, step=5) for minutes in (0, 9, 10, 14, 15, 27)] == [0, 0, 1, 1, 2, 4]
    assert penalty_points(90, grace=0, step=5) == 0


def test_minutes_are_counted_from_the_call() -> None:
    call = Call(3, "2026-11-20T14:05:00+00:00", (1, 2))
    assert call.minutes(datetime(2026, 11, 20, 14, 12, 59, tzinfo=UTC)) == 7
    assert call.minutes(datetime(2026, 11, 20, 14, 0, tzinfo=UTC)) == 0


# Calling


def test_open_pairings_are_called_to_free_boards_and_leave_them_with_the_result(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=8)
    hall(made, dora, last=3)
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert boards_of(made) == {"main-1-1": 1, "main-1-2": 2, "main-1-3": 3}
    a, _b = fresh(made).by_key["main-1-2"].entrants
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-2", winner=a)
    assert boards_of(made) == {"main-1-1": 1, "main-1-3": 3, "main-1-4": 2}


def test_boards_that_are_set_up_while_it_runs_are_given_at_once(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    hall(made, dora)
    assert boards_of(made) == {"main-1-1": 1, "main-1-2": 2}


def test_reserved_and_streamed_boards_are_given_by_hand_only(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    hall(made, dora, last=3, reserved=frozenset({2}), streamed=frozenset({1}))
    assert boards_of(made) == {"main-1-1": 3}
    services.pairing_call(tournament_id=made.pk, user=dora, key="main-1-1", board=1)
    assert boards_of(made) == {"main-1-1": 1, "main-1-2": 3}


def test_whoever_plays_at_a_board_that_is_given_to_others_gets_another_one(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    hall(made, dora)
    services.pairing_call(tournament_id=made.pk, user=dora, key="main-1-2", board=1)
    assert boards_of(made) == {"main-1-2": 1, "main-1-1": 2}


def test_an_undone_result_calls_the_two_again(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    hall(made, dora, last=1)
    act = services.result_enter(tournament_id=made.pk, user=dora, key="main-1-1", winner=1)
    assert boards_of(made) == {"main-1-2": 1}
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert boards_of(made) == {"main-1-1": 1}


def test_a_board_that_is_no_more_is_left(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    hall(made, dora)
    services.boards_set(tournament_id=made.pk, user=dora, boards=Boards((Room("", 2, 9),), automatic=False))
    assert boards_of(made) == {"main-1-2": 2}


def test_what_cannot_be_called_is_refused(tournament: Make, ana: User, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    hall(made, dora)
    call = {"service": services.pairing_call, "tournament_id": made.pk}
    refused("not_director", **call, user=ana, key="main-1-1", board=3)
    refused("no_board", **call, user=dora, key="main-1-1", board=99)
    refused("not_ready", **call, user=dora, key="main-2-1", board=3)
    twice = Boards((Room("A", 1, 4), Room("B", 4, 5)))
    refused("boards", services.boards_set, tournament_id=made.pk, user=dora, boards=twice)


# The form and the pages


def test_rooms_are_typed_a_line_each() -> None:
    form = BoardsForm({"rooms": "Main hall 1-16\nBar: 20\n 30\u201332", "reserved": "15, 16", "streamed": "1 - 2"})
    assert form.is_valid(), form.errors
    assert form.boards() == Boards(
        (Room("Main hall", 1, 16), Room("Bar", 20, 20), Room("", 30, 32)),
        frozenset({15, 16}),
        frozenset({1, 2}),
        automatic=False,
    )
    assert not BoardsForm({"rooms": "Main hall"}).is_valid()
    assert not BoardsForm({"rooms": "1-4", "reserved": "x"}).is_valid()


def test_players_the_screen_and_the_desk_say_which_board(tournament: Make, ana: User, bea: User, dora: User) -> None:
    made = tournament(venue="board")
    for user in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=user)
    hall(made, dora, last=12)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.pairing_call(tournament_id=made.pk, user=dora, key="main-1-1", board=12)

    def page(user: User, route: str) -> str:
        client = Client(headers={"accept-language": "en"})
        client.force_login(user, backend=people.BACKEND)
        return str(client.get(reverse(route, args=[made.pk])).content.decode())

    assert "Board 12, Hall" in page(ana, "tournament")
    screen = page(bea, "tournament-tv-live")
    assert '<b class="screen-board">Board 12</b> <small class="screen-room">Hall</small>' in screen
    desk = page(dora, "tournament-desk")
    assert 'title="board 12, Hall"' in desk
    assert re.search(r", \d+ min", desk)
    assert "1-1 called to board 12." in desk
