"""What the directors of a club make over the API: prizes, seasons, templates, recurring events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Club, Membership, User
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, of, queries, refused, sent
from tournaments.api.prizes import PurseBody, PurseSheetSerializer
from tournaments.api.recurring_events import RecurringEventBody, RecurringEventSerializer
from tournaments.api.seasons import SeasonSerializer, SeasonSettingsBody
from tournaments.api.templates import TemplateBody, TemplateRowSerializer, TemplateSerializer
from tournaments.forms.clubs import RecurrenceForm
from tournaments.forms.prizes import PurseForm
from tournaments.forms.seasons import SeasonForm
from tournaments.models import EventTemplate, RecurringEvent, Season, Tournament
from tournaments.prizes import Purse

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]


@pytest.fixture
def club(dora: User) -> Club:
    """A club of Madrid that dora owns."""
    made = Club.objects.create(name="Peña", slug="pena", timezone="Europe/Madrid")
    Membership.objects.create(club=made, user=dora, role="owner")
    return made


# Prizes


def test_saving_prizes_keeps_the_fields_not_sent(tournament: Make, dora: User, ana: User) -> None:
    path = f"tournaments/{tournament(walk_ins=4).pk}/desk/prizes/"
    pool = {"name": "Last man", "stake": 500, "entrants": [1, 3]}
    settings = {"fee": 1050, "currency": "€", "shares": [50, 30], "shown": True, "pools": [pool]}
    status, response = sent(dora, path, "patch", **settings)
    assert (status, response) == (200, {**settings, "added": 0, "weight": 100})
    assert undeclared(PurseSheetSerializer, response) == []
    assert sent(dora, path, "patch", added=200) == (200, {**response, "added": 200})
    assert get_json(dora, path) == {**response, "added": 200}
    assert refused(ana, path) == (403, "not_director")
    assert sent(ana, path, "patch", added=300)[0] == 403


def test_impossible_prizes_are_refused(tournament: Make, dora: User) -> None:
    path = f"tournaments/{tournament(walk_ins=4).pk}/desk/prizes/"
    strange = {"name": "Last man", "stake": 500, "entrants": [9]}
    status, response = sent(dora, path, "patch", pools=[strange])
    assert (status, response["code"], list(response["fields"])) == (409, "unfit", ["pools.0.entrants"])
    assert sent(dora, path, "patch", shares=[60, 60])[1]["code"] == "purse"
    assert sent(dora, path, "patch", fee="10")[1]["fields"].keys() == {"fee"}
    late = of(dora).patch(
        f"/api/v1/{path}", {"fee": 1}, content_type="application/json", headers={"If-Match": '"seen long ago"'}
    )
    assert late.status_code == 412
    assert get_json(dora, path)["fee"] == 0


# Seasons


def test_a_season_is_created_changed_and_deleted(club: Club, dora: User, ana: User) -> None:
    settings: dict[str, Any] = {"name": "Autumn", "first": "2031-09-01", "last": "2031-12-31"}
    status, made = sent(dora, "seasons/", club="pena", points=[10, 7], variants=["backgammon"], **settings)
    assert (status, undeclared(SeasonSerializer, made)) == (201, [])
    assert {**made, **settings, "points": [10, 7], "best": 0, "variants": ["backgammon"]} == made
    path = f"seasons/{made['id']}/"
    assert sent(dora, path, "patch", best=4, rule="wins") == (200, {**made, "best": 4, "rule": "wins"})
    for user, status, code in ((ana, 403, "not_club_director"), (None, 401, "not_authenticated")):
        assert (sent(user, path, "patch", best=1)[0], sent(user, path, "patch", best=1)[1]["code"]) == (status, code)
        assert of(user).delete(f"/api/v1/{path}").status_code == status
    assert of(dora).delete(f"/api/v1/{path}").status_code == 204
    assert not Season.objects.exists()


def test_a_stale_change_or_deletion_of_a_season_is_refused(club: Club, dora: User) -> None:
    settings = {"club": "pena", "name": "Autumn", "first": "2031-09-01", "last": "2031-12-31"}
    path = f"seasons/{sent(dora, 'seasons/', **settings)[1]['id']}/"
    _late(dora, path, {"best": 4}, {"name": "Fall"})
    assert Season.objects.get().name == "Autumn"
    assert Season.objects.get().best == 4


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"club": "nothing"}, 404, "nothing_here"),
        ({"last": "2031-01-01"}, 409, "season_days"),
        ({"last": "9999-12-31"}, 409, "season_years"),
        ({"name": " "}, 400, "invalid"),
        ({"first": "tomorrow"}, 400, "invalid"),
        ({"points": ["10"]}, 400, "invalid"),
        ({"variants": ["chess"]}, 400, "invalid"),
    ],
)
def test_an_impossible_season_is_refused(
    club: Club, dora: User, changes: dict[str, Any], status: int, code: str
) -> None:
    usual = {"club": "pena", "name": "Autumn", "first": "2031-09-01", "last": "2031-12-31"}
    answer, response = sent(dora, "seasons/", **{**usual, **changes})
    assert (answer, response["code"]) == (status, code)
    assert not Season.objects.exists()


def _late(user: User, path: str, first: dict[str, Any], second: dict[str, Any]) -> None:
    """Two changes of what was seen at the same moment: the first is taken, the second is not, nor is a removal."""
    client, path = of(user), f"/api/v1/{path}"
    seen = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": seen}).status_code == 304
    facts: dict[str, Any] = {"content_type": "application/json", "headers": {"If-Match": seen}}
    accepted = client.patch(path, first, **facts)
    assert (accepted.status_code, accepted.headers["ETag"]) == (200, client.get(path).headers["ETag"])
    assert client.patch(path, second, **facts).status_code == 412
    assert client.delete(path, headers={"If-Match": seen}).status_code == 412
    assert client.patch(path, first, **{**facts, "headers": {"If-Match": accepted.headers["ETag"]}}).status_code == 200


# Templates and recurring events


def test_a_template_is_created_changed_and_deleted(club: Club, dora: User, ana: User) -> None:
    path = "clubs/pena/templates/"
    status, made = sent(
        dora, path, name="Weekly club tournament", blueprint="swiss", rounds=5, starts_itself=True, capacity=16
    )
    assert (status, undeclared(TemplateSerializer, made)) == (201, [])
    chosen = made["settings"]
    assert (chosen["format"], chosen["rounds"], chosen["starts_itself"], chosen["capacity"]) == ("swiss", 5, True, 16)
    template_path = f"{path}{made['id']}/"
    changed = {"id": made["id"], "settings": {**chosen, "name": "Friday", "lengths": [9]}}
    assert sent(dora, template_path, "patch", name="Friday", lengths=[9]) == (200, changed)
    assert get_json(dora, template_path) == changed
    [row] = get_json(dora, path)
    assert (row["name"], undeclared(TemplateRowSerializer, row)) == ("Friday", [])
    assert sent(dora, path, name="Friday")[1]["code"] == "template_name"
    assert sent(dora, path, name="Odd", rating_from=9, rating_to=1)[1]["fields"].keys() == {"rating_to"}
    for user, status in ((ana, 403), (None, 401)):
        assert refused(user, path)[0] == refused(user, template_path)[0] == status
        assert sent(user, path, name="Mine")[0] == sent(user, template_path, "patch", name="Mine")[0] == status
        assert of(user).delete(f"/api/v1/{template_path}").status_code == status
    assert refused(dora, f"{path}999/") == (404, "no_template")
    assert of(dora).delete(f"/api/v1/{template_path}").status_code == 204
    assert not EventTemplate.objects.exists()


def test_a_stale_change_or_deletion_of_a_template_is_refused(club: Club, dora: User) -> None:
    made = sent(dora, "clubs/pena/templates/", name="Weekly club tournament", blueprint="swiss")[1]
    _late(dora, f"clubs/pena/templates/{made['id']}/", {"lengths": [9]}, {"name": "Friday"})
    assert EventTemplate.objects.get().name == "Weekly club tournament"


def test_the_list_of_templates_takes_a_constant_number_of_queries(club: Club, dora: User) -> None:
    sent(dora, "clubs/pena/templates/", name="Before you delete your account")
    before = queries(dora, "clubs/pena/templates/")
    sent(dora, "clubs/pena/templates/", name="Second")
    assert queries(dora, "clubs/pena/templates/") == before


def test_a_tournament_is_saved_as_a_template_and_created_from_it(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(lengths=(9,), no_show_minutes=10)
    Membership.objects.update_or_create(club=made.club, user=dora, defaults={"role": "director"})
    path = f"tournaments/{made.pk}/desk/template/"
    assert sent(ana, path)[1]["code"] == "not_director"
    status, kept = sent(dora, path, name="Long event")
    assert (status, kept["settings"]["lengths"], kept["settings"]["no_show_minutes"]) == (201, [9], 10)
    status, opened = sent(dora, "tournaments/", name="Tonight", template=kept["id"])
    assert (status, opened["terms"]["lengths"], opened["club"]) == (201, [9], made.club.slug)


def test_a_recurring_event_is_created_from_a_template(club: Club, dora: User, ana: User) -> None:
    template = sent(dora, "clubs/pena/templates/", name="Weekly club tournament")[1]["id"]
    path = "clubs/pena/nights/"
    settings: dict[str, Any] = {
        "template": template,
        "name": "Thursday {number}",
        "kind": "monthly",
        "weekdays": [3],
        "nth": -1,
        "hour": "20:30",
        "opens_days": 3,
        "first": "2031-01-01",
        "until": "2031-03-31",
    }
    status, [event] = sent(dora, path, **settings)
    assert (status, undeclared(RecurringEventSerializer, event)) == (201, [])
    assert (event["hour"], event["opens_days"], event["template"]) == ("20:30", 3, "Weekly club tournament")
    assert event["ahead"] == ["2031-01-30", "2031-02-27", "2031-03-27"]
    assert get_json(dora, path) == [event]
    status, events = sent(dora, path, template=template)
    assert (status, len(events), RecurringEvent.objects.latest("pk").recurrence["weekdays"]) == (
        201,
        2,
        [club.today().weekday()],
    )
    assert sent(ana, path, template=template)[1]["code"] == "not_club_director"
    assert sent(None, path, template=template)[0] == 401


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"template": 999}, 404, "no_template"),
        ({"nth": 0}, 409, "unfit"),
        ({"weekdays": [1, 1]}, 409, "rhythm"),
        ({"first": "9999-12-31"}, 409, "rhythm"),
        ({"hour": "25:00"}, 400, "invalid"),
        ({"every": 99}, 400, "invalid"),
        ({"rhythm": "often"}, 400, "unknown_field"),
    ],
)
def test_an_impossible_recurring_event_is_refused(
    club: Club, dora: User, changes: dict[str, Any], status: int, code: str
) -> None:
    template = sent(dora, "clubs/pena/templates/", name="Weekly club tournament")[1]["id"]
    answer, response = sent(dora, "clubs/pena/nights/", **{"template": template, **changes})
    assert (answer, response["code"]) == (status, code), response
    assert not RecurringEvent.objects.exists()


# Bodies and forms


def test_the_bodies_have_the_fields_of_the_forms() -> None:
    assert set(SeasonSettingsBody().fields) == set(SeasonForm().fields)
    assert set(RecurringEventBody().fields) - {"template"} == set(RecurrenceForm().fields)
    of_form = {name for name in PurseForm(purse=Purse(), names={}).fields if not name.startswith("pool_")}
    assert set(PurseBody().fields) - {"pools"} == of_form
    assert TemplateBody().fields["name"].required
