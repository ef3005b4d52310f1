"""Making tournaments over the API, and changing what was chosen: by the rules of the form, and no others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.clubs.services import default_club_ensure
from accounts.models import Club, User
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, of, refused, sent
from tournaments.api.serializers import TournamentSerializer
from tournaments.api.settings import SettingsSerializer, TemplateSettingsBody, TournamentSettingsBody, _body_field
from tournaments.forms.settings import TournamentForm
from tournaments.forms.settings_answers import answers_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]
SETTINGS = {
    "name": "Weekly club tournament",
    "about": "At the bar",
    "timezone": "Atlantic/Canary",
    "starts_at": "2031-06-05T20:00:00+02:00",
    "starts_itself": True,
    "capacity": 16,
    "variant": "backgammon",
    "format": "groups",
    "groups": 2,
    "advance": 1,
    "lengths": [3, 5],
    "tie_breaks": ["wins", "points"],
    "options": {"cube": False},
    "late_from": 2,
    "late_hours": 48,
    "entry": "invited",
    "rating_from": 1400,
    "rating_to": 1800,
}


def test_a_tournament_is_created_with_the_settings_sent(ana: User) -> None:
    status, response = sent(ana, "tournaments/", **SETTINGS)
    assert (status, response.get("code")) == (201, None), response
    assert undeclared(TournamentSerializer, response) == []
    assert (response["name"], response["phase"], response["directs"]) == ("Weekly club tournament", "open", True)
    chosen = get_json(ana, f"tournaments/{response['id']}/desk/settings/")
    assert undeclared(SettingsSerializer, chosen) == []
    assert {name: chosen[name] for name in SETTINGS if name not in ("options", "starts_at")} == {
        name: value for name, value in SETTINGS.items() if name not in ("options", "starts_at")
    }
    assert chosen["options"]["cube"] is False
    assert datetime.fromisoformat(chosen["starts_at"]) == datetime(2031, 6, 5, 18, tzinfo=UTC)
    assert (chosen["consolation"], chosen["round_minutes"], chosen["byes"]) == (None, None, "top")


def test_sending_the_same_settings_again_changes_nothing(tournament: Make, dora: User) -> None:
    for format_ in ("knockout", "swiss", "losses", "league"):
        path = f"tournaments/{tournament(format_=format_, config={'rounds': 4}).pk}/desk/settings/"
        chosen = get_json(dora, path)
        assert sent(dora, path, "patch", **chosen) == (200, chosen), format_


def test_a_tournament_starts_from_a_preset_or_from_another_tournament(tournament: Make, ana: User) -> None:
    _status, swiss = sent(ana, "tournaments/", name="Swiss", blueprint="swiss", lengths=[7])
    assert (swiss["terms"]["format"], swiss["terms"]["lengths"], swiss["terms"]["pace"]) == ("swiss", [7], "hand")
    other = tournament(format_="league", lengths=(9,), no_show_minutes=10)
    _status, copied = sent(ana, "tournaments/", name="Again", like=other.pk)
    chosen = get_json(other.created_by, f"tournaments/{other.pk}/desk/settings/")
    assert get_json(ana, f"tournaments/{copied['id']}/desk/settings/") == {**chosen, "name": "Again"}
    status, response = sent(ana, "tournaments/", name="Both", like=other.pk, blueprint="swiss")
    assert (status, response["code"], list(response["fields"])) == (409, "unfit", ["like"])


@pytest.mark.parametrize(
    ("body", "status", "code", "fields"),
    [
        ({}, 400, "invalid", ["name"]),
        ({"name": "T", "capacity": "7"}, 400, "invalid", ["capacity"]),
        ({"name": "T", "format": "ladder"}, 400, "invalid", ["format"]),
        ({"name": "T", "levels": 3}, 400, "unknown_field", ["levels"]),
        ({"name": "T", "rating_from": 1800, "rating_to": 1400}, 409, "unfit", ["rating_to"]),
        ({"name": "T", "starts_itself": True}, 409, "unfit", ["starts_at"]),
        ({"name": "T", "timezone": "Europe/Nowhere"}, 409, "unfit", ["timezone"]),
        ({"name": "T", "options": {"beards": True}}, 409, "unfit", ["options.beards"]),
        ({"name": "T", "options": {"cube": "yes"}}, 409, "unfit", ["options.cube"]),
        ({"name": "T", "variant": "damas", "clock": "club"}, 409, "unfit", ["clock"]),
        ({"name": "T", "format": "swiss", "tie_breaks": ["wins", "wins"]}, 409, "unfit", ["tie_breaks"]),
        ({"name": "T", "format": "swiss", "tie_breaks": ["wins", "luck"]}, 400, "invalid", ["tie_breaks.1"]),
        ({"name": "T", "format": "league", "tie_breaks": ["median"]}, 409, "tie_breaks_all_meet", None),
        ({"name": "T", "template": 7}, 404, "no_template", None),
        ({"name": "T", "like": "nothing"}, 404, "no_tournament", None),
        ({"name": "T", "club": "nothing"}, 404, "no_club", None),
        ({"name": "T", "starts_at": "0001-01-02T00:00:00Z"}, 409, "unfit", ["starts_at"]),
    ],
)
def test_an_invalid_setting_is_reported_at_its_field(
    ana: User, body: dict[str, Any], status: int, code: str | None, fields: list[str] | None
) -> None:
    answer, response = sent(ana, "tournaments/", **body)
    assert answer == status, response
    assert code in (None, response["code"])
    assert fields in (None, list(response.get("fields", [])))
    assert not Tournament.objects.exists()


def test_a_change_keeps_the_fields_not_sent(tournament: Make, dora: User) -> None:
    made = tournament(
        format_="swiss", rounds=4, starts_at=datetime(2031, 1, 1, 20, 0, 30, tzinfo=UTC), no_show_minutes=10
    )
    path = f"tournaments/{made.pk}/desk/settings/"
    before = get_json(dora, path)
    status, response = sent(dora, path, "patch", name="Friday", rounds=5, timezone="Asia/Tokyo")
    assert (status, response) == (200, {**before, "name": "Friday", "rounds": 5, "timezone": "Asia/Tokyo"})
    status, response = sent(dora, path, "patch", variant="damas")
    assert (status, response["variant"], response["rounds"]) == (200, "damas", 5)
    assert response["clock"] != before["clock"]


def test_the_order_of_the_tie_breaks_is_the_usual_one_until_it_is_chosen(tournament: Make, dora: User) -> None:
    path = f"tournaments/{tournament(format_='swiss', config={'rounds': 4}).pk}/desk/settings/"
    usual = ["wins", "direct", "sonneborn-berger", "points"]
    assert get_json(dora, path)["tie_breaks"][1] == "buchholz-cut"
    assert sent(dora, path, "patch", format="league")[1]["tie_breaks"] == usual
    assert sent(dora, path, "patch", tie_breaks=["points", "wins"])[1]["tie_breaks"] == ["points", "wins"]
    assert sent(dora, path, "patch", format="round-robin")[1]["tie_breaks"] == ["points", "wins"]
    assert sent(dora, path, "patch", tie_breaks=[])[1]["tie_breaks"] == usual


def test_a_tournament_has_the_time_zone_of_its_club(ana: User) -> None:
    club = default_club_ensure()
    Club.objects.filter(pk=club.pk).update(timezone="America/Bogota")
    for body, zone in (({}, "America/Bogota"), ({"timezone": "Asia/Tokyo"}, "Asia/Tokyo")):
        _status, response = sent(ana, "tournaments/", name="Cup", **body)
        assert response["timezone"] == zone


def test_a_stale_change_is_refused(tournament: Make, dora: User) -> None:
    path = f"/api/v1/tournaments/{tournament().pk}/desk/settings/"
    client = of(dora)
    tag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    request: dict[str, Any] = {"content_type": "application/json", "headers": {"If-Match": tag}}
    assert client.patch(path, {"name": "Before you delete your account"}, **request).status_code == 200
    late = client.patch(path, {"name": "Second"}, **request)
    assert (late.status_code, late.json()["code"]) == (412, "changed_since")
    assert client.get(path).json()["name"] == "Before you delete your account"


def test_settings_cannot_be_changed_after_the_draw(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    status, response = sent(dora, f"tournaments/{made.pk}/desk/settings/", "patch", name="Late")
    assert (status, response["code"]) == (409, "already_drawn")


def test_only_directors_read_and_change_the_settings(tournament: Make, ana: User, person: Callable[..., User]) -> None:
    path = f"tournaments/{tournament().pk}/desk/settings/"
    assert refused(ana, path) == (403, "not_director")
    assert sent(ana, path, "patch", name="Mine")[1]["code"] == "not_director"
    assert sent(None, "tournaments/", **SETTINGS)[0] == 401
    guest = person("guest-1", is_guest=True)
    assert sent(guest, "tournaments/", **SETTINGS)[1]["code"] == "members_only"


def test_only_directors_create_tournaments_if_the_club_says_so(tournament: Make, ana: User) -> None:
    club = tournament().club
    club.makers = "directors"
    club.save()
    status, response = sent(ana, "tournaments/", **SETTINGS)
    assert (status, response["code"]) == (403, "not_club_director")


def test_the_body_has_the_fields_of_the_form() -> None:
    form = TournamentForm()
    assert {_body_field(name) for name in form.fields if not name.startswith("option_")} | {"options"} == set(
        TournamentSettingsBody().fields
    )
    assert set(TournamentSettingsBody().fields) - set(TemplateSettingsBody().fields) == {"starts_at", "timezone"}
    for name, field in TournamentSettingsBody().fields.items():
        of_form = form.fields.get(name)
        if hasattr(field, "choices") and name not in ("variant", "clock", "late_clock"):
            assert list(field.choices) == [str(key) for key, _name in of_form.choices], name


def test_all_answers_of_a_tournament_are_serialized(tournament: Make) -> None:
    known = set(answers_of(tournament(format_="league"))) - {"clocks", "hours"}
    assert known <= set(SettingsSerializer().fields)
