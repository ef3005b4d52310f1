"""Venue mode over the API: by the same rules as its pages."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, of, refused, sent
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.venue.venue_site import played_at_venue, taken_out
from tournaments import services
from tournaments.api.venue import (
    VenueBroughtSerializer,
    VenueFileSerializer,
    VenueReturnSerializer,
    VenueSerializer,
)
from tournaments.models import Tournament
from tournaments.venue_file import MOST_BYTES

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def test_a_tournament_is_taken_out_played_and_brought_back_once(
    tournament: Make, dora: User, person: Callable[..., User]
) -> None:
    made = tournament(walk_ins=4, start=True, venue="board")
    path = f"tournaments/{made.pk}/desk/venue/"
    before = get_json(dora, path)
    assert undeclared(VenueSerializer, before) == []
    assert before == {
        "away": False,
        "copy": None,
        "by": "",
        "in_play": False,
        "can_return": False,
        "played": 0,
    }
    assert refused(dora, f"{path}file/") == (404, "nothing_here")
    status, answer = sent(dora, f"{path}take-out/")
    assert (status, answer["phase"]) == (200, "running")
    assert sent(dora, f"{path}take-out/")[1]["code"] == "at_venue"
    away = get_json(dora, path)
    assert (away["away"], away["copy"]["status"], away["by"], away["can_return"]) == (True, "out", "dora", True)
    file = get_json(dora, f"{path}file/")
    assert (undeclared(VenueFileSerializer, file), file["name"]) == ([], "torneo-semanal-del-club-venue.json")
    person("rosa")
    with played_at_venue(file["text"].encode(), director=dora):
        assert get_json(dora, path)["copy"]["here"] is True
        services.entrant_substitute(tournament_id=made.pk, user=dora, number=4, name="Rosa")
        key = ready(made)[0]
        winner = fresh(made).by_key[key].entrants[0]
        services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=winner, points=(3, 1))
        back = get_json(dora, f"{path}file/")
    assert back["name"] == "torneo-semanal-del-club-results.json"

    status, preview = sent(dora, f"{path}results/check/", text=back["text"])
    assert (status, undeclared(VenueReturnSerializer, preview)) == (200, [])
    assert (preview["is_new"], preview["results"], preview["others"]) == (True, ["1-1: W1 won 3–1."], 1)
    assert preview["newcomers"] == [{"key": "rosa", "number": 4, "name": "Rosa", "member": "rosa"}]
    assert (preview["overruled"], fresh(made).results) == ([], {})

    status, answer = sent(dora, f"{path}results/", text=back["text"], members=["rosa"])
    assert (status, undeclared(VenueBroughtSerializer, answer)) == (200, [])
    assert (answer["is_new"], answer["results"]) == (True, 1)
    assert (fresh(made).by_key[key].winner, made.entrants.get(number=4).name) == (winner, "rosa")
    events = made.events.count()
    assert sent(dora, f"{path}results/", text=back["text"]) == (200, {**answer, "is_new": False, "results": 0})
    assert sent(dora, f"{path}results/check/", text=back["text"])[1]["is_new"] is False
    assert made.events.count() == events


def test_a_copy_is_given_up_and_its_results_overrule_what_came_after(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True, venue="board")
    path = f"tournaments/{made.pk}/desk/venue/"
    enter = {"tournament_id": made.pk, "user": dora, "key": "main-1-1"}
    assert sent(dora, f"{path}give-up/")[1]["code"] == "venue_not_out"
    with played_at_venue(taken_out(made, dora), director=dora) as venue:
        services.result_enter(**enter, winner=1, points=(3, 0))
    assert sent(dora, f"{path}give-up/")[0] == 200
    assert get_json(dora, path)["copy"]["status"] == "given_up"
    services.result_enter(**enter, winner=2, points=(2, 3))
    (overruled,) = sent(dora, f"{path}results/check/", text=venue.results.decode())[1]["overruled"]
    assert (overruled["text"], overruled["venue"], overruled["by"]) == (
        "1-1: W2 won 3–2.",
        "1-1: W1 won 3–0.",
        "dora",
    )
    assert sent(dora, f"{path}results/", text=venue.results.decode())[0] == 200
    assert fresh(made).by_key["main-1-1"].winner == 1


def test_a_file_that_is_damaged_forged_or_another_is_refused_with_its_code(tournament: Make, dora: User) -> None:
    made, other = (tournament(walk_ins=2, start=True, venue="board") for _ in range(2))
    out = taken_out(made, dora)
    with played_at_venue(out, director=dora) as venue:
        pass
    file, path = venue.results.decode(), f"tournaments/{made.pk}/desk/venue/results/"
    for text, code in (
        ("nonsense", "venue_damaged"),
        (file[:-40], "venue_damaged"),
        (file.replace('"signature": "', '"signature": "0'), "venue_signature"),
        (file.replace('"version": 1', '"version": 2'), "venue_version"),
        (out.decode(), "venue_is_out"),
    ):
        for address in (path, f"{path}check/"):
            status, answer = sent(dora, address, text=text)
            assert (status, answer["code"]) == (409, code)
            assert answer["text"]
    status, answer = sent(dora, f"tournaments/{other.pk}/desk/venue/results/", text=file)
    assert (status, answer["code"]) == (409, "venue_other")
    for body in ({"text": "x" * (MOST_BYTES + 1)}, {}, {"text": 7}, {"text": file, "file": "x"}):
        assert sent(dora, path, **body)[0] == 400
    assert sent(dora, path, text="x" * 3 * MOST_BYTES)[0] == 413
    large = json.dumps({"text": "ñ" * (MOST_BYTES // 2 + 1)}, ensure_ascii=False)
    response = of(dora).post(f"/api/v1/{path}", large, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (409, "venue_large")
    assert fresh(made).venue_stay is not None


def test_only_directors_take_a_tournament_out_or_bring_it_back(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2, start=True, venue="board")
    path = f"tournaments/{made.pk}/desk/venue/"
    services.official_appoint(tournament_id=made.pk, user=dora, official=ana, role="referee")
    for address in ("take-out/", "give-up/"):
        assert sent(ana, path + address)[1]["code"] == "not_director"
    for address in ("results/", "results/check/"):
        assert sent(ana, path + address, text="x")[1]["code"] == "not_director"
    for address in ("", "file/"):
        assert refused(ana, path + address) == (403, "not_director")
        assert refused(None, path + address) == (401, "not_authenticated")
    assert fresh(made).venue_stay is None


def test_the_owner_of_the_venue_s_site_brings_a_tournament_there(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=2, start=True, venue="board")
    file = taken_out(made, dora).decode()
    assert sent(dora, "tournaments/bring-here/", text=file)[1]["code"] == "not_club_owner"
    Membership.objects.update_or_create(club=default_club_ensure(), user=dora, defaults={"role": "owner"})
    assert sent(dora, "tournaments/bring-here/", text=file)[1]["code"] == "venue_own_site"
    Tournament.objects.all().delete()
    status, answer = sent(dora, "tournaments/bring-here/", text=file)
    assert (status, answer) == (201, {"id": made.pk, "name": made.name})
    assert sent(dora, "tournaments/bring-here/", text=file)[1]["code"] == "venue_here"
    assert of(dora).get(f"/api/v1/tournaments/{made.pk}/desk/").json()["role"] == "director"
