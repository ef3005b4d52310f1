"""The desk over the API: boards, lists of entrants, the next round before it is published, byes on request."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, refused, sent
from tests.tournaments.conftest import fresh
from tournaments.api.desk_lists import BoardsSerializer, EntrantLinesSerializer, PreviewSerializer
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


@pytest.fixture
def swiss(tournament: Make) -> Tournament:
    """Five walk-ins in a Swiss whose rounds dora opens by hand."""
    return tournament(walk_ins=5, start=True, format_="swiss", config={"rounds": 3, "half_byes": 1}, pace="hand")


def test_boards_are_set_and_pairings_called_to_them(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=4, start=True)
    path = f"tournaments/{made.pk}/desk/"
    rooms = [{"name": "Hall", "first": 1, "last": 3}]
    assert sent(dora, f"{path}boards/", rooms=rooms, reserved=[1])[0] == 200
    found = get_json(dora, f"{path}boards/")
    assert undeclared(BoardsSerializer, found) == []
    assert (found["rooms"], found["reserved"]) == (rooms, [1])
    assert [(call["key"], call["board"]) for call in found["called"]] == [("main-1-1", 2), ("main-1-2", 3)]
    assert sent(dora, f"{path}call/", key="main-1-1", board=1)[0] == 200
    assert fresh(made).called["main-1-1"].board == 1
    assert sent(dora, f"{path}call/", key="main-1-1", board=9)[1]["code"] == "no_board"
    assert sent(dora, f"{path}boards/", rooms=[{"name": "", "first": 3, "last": 1}])[1]["code"] == "boards"
    assert refused(ana, f"{path}boards/") == (403, "not_director")


def test_a_list_is_checked_and_then_entered_as_chosen(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=1)
    path, text = f"tournaments/{made.pk}/desk/entrants/list/", "Paco\nana\nW1\n"
    status, found = sent(dora, f"{path}check/", text=text)
    assert (status, undeclared(EntrantLinesSerializer, found)) == (200, [])
    assert [(line["line"], line["status"], line["choice"]) for line in found["lines"]] == [
        (1, "new", "walk-in"),
        (2, "member", "member"),
        (3, "known", "skip"),
    ]
    assert made.entrants.count() == 1
    assert sent(dora, path, text=text, choices=[{"line": 2, "choice": "walk-in"}])[0] == 200
    assert [(entrant.name, entrant.user_id) for entrant in made.entrants.all()] == [
        ("W1", None),
        ("Paco", None),
        ("ana", None),
    ]
    assert sent(dora, path, text=" ")[1]["code"] == "list_empty"


def test_the_next_round_is_looked_at_and_paired_with_other_pairs(swiss: Tournament, dora: User) -> None:
    path = f"tournaments/{swiss.pk}/desk/"
    assert sent(dora, f"{path}bye/", number=5, round=1)[0] == 200
    found = get_json(dora, f"{path}rounds/preview/")
    assert undeclared(PreviewSerializer, found) == []
    assert ([pair["entrants"] for pair in found["pairs"]], found["absent"]) == ([[1, 3], [2, 4]], [5])
    assert fresh(swiss).rounds == ()
    assert sent(dora, f"{path}rounds/pair/", pairs=[[1, 5], [2, 4]])[1]["code"] == "round_pairs"
    assert sent(dora, f"{path}rounds/pair/", pairs=[[1, 2], [3, 4]])[0] == 200
    (round_,) = fresh(swiss).rounds
    assert (round_.pairs, round_.absent) == (((1, 2), (3, 4)), (5,))
