"""Setting up ladders over the API and changing their rules; and one's vacation from matches by correspondence."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from accounts.models import Club, Membership, User
from games.api.vacation import VacationSerializer
from games.database import now
from games.models import Vacation
from ladders.api.serializers import LadderSerializer
from ladders.api.settings import LadderBody, LadderFacts, LadderSettingsSerializer
from ladders.forms import LadderForm
from ladders.models import Ladder
from ladders.rules import FIELDS, KINDS
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, of, refused, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(dora: User) -> Club:
    """The club of the site, which dora directs."""
    club = Club.objects.get(is_default=True)
    Membership.objects.update_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    return club


def test_a_ladder_is_set_up_as_it_was_said(club: Club, dora: User) -> None:
    posted: dict[str, Any] = {
        "name": "Hill of the port",
        "kind": "challenge",
        "length": 7,
        "clock": "club",
        "rated": False,
        "options": {"cube": False},
        "rules": {"range": 2, "rule": "swap", "freeze_days": 0},
        "season_name": "Winter",
        "season_ends_at": (now() + timedelta(days=30)).isoformat(),
    }
    status, response = sent(dora, "ladders/", **posted)
    assert status == 201, response
    assert undeclared(LadderSerializer, response) == []
    assert (response["name"], response["club"], response["directs"]) == ("Hill of the port", club.slug, True)
    chosen = get_json(dora, f"ladders/{response['id']}/settings/")
    plain = ("name", "kind", "length", "clock", "rated", "season_name")
    assert {name: chosen[name] for name in plain} == {name: posted[name] for name in plain}
    assert chosen["rules"] == {**chosen["rules"], **posted["rules"]}
    assert (chosen["options"]["cube"], chosen["season_ends_at"] is None) == (False, False)


def test_what_is_told_can_be_said_again_and_changes_nothing(club: Club, dora: User) -> None:
    for kind in KINDS:
        made = sent(dora, "ladders/", name=kind, kind=kind)[1]["id"]
        chosen = get_json(dora, f"ladders/{made}/settings/")
        values = {name: value for name, value in chosen.items() if name != "kind"}
        assert sent(dora, f"ladders/{made}/settings/", "patch", **values) == (200, chosen)
        assert set(chosen["rules"]) == set(FIELDS[kind])


def test_a_change_leaves_the_rest_as_it_was(club: Club, dora: User) -> None:
    ends_at = (now() + timedelta(days=30)).isoformat()
    made = sent(dora, "ladders/", name="Hill", kind="hill", season_ends_at=ends_at)[1]["id"]
    path = f"ladders/{made}/settings/"
    before = get_json(dora, path)
    status, response = sent(dora, path, "patch", name="Mountain", rules={"play_days": 9})
    expected = {**before, "name": "Mountain", "rules": {**before["rules"], "play_days": 9}}
    assert (status, response) == (200, expected)
    client = of(dora)
    tag = client.get(f"/api/v1/{path}").headers["ETag"]
    sent(dora, path, "patch", name="Peak")
    late = client.patch(f"/api/v1/{path}", {"name": "Late"}, content_type="application/json", headers={"If-Match": tag})
    assert (late.status_code, Ladder.objects.get(pk=made).name) == (412, "Peak")


@pytest.mark.parametrize(
    ("posted", "status", "code", "fields"),
    [
        ({"kind": "tower"}, 400, "invalid", ["kind"]),
        ({"length": 0}, 400, "invalid", ["length"]),
        ({"rules": {"range": "two"}}, 400, "invalid", ["rules.range"]),
        ({"rules": {"best_of": 3}}, 409, "unfit", ["rules.best_of"]),
        ({"options": {"beards": True}}, 409, "unfit", ["options.beards"]),
        ({"variant": "damas", "clock": "club"}, 409, "unfit", ["clock"]),
        ({"season_ends_at": "2001-01-01T00:00:00Z"}, 409, "ladder_season_end", []),
        ({"season_ends_at": "9999-12-31T23:59:59Z"}, 409, "ladder_season_end", []),
        ({"club": "nothing"}, 404, "no_club", []),
    ],
)
def test_a_ladder_that_cannot_be_is_refused(
    club: Club, dora: User, posted: dict[str, Any], status: int, code: str, fields: list[str]
) -> None:
    answer, response = sent(dora, "ladders/", **{"name": "Hill", "kind": "challenge", **posted})
    assert (answer, response["code"], list(response.get("fields", []))) == (status, code, fields)
    assert not Ladder.objects.filter(name="Hill").exists()


def test_nobody_else_sets_up_or_changes_a_ladder(club: Club, dora: User, ana: User) -> None:
    made = sent(dora, "ladders/", name="Hill", kind="hill")[1]["id"]
    for user, status, code in ((ana, 403, "ladder_not_director"), (None, 401, "not_authenticated")):
        assert refused(user, f"ladders/{made}/settings/") == (status, code)
        for answer in (
            sent(user, "ladders/", name="Mine", kind="hill"),
            sent(user, "ladders/", name="Mine", kind="hill", club=club.slug),
            sent(user, f"ladders/{made}/settings/", "patch", name="Mine"),
        ):
            assert (answer[0], answer[1]["code"]) == (status, code)
    assert not Ladder.objects.filter(name="Mine").exists()


def test_the_body_has_the_fields_of_the_form(club: Club) -> None:
    for kind in KINDS:
        form = LadderForm(clubs=[club], answers={"kind": kind})
        plain = {name for name in form.fields if not name.startswith("option_") and name not in FIELDS[kind]}
        assert plain - {"season_ends_on"} | {"rules", "options", "season_ends_at"} == set(LadderBody().fields)
        for name in FIELDS[kind]:
            field, of_form = LadderFacts().fields["rules"].fields[name], form.fields[name]
            if hasattr(of_form, "choices"):
                assert list(field.choices) == [key for key, _name in of_form.choices]
            else:
                assert (field.min_value, field.max_value) == (of_form.min_value, of_form.max_value)
    assert undeclared(LadderSettingsSerializer, {}) != []


# Vacation


def test_one_goes_away_and_comes_back(ana: User) -> None:
    here = {"away_until": None, "days_left": settings.VACATION_DAYS}
    assert get_json(ana, "me/vacation/") == here
    status, away = sent(ana, "me/vacation/", "put", days=3)
    assert (status, undeclared(VacationSerializer, away)) == (200, [])
    assert (away["days_left"], away["away_until"] is None) == (settings.VACATION_DAYS - 3, False)
    assert sent(ana, "me/vacation/", "put", days=1)[1]["code"] == "vacation_on"
    assert of(ana).delete("/api/v1/me/vacation/").status_code == 204
    assert get_json(ana, "me/vacation/")["away_until"] is None


def test_a_vacation_is_for_members_and_has_an_end(ana: User, person: Any) -> None:
    status, response = sent(ana, "me/vacation/", "put", days=366)
    assert (status, response["code"]) == (409, "vacation_days")
    assert sent(ana, "me/vacation/", "put", days=0)[1]["fields"].keys() == {"days"}
    assert sent(None, "me/vacation/", "put", days=1)[0] == 401
    assert sent(person("guest-1", is_guest=True), "me/vacation/", "put", days=1)[1]["code"] == "members_only"
    assert not Vacation.objects.exists()
