"""The same play over HTTP."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import services
from games.api.position_serializers import PointsPositionSerializer, SquaresPositionSerializer
from games.api.state_serializers import StateSerializer, SyncSerializer
from games.models import Action, Match
from games.services import Answer
from tests.games.declared_data import undeclared

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(
    open_table: Callable[..., Match], act: Callable[..., Answer], next_rolls: deque[Any], ana: User, bea: User
) -> Match:
    next_rolls.append((3, 1))
    made = open_table()
    act(made, ana, "roll")
    act(made, bea, "roll")
    return made


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def post(client: Client, match: Match, **body: Any) -> Any:
    return client.post(f"/api/v1/matches/{match.pk}/act/", body, content_type="application/json")


def test_a_player_reads_their_tree_and_acts(match: Match, ana: User) -> None:
    client = client_of(ana)
    state = client.get(f"/api/v1/matches/{match.pk}/").json()
    assert (state["you"], state["version"], "move" in state["may"]) == ("white", 3, True)
    assert state["position"]["tree"]
    answer = post(client, match, id="h-1", after=3, action="8/5 6/5")
    assert (answer.status_code, answer.json()) == (200, {"version": 4})
    assert post(client, match, id="h-1", after=3, action="8/5 6/5").json() == {"version": 4}
    assert Action.objects.filter(match=match).count() == 4


@pytest.mark.parametrize(
    ("player", "body", "status", "code"),
    [
        (None, {"id": "h-1", "action": "8/5 6/5"}, 401, "not_authenticated"),
        ("carlos", {"id": "h-1", "action": "8/5 6/5"}, 403, "not_seated"),
        ("bea", {"id": "h-1", "action": "8/5 6/5"}, 409, "not_your_turn"),
        ("ana", {"id": "h-1", "action": "dice 66"}, 409, "server_only"),
        ("ana", {"id": "h-1", "action": "8/5\n6/5"}, 409, "bad_action"),
        ("ana", {"id": "no spaces", "action": "8/5 6/5"}, 400, "bad_id"),
        ("ana", {"action": "8/5 6/5"}, 400, "invalid"),
        ("ana", {"id": "h-1", "action": 7}, 400, "invalid"),
        ("ana", {"id": "h-1", "action": "8/5 6/5", "to": "bea"}, 400, "unknown_field"),
        ("ana", {"id": "h-1", "action": "8/5 6/5", "after": 1}, 409, "stale"),
    ],
)
def test_an_invalid_action_gets_its_status_and_code(
    match: Match,
    request: pytest.FixtureRequest,
    player: str | None,
    body: dict[str, Any],
    status: int,
    code: str | None,
) -> None:
    answer = post(client_of(request.getfixturevalue(player) if player else None), match, **body)
    assert answer.status_code == status
    assert code is None or answer.json()["code"] == code
    assert Action.objects.filter(match=match).count() == 3


def test_a_stale_action_is_answered_with_the_state(match: Match, ana: User) -> None:
    answer = post(client_of(ana), match, id="h-1", after=1, action="8/5 6/5").json()
    assert answer["state"]["version"] == 3


def test_sync_over_http_gives_the_actions_after_a_version(match: Match, bea: User) -> None:
    frame = client_of(bea).get(f"/api/v1/matches/{match.pk}/sync/?after=1").json()
    assert [a["text"] for a in frame["actions"]] == ["roll", "dice 31"]
    assert frame["position"]["tree"] is None


def test_anyone_may_watch_and_sees_nothing_private(match: Match) -> None:
    state = client_of(None).get(f"/api/v1/matches/{match.pk}/").json()
    assert (state["you"], state["may"], state["position"]["tree"]) == (None, [], None)


def test_a_challenge_is_visible_to_its_two_players(ana: User, bea: User, carlos: User) -> None:
    seek = services.match_create(
        creator=ana, variant="backgammon", length=3, clock="club", rated=True, options={"cube": True}, invited=bea
    )
    url = f"/api/v1/matches/{seek.pk}/"
    seen = [client_of(user).get(address).status_code for user in (ana, bea) for address in (url, f"{url}sync/")]
    hidden = [client_of(user).get(address).status_code for user in (carlos, None) for address in (url, f"{url}sync/")]
    assert (set(seen), set(hidden)) == ({200}, {404})


def test_a_state_and_a_sync_match_their_schema(match: Match, ana: User) -> None:
    for user in (ana, None):
        state = client_of(user).get(f"/api/v1/matches/{match.pk}/").json()
        sync = client_of(user).get(f"/api/v1/matches/{match.pk}/sync/").json()
        assert undeclared(StateSerializer, state) + undeclared(SyncSerializer, sync) == []
        for response in (state, sync):
            assert undeclared(PointsPositionSerializer, response["position"]) == []


def test_a_damas_board_matches_its_schema(
    open_table: Callable[..., Match], act: Callable[..., Answer], next_rolls: deque[Any], ana: User, bea: User
) -> None:
    next_rolls.append((3, 1))
    damas = open_table(variant="damas", length=1, clock="none", rated=False)
    act(damas, ana, "roll")
    act(damas, bea, "roll")
    state = client_of(ana).get(f"/api/v1/matches/{damas.pk}/").json()
    assert undeclared(StateSerializer, state) == []
    assert undeclared(SquaresPositionSerializer, state["position"]) == []


def test_an_invented_match_is_not_found(ana: User) -> None:
    answer = client_of(ana).get("/api/v1/matches/nothing/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_broken_json_is_answered_with_400(match: Match, ana: User) -> None:
    url = f"/api/v1/matches/{match.pk}/act/"
    assert client_of(ana).post(url, "{", content_type="application/json").status_code == 400


def test_the_schema_is_served_and_names_every_route(db: None) -> None:
    schema = Client().get("/api/v1/schema/?format=json")
    if schema.status_code == 403:
        pytest.fail("the schema must be open")
    assert {"/api/v1/matches/{match_id}/", "/api/v1/matches/{match_id}/act/"} <= set(schema.json()["paths"])
