"""Matches over the API: lists, one match with its games and actions, marks, files, positions."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.users import services as user_services
from games import services
from games.api.marks_and_files import ArchiveSerializer
from games.api.match_serializers import (
    ActionPageSerializer,
    LobbySerializer,
    MatchDiceSerializer,
    MatchPageSerializer,
    RecordSerializer,
    SiteDiceSerializer,
)
from games.api.position_serializers import PointsPositionSerializer
from games.api.positions import PositionDetailsSerializer
from games.api.state_serializers import GameFramesSerializer
from games.api.statistics import PoolSerializer
from games.api.variants import VariantSerializer
from games.database import now
from games.formats.decoding import MOST_BYTES
from games.models import Match, Rating, RatingPool
from tests.analysis.over import over
from tests.games.declared_data import undeclared
from tests.games.finished_matches import SAMPLES
from tests.games.formats.matches import analysed_sgf

pytestmark = pytest.mark.django_db
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:6"


def of(user: User | None = None) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    if user is not None:
        client.force_login(user, backend=user_services.BACKEND)
    return client


def get_json(user: User | None, path: str, **query: Any) -> Any:
    answer = of(user).get(f"/api/v1/{path}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def refused(user: User | None, path: str, **query: Any) -> tuple[int, str]:
    answer = of(user).get(f"/api/v1/{path}", query)
    return answer.status_code, answer.json()["code"]


def sent(user: User | None, path: str, method: str = "post", **body: Any) -> tuple[int, Any]:
    answer = getattr(of(user), method)(f"/api/v1/{path}", body, content_type="application/json")
    return answer.status_code, answer.json()


def queries(user: User | None, path: str) -> int:
    """The queries of an answer; asked twice, because the first one fills the caches."""
    client = of(user)
    client.get(f"/api/v1/{path}")
    with CaptureQueriesContext(connection) as seen:
        assert client.get(f"/api/v1/{path}").status_code == 200
    return len(seen)


# Lists


def test_a_list_continues_where_its_page_ended(ana: User, bea: User) -> None:
    made = [over("m10.mat", ana, bea).pk for _ in range(3)]
    first = get_json(None, "matches/", size=2)
    rest = get_json(None, "matches/", size=2, cursor=first["next"])
    assert undeclared(MatchPageSerializer, first) == []
    assert sorted(row["id"] for row in first["results"] + rest["results"]) == sorted(made)
    assert (first["count"], len(rest["results"]), rest["next"]) == (3, 1, None)


def test_a_list_is_filtered_as_the_page_is(ana: User, bea: User, carlos: User) -> None:
    own, other = over("m10.mat", ana, bea), over("m10.mat", bea, carlos, clock_preset="days3")
    ids = lambda **query: [row["id"] for row in get_json(None, "matches/", **query)["results"]]  # noqa: E731
    assert ids(player="ana") == [own.pk]
    assert ids(player="bea", rival="carlos") == [other.pk]
    assert ids(pace="correspondence") == [other.pk]
    assert ids(length=99) == []
    assert ids(player="ana", result="won" if own.winner == "white" else "lost") == [own.pk]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"variant": "chess"}, 400, "invalid"),
        ({"since": "yesterday"}, 400, "invalid"),
        ({"size": "0"}, 400, "invalid"),
        ({"colour": "white"}, 400, "unknown_field"),
        ({"rival": "bea"}, 409, "invalid"),
        ({"player": "nobody"}, 409, "invalid"),
        ({"cursor": "nonsense"}, 404, "bad_cursor"),
    ],
)
def test_an_invalid_filter_is_refused(db: None, query: dict[str, str], status: int, code: str) -> None:
    """400 for an invalid filter; 409 for a valid one without an answer: an unknown name, an opponent alone."""
    assert refused(None, "matches/", **query) == (status, code)


@pytest.mark.parametrize("path", ["matches/", "history/", "lobby/"])
def test_a_list_takes_the_same_queries_for_one_and_for_three(ana: User, bea: User, path: str) -> None:
    over("m10.mat", ana, bea)
    count = queries(ana, path)
    for _ in range(2):
        over("m10.mat", ana, bea)
    assert queries(ana, path) == count


def test_the_own_history_has_the_owners_marks_only(ana: User, bea: User) -> None:
    match = over("m10.mat", ana, bea)
    mark = {"favourite": True, "note": "the last roll", "tags": ["final"]}
    assert sent(ana, f"matches/{match.pk}/mark/", "patch", **mark) == (200, mark)
    [own_row] = get_json(ana, "history/", favourite="true")["results"]
    [opponent_row] = get_json(bea, "history/")["results"]
    assert (own_row["mark"], opponent_row["mark"]["note"]) == (mark, "")
    assert refused(None, "history/") == (401, "not_authenticated")
    assert get_json(bea, f"matches/{match.pk}/mark/")["favourite"] is False


def test_other_users_cannot_mark_a_match(ana: User, bea: User, carlos: User) -> None:
    match = over("m10.mat", ana, bea)
    status, response = sent(carlos, f"matches/{match.pk}/mark/", "patch", favourite=True)
    assert (status, response["code"]) == (403, "not_yours")


def test_the_lobby_hides_blocked_players(ana: User, bea: User) -> None:
    services.match_create(creator=ana, variant="backgammon", length=3, clock="none", rated=False)
    response = get_json(bea, "lobby/")
    assert undeclared(LobbySerializer, response) == []
    assert [row["creator"] for row in response["seeks"]] == ["ana"]
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    assert get_json(bea, "lobby/")["seeks"] == []


# Open games


def test_an_open_game_is_posted_withdrawn_and_accepted(ana: User, bea: User) -> None:
    terms: dict[str, Any] = {"variant": "backgammon", "length": 3, "clock": "none", "options": {"cube": True}}
    status, offer = sent(ana, "matches/", **terms, rated=True, to="bea")
    assert (status, offer["status"]) == (200, "open")
    assert Match.objects.get(pk=offer["id"]).rated
    assert sent(bea, f"matches/{offer['id']}/cancel/")[1]["code"] == "not_creator"
    assert sent(ana, f"matches/{offer['id']}/cancel/") == (200, {"id": offer["id"], "status": "cancelled"})
    _status, second_offer = sent(ana, "matches/", **terms)
    assert sent(bea, f"matches/{second_offer['id']}/join/") == (200, {"id": second_offer["id"], "status": "live"})


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"variant": "chess"}, (400, "invalid")),
        ({"length": "3"}, (400, "invalid")),
        ({"length": 0, "rated": True}, (409, "money_rated")),
        ({"to": "nobody"}, (404, "no_such_player")),
        ({"to": "ana"}, (409, "self_play")),
        ({"options": {"cube": 7}}, (409, "options")),
        ({"colour": "white"}, (400, "unknown_field")),
    ],
)
def test_an_invalid_open_game_changes_nothing(ana: User, change: dict[str, Any], answer: tuple[int, str]) -> None:
    status, response = sent(ana, "matches/", **{"variant": "backgammon", "length": 3, "clock": "none", **change})
    assert (status, response["code"]) == answer
    assert not Match.objects.exists()


def test_a_rematch_is_offered_by_one_and_accepted_by_the_other(ana: User, bea: User) -> None:
    match = over("m10.mat", ana, bea)
    _status, offered = sent(ana, f"matches/{match.pk}/rematch/")
    assert sent(bea, f"matches/{match.pk}/rematch/") == (200, {"id": offered["id"], "status": "live"})


# One match


def test_a_match_is_read_game_by_game_and_action_by_action(ana: User, bea: User) -> None:
    match = over("m10.mat", ana, bea)
    record = get_json(None, f"matches/{match.pk}/record/")
    assert undeclared(RecordSerializer, record) == []
    assert [file["kind"] for file in record["files"]] == ["mat", "sgf", "json"]
    assert (record["match"]["seats"][0]["name"], record["match"]["result"]["winner"]) == ("ana", match.winner)
    game = get_json(None, f"matches/{match.pk}/games/1/")
    assert undeclared(GameFramesSerializer, game) == []
    assert undeclared(PointsPositionSerializer, game["frames"][0]["position"]) == []
    first = get_json(None, f"matches/{match.pk}/actions/", size=2)
    rest = get_json(None, f"matches/{match.pk}/actions/", after=first["next"], size=400)
    assert undeclared(ActionPageSerializer, first) == []
    assert [row["n"] for row in first["results"] + rest["results"]] == list(range(1, match.version + 1))
    assert refused(None, f"matches/{match.pk}/games/99/") == (404, "not_found")


def test_unchanged_data_is_not_sent_again(ana: User, bea: User) -> None:
    match = over("m10.mat", ana, bea)
    for path in ("games/1/", "actions/", "numbers/"):
        first = of().get(f"/api/v1/matches/{match.pk}/{path}")
        second = of().get(f"/api/v1/matches/{match.pk}/{path}", headers={"If-None-Match": first["ETag"]})
        assert (first.status_code, second.status_code, second.content) == (200, 304, b"")


def test_a_match_in_play_has_no_games_to_read(ana: User, bea: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="none", rated=False)
    services.match_join(match_id=seek.pk, user=bea)
    assert refused(None, f"matches/{seek.pk}/games/1/") == (409, "not_over")
    assert refused(None, f"matches/{seek.pk}/numbers/") == (409, "not_over")
    assert get_json(None, f"matches/{seek.pk}/record/")["files"] == []


def test_a_challenge_is_private_to_its_players(ana: User, bea: User, carlos: User) -> None:
    terms = {"variant": "backgammon", "length": 3, "clock": "none", "rated": False}
    match = services.match_create(creator=ana, invited=bea, **terms)  # type: ignore[arg-type]
    for path in ("", "record/", "actions/", "sync/"):
        assert refused(carlos, f"matches/{match.pk}/{path}") == (404, "not_found")
        assert get_json(bea, f"matches/{match.pk}/{path}")


# Files


def test_a_match_of_another_program_is_imported_as_text_and_as_a_file(ana: User) -> None:
    text = (SAMPLES / "m10.mat").read_text()
    status, response = sent(ana, "matches/import/", text=text)
    assert (status, Match.objects.get(pk=response["id"]).creator) == (200, ana)
    with (SAMPLES / "m10.mat").open("rb") as file:
        answer = of(ana).post("/api/v1/matches/import/", {"file": file})
    assert (answer.status_code, answer.json()["id"]) == (200, response["id"])  # the same bytes are the same match


def test_an_analysed_match_of_8_megabytes_is_imported_as_a_file(ana: User) -> None:
    file = SimpleUploadedFile("match.sgf", analysed_sgf(MOST_BYTES))
    answer = of(ana).post("/api/v1/matches/import/", {"file": file})
    assert (answer.status_code, Match.objects.get().source) == (200, "sgf")


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"text": "nothing of that kind"}, (409, "unknown_format")),
        ({}, (400, "invalid")),
        ({"text": 7}, (400, "invalid")),
    ],
)
def test_an_unreadable_file_saves_nothing(ana: User, body: dict[str, Any], answer: tuple[int, str]) -> None:
    status, response = sent(ana, "matches/import/", **body)
    assert (status, response["code"]) == answer
    assert not Match.objects.exists()


def test_an_empty_file_is_refused(ana: User) -> None:
    answer = of(ana).post("/api/v1/matches/import/", {"file": SimpleUploadedFile("file", b"")})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_a_users_archive_is_requested_once(ana: User, bea: User) -> None:
    assert sent(ana, "archive/")[1]["code"] == "no_matches"
    over("m10.mat", ana, bea)
    assert get_json(ana, "archive/") == {"ready": None, "last": None}
    status, response = sent(ana, "archive/")
    assert undeclared(ArchiveSerializer, response) == []
    assert (status, response["last"]["status"], response["last"]["total"]) == (202, "waiting", 1)


# Numbers and positions


def test_the_game_list_describes_the_options_of_an_open_game(db: None) -> None:
    response = get_json(None, "variants/")
    assert [error for variant in response for error in undeclared(VariantSerializer, variant)] == []
    assert {"backgammon", "acey-deucey", "damas"} <= {variant["key"] for variant in response}


def test_rating_pools_and_their_rankings_are_read(ana: User, bea: User) -> None:
    known = RatingPool.objects.create(variant="backgammon", pace="live", matches=1)
    for user, rating in ((ana, 1490.5), (bea, 1509.5)):
        facts = {"rating": rating, "peak": 1509.5, "peak_at": now(), "last_at": now(), "matches": 1}
        Rating.objects.create(pool=known, user=user, **facts)
    [pool] = get_json(None, "ratings/")
    assert undeclared(PoolSerializer, pool) == []
    assert (pool["variant"], pool["players"], pool["leader"]) == ("backgammon", 2, "bea")
    first = get_json(None, "ratings/backgammon/live/", size=1)
    rest = get_json(None, "ratings/backgammon/live/", size=1, cursor=first["next"])
    rows = first["results"] + rest["results"]
    assert [(row["rank"], row["player"]["name"]) for row in rows] == [(1, "bea"), (2, "ana")]
    assert refused(None, "ratings/chess/live/") == (404, "not_found")


def test_the_dice_of_the_site_and_of_a_match_are_counted(ana: User, bea: User) -> None:
    match = over("m10.mat", ana, bea)
    assert undeclared(SiteDiceSerializer, get_json(None, "statistics/dice/")) == []
    response = get_json(None, f"matches/{match.pk}/numbers/")
    assert undeclared(MatchDiceSerializer, response) == []
    assert response["both"]["rolls"] == response["white"]["rolls"] + response["black"]["rolls"] > 0


def test_a_position_lists_its_plays_and_explains_an_illegal_one(db: None) -> None:
    response = get_json(None, "positions/", id=OPENING)
    assert undeclared(PositionDetailsSerializer, response) == []
    assert "8/5 6/5" in response["plays"]
    assert get_json(None, "positions/", id=response["gnubg"])["position"]["board"] == response["position"]["board"]
    assert get_json(None, "positions/why/", id=OPENING, attempt="8/5")["code"] is None
    assert get_json(None, "positions/why/", id=OPENING, attempt="13/8")["code"] == "no_such_number"
    assert refused(None, "positions/", id="nothing") == (409, "position_id")
    assert refused(None, "positions/") == (400, "invalid")
