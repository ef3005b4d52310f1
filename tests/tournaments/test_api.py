"""Tournaments over the API: to look at, to enter, to direct."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from accounts.models import User
from games.database import now
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, queries, refused, sent
from tests.tournaments.conftest import fresh, ready
from tournaments.api.desk import DeskSerializer, LogEntrySerializer
from tournaments.api.seasons import MasterRowSerializer, SeasonTableSerializer
from tournaments.api.serializers import (
    EntrantSerializer,
    PairingSerializer,
    TournamentRowSerializer,
    TournamentSerializer,
    TournamentStandingSerializer,
)
from tournaments.models import Season, Tournament

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]


def rows(user: User | None, path: str, **query: Any) -> list[Any]:
    found: list[Any] = get_json(user, path, **query)["results"]
    return found


def faults(shape: Any, bodies: list[Any]) -> list[str]:
    return [fault for body in bodies for fault in undeclared(shape, body)]


def test_a_tournament_is_serialized_with_its_entrants_and_pairings(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    path = f"tournaments/{made.pk}/"
    [listed] = rows(None, "tournaments/")
    detail = get_json(dora, path)
    assert faults(TournamentRowSerializer, [listed]) + undeclared(TournamentSerializer, detail) == []
    assert (listed["players"], detail["directs"], get_json(None, path)["directs"]) == (4, True, False)
    entrants, pairings = rows(None, f"{path}entrants/"), rows(None, f"{path}pairings/")
    assert faults(EntrantSerializer, entrants) + faults(PairingSerializer, pairings) == []
    assert [entrant["name"] for entrant in entrants] == ["W1", "W2", "W3", "W4"]
    assert [pairing["key"] for pairing in pairings if pairing["open"]] == ready(made)
    final = get_json(None, f"{path}pairings/main-2-1/")
    assert final["a"] == {"entrant": None, "name": "", "comes_from": "winner main-1-1"}
    assert refused(None, f"{path}pairings/main-9-9/") == (404, "nothing_here")
    assert refused(None, "tournaments/nothing/") == (404, "no_tournament")


def test_pairings_are_filtered_and_paginated(tournament: Make) -> None:
    made = tournament(walk_ins=5, start=True, format_="round-robin")
    path = f"tournaments/{made.pk}/pairings/"
    all_of_them = rows(None, path, size=200)
    first = get_json(None, path, size=3)
    rest = get_json(None, path, size=200, cursor=first["next"])
    assert [pairing["key"] for pairing in first["results"] + rest["results"]] == [
        pairing["key"] for pairing in all_of_them
    ]
    assert {pairing["round"] for pairing in rows(None, path, round=2)} == {2}
    assert all(1 in (pairing["a"]["entrant"], pairing["b"]["entrant"]) for pairing in rows(None, path, entrant=1))
    assert faults(TournamentStandingSerializer, rows(None, f"tournaments/{made.pk}/standings/")) == []


def test_lists_take_a_constant_number_of_queries(tournament: Make, dora: User) -> None:
    small = tournament(walk_ins=4, start=True)
    before = queries(dora, "tournaments/")
    large = tournament(walk_ins=12, start=True)
    tournament(walk_ins=2)
    assert queries(dora, "tournaments/") == before
    for path in ("", "entrants/", "pairings/", "standings/"):
        assert queries(None, f"tournaments/{large.pk}/{path}") == queries(None, f"tournaments/{small.pk}/{path}"), path


def test_a_player_enters_checks_in_and_withdraws(tournament: Make, ana: User) -> None:
    made = tournament(check_in=True)
    path = f"tournaments/{made.pk}/"
    assert sent(None, f"{path}enter/")[0] == 401
    assert sent(ana, f"{path}withdraw/")[1]["code"] == "not_entered"
    entry = {"number": 1, "waiting": False, "checked_in": False, "withdrawn": False}
    assert sent(ana, f"{path}enter/") == (200, entry)
    assert sent(ana, f"{path}check-in/") == (200, {**entry, "checked_in": True})
    assert get_json(ana, path)["mine"]["number"] == 1
    assert sent(ana, f"{path}withdraw/")[1]["withdrawn"] is True


def test_a_guest_cannot_enter(tournament: Make, person: Callable[..., User]) -> None:
    status, response = sent(person("guest-1", is_guest=True), f"tournaments/{tournament().pk}/enter/")
    assert (status, response["code"]) == (403, "members_only")


def test_a_result_is_reported_and_confirmed(tournament: Make, ana: User, bea: User) -> None:
    made = tournament(venue="board")
    for user in (ana, bea):
        sent(user, f"tournaments/{made.pk}/enter/")
    dora = made.created_by
    assert sent(dora, f"tournaments/{made.pk}/desk/start/")[1]["phase"] == "running"
    [key] = ready(made)
    score: dict[str, Any] = {"key": key, "winner": 1, "won": 3, "lost": 1}
    assert sent(ana, f"tournaments/{made.pk}/report/", **score)[0] == 200
    assert sent(ana, f"tournaments/{made.pk}/confirm/", key=key)[1]["code"] == "own_report"
    assert sent(bea, f"tournaments/{made.pk}/confirm/", key=key)[1]["phase"] == "over"
    [pairing] = rows(None, f"tournaments/{made.pk}/pairings/")
    assert (pairing["winner"], sorted(pairing["points"]), pairing["how"]) == (1, [1, 3], "played")


def test_a_director_enters_corrects_and_undoes_a_result(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    desk = f"tournaments/{made.pk}/desk/"
    first, second = ready(made)
    winner, loser = fresh(made).by_key[first].entrants
    assert sent(dora, f"{desk}result/", key=first, winner=winner, won=3, lost=0)[0] == 200
    walkover_winner = fresh(made).by_key[second].entrants[0]
    assert sent(dora, f"{desk}result/", key=second, how="walkover", winner=walkover_winner)[0] == 200
    final = fresh(made).by_key["main-2-1"]
    assert sent(dora, f"{desk}result/", key="main-2-1", winner=final.entrants[0], won=3, lost=2)[1]["phase"] == "over"
    change: dict[str, Any] = {"key": first, "winner": loser, "won": 3, "lost": 1, "why": "the sheet was read wrong"}
    status, response = sent(dora, f"{desk}correct/", **change)
    assert (status, response["code"], response["affected"]) == (409, "affected", [{"key": "main-2-1"}])
    assert fresh(made).by_key[first].winner == winner
    assert sent(dora, f"{desk}correct/", **change, agreed=["main-2-1"])[0] == 200
    assert fresh(made).by_key[first].winner == loser
    log = rows(dora, f"{desk}log/")
    assert faults(LogEntrySerializer, log) + undeclared(DeskSerializer, get_json(dora, desk)) == []
    act = next(line["act"] for line in log if line["can"] == "undo")
    assert sent(dora, f"{desk}undo/", act=act)[0] == 200
    assert fresh(made).by_key[first].winner == winner


ACTS: dict[str, dict[str, Any]] = {
    "draw/": {},
    "start/": {},
    "cancel/": {},
    "pair/": {},
    "rounds/open/": {"section": "main", "round": 1},
    "rounds/time/": {"at": None},
    "recess/": {},
    "recess/end/": {},
    "pause/": {"keys": ["main-1-1"]},
    "resume/": {"keys": ["main-1-1"]},
    "result/": {"key": "main-1-1", "winner": 1, "won": 3, "lost": 0},
    "correct/": {"key": "main-1-1", "winner": 1, "won": 3, "lost": 0, "why": "so"},
    "undo/": {"act": 1},
    "redo/": {"act": 1},
    "penalty/": {"key": "main-1-1", "number": 1, "points": 1},
    "settle/": {"what": "no_show"},
    "announce/": {"text": "Lunch"},
    "password/": {"password": "sesame"},
    "invitation/": {},
    "directors/add/": {"player": "ana"},
    "directors/remove/": {"player": "dora"},
    "officials/appoint/": {"player": "ana", "role": "referee"},
    "officials/dismiss/": {"player": "dora"},
    "entrants/add/": {"name": "W9"},
    "entrants/late/": {"name": "W9"},
    "entrants/substitute/": {"number": 1, "name": "W9"},
    "entrants/withdraw/": {"number": 2},
    "entrants/reinstate/": {"number": 1},
    "entrants/admit/": {"number": 1},
    "entrants/check-in/": {"number": 1},
    "entrants/paid/": {"number": 1},
    "entrants/link/": {"number": 1, "player": "ana"},
    "entrants/fill/": {"level": 2},
    "entrants/seeds/": {"seeds": [{"number": 1, "rank": 1}]},
    "wishes/": {"together": [[1, 2]], "apart": []},
}


NOT_DIRECTORS = {"": "not_official", "log/": "not_official", "result/": "not_official", "undo/": "not_official"}
NOT_DIRECTORS |= {"penalty/": "not_referee"}
"""What those without a role are told where more than directors may act."""


def test_only_officials_can_use_the_desk(tournament: Make, ana: User) -> None:
    made = tournament(walk_ins=4)
    before = made.version
    for act, body in ACTS.items():
        status, response = sent(ana, f"tournaments/{made.pk}/desk/{act}", **body)
        assert (status, response["code"]) == (403, NOT_DIRECTORS.get(act, "not_director")), act
    for act in ("", "log/", "officials/"):
        code = NOT_DIRECTORS.get(act, "not_director")
        assert refused(ana, f"tournaments/{made.pk}/desk/{act}") == (403, code)
    made.refresh_from_db()
    assert made.version == before


def test_every_desk_action_answers_as_documented(tournament: Make, dora: User) -> None:
    for act, body in ACTS.items():
        made = tournament(walk_ins=4)
        status, response = sent(dora, f"tournaments/{made.pk}/desk/{act}", **body)
        good = set(response) == ({"invitation"} if act == "invitation/" else {"version", "phase"})
        assert good if status == 200 else (status in (404, 409) and response["code"] != ""), (act, status, response)


def test_the_loser_of_a_walkover_is_present_if_the_body_says_so(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, config={"consolation": "simple"})
    path = f"tournaments/{made.pk}/desk/result/"
    sent(dora, path, key="main-1-1", how="walkover", winner=1)
    sent(dora, path, key="main-1-2", how="walkover", winner=2, loser_present=True)
    consolation = get_json(None, f"tournaments/{made.pk}/pairings/consolation-1-1/")
    assert (consolation["a"]["entrant"], consolation["b"]["entrant"], consolation["state"]) == (None, 3, "bye")


def test_the_name_of_a_member_is_confirmed(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=1)
    path = f"tournaments/{made.pk}/desk/entrants/add/"
    status, response = sent(dora, path, name="ANA")
    assert (status, response["code"]) == (409, "is_member")
    assert sent(dora, path, name="Paco", walk_in=False)[1]["code"] == "no_such_player"
    for walk_in in (True, False):
        assert sent(dora, path, name="ANA", walk_in=walk_in)[0] == 200
    entrants = [
        (entrant["name"], entrant["player"] and entrant["player"]["name"])
        for entrant in rows(None, f"tournaments/{made.pk}/entrants/")
    ]
    assert entrants == [("W1", None), ("ANA (2)", None), ("ana", "ana")]


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("result/", {"key": "main-1-1", "winner": "ana", "won": 3, "lost": 0}),
        ("entrants/seeds/", {"seeds": [{"number": 1}]}),
        ("pause/", {"keys": []}),
        ("wishes/", {"together": [[1]], "apart": []}),
        ("announce/", {"text": ""}),
        ("announce/", {}),
    ],
)
def test_an_invalid_body_is_refused_with_its_fields(
    tournament: Make, dora: User, act: str, body: dict[str, Any]
) -> None:
    status, response = sent(dora, f"tournaments/{tournament(walk_ins=4).pk}/desk/{act}", **body)
    assert (status, response["code"]) == (400, "invalid")
    assert response["fields"]


def test_shown_prizes_can_be_read(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4)
    assert refused(None, f"tournaments/{made.pk}/prizes/") == (404, "no_tournament")
    assert get_json(dora, f"tournaments/{made.pk}/prizes/")["books"]["players"] == 4


def test_seasons_and_master_points_are_read(tournament: Make, dora: User) -> None:
    club = tournament().club
    days = {"first": date(2026, 1, 1), "last": date(2026, 12, 31)}
    season = Season.objects.create(club=club, name="2026", made_at=now(), **days)
    assert [season_row["name"] for season_row in rows(None, "seasons/", club=club.slug)] == ["2026"]
    assert undeclared(SeasonTableSerializer, get_json(None, f"seasons/{season.pk}/")) == []
    assert refused(None, "seasons/999999/")[0] == 404
    assert faults(MasterRowSerializer, rows(None, f"clubs/{club.slug}/master-points/")) == []
    assert refused(None, "clubs/nothing/master-points/")[0] == 404
    assert refused(dora, f"clubs/{club.slug}/nights/") == (403, "not_club_director")
