"""Who hears what: for each kind of thing and each viewer exactly what he could see on the pages at that moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts import ties
from accounts.models import User
from games import services as play
from games.models import Match
from hooks.errors import Refused
from hooks.hearing import audible
from hooks.services import topics_of
from tournaments import services as tournaments

pytestmark = pytest.mark.django_db

TERMS: dict[str, Any] = {"variant": "backgammon", "length": 5, "clock": "club", "rated": True}
Table = Callable[..., Match]


def hears(topic: str, *people: User) -> list[str]:
    """The names of those of these people who may hear a topic."""
    return [one.username for one in people if audible(one, [topic])]


def test_what_concerns_somebody_is_heard_by_him_alone(ana: User, bea: User, person: Callable[..., User]) -> None:
    staff = person("zoe", is_staff=True, is_superuser=True)
    assert hears(f"user:{ana.pk}", ana, bea, staff) == ["ana"]


def test_a_match_in_play_is_heard_by_all_but_those_whom_a_block_keeps_apart(
    open_table: Table, ana: User, bea: User, carlos: User, dora: User, person: Callable[..., User]
) -> None:
    match = open_table()
    here = f"match:{match.pk}"
    guest, staff = person("guest-1", is_guest=True), person("zoe", is_staff=True)
    ties.tie_make(by=bea, about=dora, kind=ties.BLOCK)
    ties.tie_make(by=bea, about=staff, kind=ties.BLOCK)
    assert hears(here, ana, bea, carlos, dora, guest, staff) == ["ana", "bea", "carlos", "guest-1", "zoe"]
    play.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="e")
    assert hears(here, dora) == ["dora"]


def test_a_challenge_is_heard_by_the_two_alone_and_so_is_one_that_was_taken_back(
    ana: User, bea: User, carlos: User
) -> None:
    match = play.match_create(creator=ana, invited=bea, **TERMS)
    assert hears(f"match:{match.pk}", ana, bea, carlos) == ["ana", "bea"]
    play.match_cancel(match_id=match.pk, user=ana)
    assert hears(f"match:{match.pk}", ana, bea, carlos) == ["ana", "bea"]


def test_a_desk_is_heard_by_its_directors_alone_and_by_nobody_who_was_one(
    tournament: Any,
    ana: User,
    bea: User,
    dora: User,
    person: Callable[..., User],
) -> None:
    made, other = tournament(), tournament()
    staff = person("zoe", is_staff=True)
    tournaments.director_add(tournament_id=made.pk, user=dora, director=ana)
    tournaments.director_add(tournament_id=other.pk, user=dora, director=bea)
    desk = f"desk:{made.pk}"
    assert hears(desk, ana, bea, dora, staff) == ["ana", "dora"]
    tournaments.director_remove(tournament_id=made.pk, user=dora, director=ana)
    assert hears(desk, ana, bea, dora, staff) == ["dora"]


def test_tournaments_and_ladders_are_public_as_their_pages_are(tournament: Any, make: Any, carlos: User) -> None:
    assert hears(f"tournament:{tournament().pk}", carlos) == ["carlos"]
    assert hears(f"ladder:{make().pk}", carlos) == ["carlos"]


def test_who_is_banned_hears_nothing(open_table: Table, ana: User) -> None:
    match = open_table()
    ana.is_active = False
    assert audible(ana, [f"user:{ana.pk}", f"match:{match.pk}"]) == frozenset()


@pytest.mark.parametrize("subject", ["match:nothing", "desk:nothing", "user:1", "", "match:", "table:1", "match:a/b"])
def test_what_is_not_there_cannot_be_listened_to(ana: User, subject: str) -> None:
    with pytest.raises(Refused) as refused:
        topics_of(ana, subjects=[subject])
    assert refused.value.code == "hook_subjects"


def test_a_block_ends_what_a_program_hears_of_a_running_match(
    listen: Callable[..., Any], open_table: Table, ana: User, bea: User, carlos: User
) -> None:
    match = open_table()
    program = listen(carlos, f"match:{match.pk}")
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    assert program.kinds() == ["match.acted"]
    ties.tie_make(by=bea, about=carlos, kind=ties.BLOCK)
    play.match_act(match_id=match.pk, user_id=bea.pk, action="roll", client_id="b1")
    assert program.kinds() == []


def test_what_a_program_hears_of_a_move_is_its_number_alone(
    listen: Callable[..., Any], open_table: Table, ana: User, carlos: User
) -> None:
    match = open_table()
    program = listen(carlos, f"match:{match.pk}")
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    [told] = program.news()
    assert told["data"] == {"version": 1, "players": {"white": "ana", "black": "bea"}}
