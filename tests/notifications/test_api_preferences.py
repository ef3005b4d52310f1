"""Notification and chat preferences over the API."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from chat.api import ChatPreferencesBody, ChatPreferencesSerializer
from chat.forms import ChatPreferencesForm
from notifications.api import NotificationPreferencesSerializer
from notifications.forms import PreferencesForm
from notifications.kinds import CHANNELS, KINDS
from notifications.models import NotificationPreferences
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, of, refused, sent

pytestmark = pytest.mark.django_db


def test_a_partial_update_changes_only_the_given_preferences(ana: User) -> None:
    before = get_json(ana, "me/notices/")
    assert undeclared(NotificationPreferencesSerializer, before) == []
    quiet = {"start": "23:00:00", "end": "07:30:00"}
    status, body = sent(ana, "me/notices/", "patch", quiet=quiet, channels={"talk": {"mail": True}})
    channels = {**before["channels"]["talk"], "mail": True}
    assert (status, body) == (200, {**before, "quiet": quiet, "channels": {**before["channels"], "talk": channels}})
    assert NotificationPreferences.objects.get(user=ana).channels == {"talk": {"mail": True}}
    status, body = sent(ana, "me/notices/", "patch", digest="daily", hour=7, timezone="Asia/Tokyo", quiet=None)
    assert (body["digest"], body["hour"], body["timezone"], body["quiet"]) == ("daily", 7, "Asia/Tokyo", None)
    assert (get_json(ana, "me/notices/"), body["channels"]["talk"]) == (body, channels)


@pytest.mark.parametrize(
    ("changes", "status", "code", "fields"),
    [
        ({"timezone": "Europe/Nowhere"}, 409, "unfit", ["timezone"]),
        ({"hour": 24}, 400, "invalid", ["hour"]),
        ({"digest": "weekly"}, 400, "invalid", ["digest"]),
        ({"quiet": {"start": "23:00"}}, 400, "invalid", ["quiet.end"]),
        ({"channels": {"talk": {"pigeon": True}}}, 400, "unknown_field", ["channels.talk.pigeon"]),
    ],
)
def test_invalid_preferences_are_refused(
    ana: User, changes: dict[str, Any], status: int, code: str, fields: list[str]
) -> None:
    answer, body = sent(ana, "me/notices/", "patch", **changes)
    assert (answer, body["code"], list(body["fields"])) == (status, code, fields)
    assert not NotificationPreferences.objects.exists()


def test_guests_and_bots_have_no_preferences(person: Any) -> None:
    guest = person("guest-1", is_guest=True)
    assert refused(guest, "me/notices/") == (403, "members_only")
    assert refused(None, "me/notices/")[0] == refused(None, "me/talk/")[0] == 401
    assert sent(guest, "me/notices/", "patch", hour=1)[0] == 403
    assert sent(None, "me/talk/", "patch", level="nobody")[0] == 401


def test_chat_preferences_are_read_and_updated(ana: User) -> None:
    before = get_json(ana, "me/talk/")
    assert undeclared(ChatPreferencesSerializer, before) == []
    assert sent(ana, "me/talk/", "patch", level="phrases") == (200, {**before, "level": "phrases"})
    assert get_json(ana, "me/talk/") == {**before, "level": "phrases"}
    assert sent(ana, "me/talk/", "patch", level="shouting")[1]["fields"].keys() == {"level"}


def test_a_stale_update_is_refused(ana: User) -> None:
    for path, changes in (("me/talk/", {"announce": False}), ("me/notices/", {"hour": 3})):
        client = of(ana)
        tag = client.get(f"/api/v1/{path}").headers["ETag"]
        facts: dict[str, Any] = {"content_type": "application/json", "headers": {"If-Match": tag}}
        assert client.patch(f"/api/v1/{path}", changes, **facts).status_code == 200
        assert client.patch(f"/api/v1/{path}", changes, **facts).status_code == 412


def test_the_bodies_have_the_fields_of_the_forms() -> None:
    body = NotificationPreferencesSerializer().fields
    switches = {
        f"{key}-{channel}" for key in body["channels"].fields for channel in body["channels"].fields[key].fields
    }
    assert switches == {f"{key}-{channel}" for key in KINDS for channel in CHANNELS}
    plain = set(PreferencesForm(preferences=NotificationPreferences()).fields) - switches - {"quiet_from", "quiet_to"}
    assert plain == set(body) - {"channels"}
    assert set(ChatPreferencesBody().fields) == set(ChatPreferencesForm().fields)
