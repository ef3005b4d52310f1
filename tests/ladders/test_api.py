"""Ladders over the API: to look at, to take part in, to direct."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Club, Membership, User
from ladders import services
from ladders.api.serializers import (
    LadderChallengeSerializer,
    LadderEventSerializer,
    LadderRowSerializer,
    LadderSerializer,
    RungSerializer,
)
from ladders.models import Ladder, LadderChallenge
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, queries, refused, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder(ana: User, bea: User, carlos: User, dora: User) -> Ladder:
    """A ladder that dora directs: ana on top, then bea and carlos."""
    club = Club.objects.get(is_default=True)
    Membership.objects.update_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    terms: dict[str, Any] = {"variant": "backgammon", "length": 1, "clock": "none", "rated": False}
    made = services.ladder_create(by=dora, club=club, name="Escalera", kind="challenge", config={}, **terms)
    for player in (ana, bea, carlos):
        services.ladder_join(ladder_id=made.pk, user=player)
    return made


def places(ladder: Ladder) -> list[str]:
    return [row["player"]["name"] for row in get_json(None, f"ladders/{ladder.pk}/places/")["results"]]


def test_a_ladder_is_read_as_its_page_shows_it(ladder: Ladder, bea: User) -> None:
    listed = next(row for row in get_json(bea, "ladders/")["results"] if row["id"] == ladder.pk)
    detail = get_json(bea, f"ladders/{ladder.pk}/")
    rungs = get_json(bea, f"ladders/{ladder.pk}/places/")["results"]
    events = get_json(None, f"ladders/{ladder.pk}/events/")["results"]
    assert undeclared(LadderRowSerializer, listed) + undeclared(LadderSerializer, detail) == []
    assert [fault for row in rungs for fault in undeclared(RungSerializer, row)] == []
    assert [fault for row in events for fault in undeclared(LadderEventSerializer, row)] == []
    assert (listed["mine"], detail["mine"], detail["directs"]) == (2, 2, False)
    assert [row["may"] for row in rungs] == [True, False, False]
    assert refused(None, "ladders/nothing/") == (404, "not_found")


def test_the_lists_take_the_same_queries_however_many_there_are(ladder: Ladder, ana: User, person: Any) -> None:
    paths = ("ladders/", f"ladders/{ladder.pk}/places/", f"ladders/{ladder.pk}/events/")
    before = [queries(ana, path) for path in paths]
    for number in range(3):
        services.ladder_join(ladder_id=ladder.pk, user=person(f"player-{number}"))
    assert [queries(ana, path) for path in paths] == before


def test_a_challenge_is_made_accepted_and_played(ladder: Ladder, ana: User, bea: User) -> None:
    status, made = sent(bea, f"ladders/{ladder.pk}/challenges/", rival="ana")
    assert (status, made["status"]) == (201, "offered")
    [call] = get_json(ana, f"ladders/{ladder.pk}/challenges/")
    assert undeclared(LadderChallengeSerializer, call) == []
    assert (call["id"], call["calls_me"]) == (made["id"], True)
    status, response = sent(ana, f"ladders/{ladder.pk}/challenges/{made['id']}/accept/")
    assert (status, response["match"]) == (200, LadderChallenge.objects.get(pk=made["id"]).match_id)
    assert sent(ana, f"matches/{response['match']}/arrive/") == (200, {"id": response["match"], "status": "open"})
    assert sent(bea, f"matches/{response['match']}/arrive/") == (200, {"id": response["match"], "status": "live"})


def test_a_challenge_of_another_ladder_is_none(ladder: Ladder, ana: User, bea: User) -> None:
    _status, made = sent(bea, f"ladders/{ladder.pk}/challenges/", rival="ana")
    assert sent(ana, f"ladders/other/challenges/{made['id']}/accept/")[0] == 404
    assert sent(ana, f"ladders/{ladder.pk}/challenges/{10**30}/accept/")[0] == 404
    assert sent(bea, f"ladders/{ladder.pk}/challenges/{made['id']}/withdraw/")[0] == 200


def test_one_joins_and_leaves(ladder: Ladder, dora: User) -> None:
    assert sent(None, f"ladders/{ladder.pk}/join/")[0] == 401
    assert sent(dora, f"ladders/{ladder.pk}/join/")[1]["mine"] == 4
    assert sent(dora, f"ladders/{ladder.pk}/leave/")[1]["mine"] is None


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("place/", {"player": "carlos", "to": 1}),
        ("undo/", {"n": 1}),
        ("redo/", {"n": 1}),
        ("close/", {}),
        ("open/", {}),
        ("season/close/", {"name": "Invierno"}),
    ],
)
def test_who_does_not_direct_changes_nothing(ladder: Ladder, ana: User, path: str, body: dict[str, Any]) -> None:
    before = Ladder.objects.values().get(pk=ladder.pk)
    status, response = sent(ana, f"ladders/{ladder.pk}/{path}", **body)
    assert (status, response["code"]) == (403, "ladder_not_director")
    assert Ladder.objects.values().get(pk=ladder.pk) == before


def test_a_director_gives_a_place_and_takes_it_back(ladder: Ladder, dora: User) -> None:
    status, response = sent(dora, f"ladders/{ladder.pk}/place/", player="carlos", to=1, reason="the draw was wrong")
    assert (status, places(ladder)) == (200, ["carlos", "ana", "bea"])
    assert sent(dora, f"ladders/{ladder.pk}/undo/", n=response["version"], reason="it was right")[0] == 200
    assert places(ladder) == ["ana", "bea", "carlos"]
