"""Making tournaments over the API, and changing what was chosen: by the rules of the form, and no others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.models import User
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import asked, of, refused, sent
from tournaments.api.serializers import TournamentSerializer
from tournaments.api.settings import SettingsSerializer, TemplateSettingsBody, TournamentSettingsBody, _body_field
from tournaments.forms.settings import TournamentForm, answers_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]
EVENING = {
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


def test_a_tournament_is_made_as_it_was_said(ana: User) -> None:
    status, told = sent(ana, "tournaments/", **EVENING)
    assert (status, told.get("code")) == (201, None), told
    assert undeclared(TournamentSerializer, told) == []
    assert (told["name"], told["phase"], told["directs"]) == ("Weekly club tournament", "open", True)
    chosen = asked(ana, f"tournaments/{told['id']}/desk/settings/")
    assert undeclared(SettingsSerializer, chosen) == []
    assert {name: chosen[name] for name in EVENING if name not in ("options", "starts_at")} == {
        name: value for name, value in EVENING.items() if name not in ("options", "starts_at")
    }
    assert chosen["options"]["cube"] is False
    assert datetime.fromisoformat(chosen["starts_at"]) == datetime(2031, 6, 5, 18, tzinfo=UTC)
    assert (chosen["consolation"], chosen["round_minutes"], chosen["byes"]) == (None, None, "top")


def test_sending_the_same_settings_again_changes_nothing(tournament: Make, dora: User) -> None:
    for format_ in ("knockout", "swiss", "losses", "league"):
        path = f"tournaments/{tournament(format_=format_, config={'rounds': 4}).pk}/desk/settings/"
        chosen = asked(dora, path)
        assert sent(dora, path, "patch", **chosen) == (200, chosen), format_


def test_a_tournament_starts_from_a_preset_or_from_another_tournament(tournament: Make, ana: User) -> None:
    _status, swiss = sent(ana, "tournaments/", name="Swiss", blueprint="swiss", lengths=[7])
    assert (swiss["terms"]["format"], swiss["terms"]["lengths"], swiss["terms"]["pace"]) == ("swiss", [7], "hand")
    other = tournament(format_="league", lengths=(9,), no_show_minutes=10)
    _status, copied = sent(ana, "tournaments/", name="Again", like=other.pk)
    chosen = asked(other.created_by, f"tournaments/{other.pk}/desk/settings/")
    assert asked(ana, f"tournaments/{copied['id']}/desk/settings/") == {**chosen, "name": "Again"}
    status, told = sent(ana, "tournaments/", name="Both", like=other.pk, blueprint="swiss")
    assert (status, told["code"], list(told["fields"])) == (409, "unfit", ["like"])


@pytest.mark.parametrize(
    ("said", "status", "code", "fields"),
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
        ({"name": "T", "template": 7}, 404, "no_template", None),
        ({"name": "T", "like": "nothing"}, 404, "no_tournament", None),
        ({"name": "T", "club": "nothing"}, 404, "no_club", None),
        ({"name": "T", "starts_at": "0001-01-02T00:00:00Z"}, 409, "unfit", ["starts_at"]),
    ],
)
def test_what_does_not_fit_is_said_of_its_field(
    ana: User, said: dict[str, Any], status: int, code: str | None, fields: list[str] | None
) -> None:
    answer, told = sent(ana, "tournaments/", **said)
    assert answer == status, told
    assert code in (None, told["code"])
    assert fields in (None, list(told.get("fields", [])))
    assert not Tournament.objects.exists()


def test_a_change_leaves_the_rest_as_it_was(tournament: Make, dora: User) -> None:
    made = tournament(
        format_="swiss", rounds=4, starts_at=datetime(2031, 1, 1, 20, 0, 30, tzinfo=UTC), no_show_minutes=10
    )
    path = f"tournaments/{made.pk}/desk/settings/"
    before = asked(dora, path)
    status, told = sent(dora, path, "patch", name="Friday", rounds=5, timezone="Asia/Tokyo")
    assert (status, told) == (200, {**before, "name": "Friday", "rounds": 5, "timezone": "Asia/Tokyo"})
    status, told = sent(dora, path, "patch", variant="damas")
    assert (status, told["variant"], told["rounds"]) == (200, "damas", 5)
    assert told["clock"] != before["clock"]


def test_a_change_of_what_was_changed_meanwhile_is_refused(tournament: Make, dora: User) -> None:
    path = f"/api/v1/tournaments/{tournament().pk}/desk/settings/"
    client = of(dora)
    tag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    said: dict[str, Any] = {"content_type": "application/json", "headers": {"If-Match": tag}}
    assert client.patch(path, {"name": "Before you delete your account"}, **said).status_code == 200
    late = client.patch(path, {"name": "Second"}, **said)
    assert (late.status_code, late.json()["code"]) == (412, "changed_since")
    assert client.get(path).json()["name"] == "Before you delete your account"


def test_after_the_draw_nothing_is_changed(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    status, told = sent(dora, f"tournaments/{made.pk}/desk/settings/", "patch", name="Late")
    assert (status, told["code"]) == (409, "already_drawn")


def test_only_directors_read_and_change_the_settings(tournament: Make, ana: User, person: Callable[..., User]) -> None:
    path = f"tournaments/{tournament().pk}/desk/settings/"
    assert refused(ana, path) == (403, "not_director")
    assert sent(ana, path, "patch", name="Mine")[1]["code"] == "not_director"
    assert sent(None, "tournaments/", **EVENING)[0] == 401
    guest = person("guest-1", is_guest=True)
    assert sent(guest, "tournaments/", **EVENING)[1]["code"] == "members_only"


def test_a_club_whose_directors_alone_make_tournaments_is_asked(tournament: Make, ana: User) -> None:
    club = tournament().club
    club.makers = "directors"
    club.save()
    status, told = sent(ana, "tournaments/", **EVENING)
    assert (status, told["code"]) == (403, "not_club_director")


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
