"""How one wishes to be told, and to be talked to, over the API."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from notices.api import NoticeWishesSerializer
from notices.forms import WishesForm
from notices.kinds import CHANNELS, KINDS
from notices.models import Wishes
from talk.api import TalkWishesBody, TalkWishesSerializer
from talk.forms import WishesForm as TalkForm
from tests.games.declared import undeclared
from tests.games.test_api_matches import asked, of, refused, sent

pytestmark = pytest.mark.django_db


def test_one_says_how_one_wishes_to_be_told_and_the_rest_stays(ana: User) -> None:
    before = asked(ana, "me/notices/")
    assert undeclared(NoticeWishesSerializer, before) == []
    quiet = {"start": "23:00:00", "end": "07:30:00"}
    status, told = sent(ana, "me/notices/", "patch", quiet=quiet, channels={"talk": {"mail": True}})
    talk = {**before["channels"]["talk"], "mail": True}
    assert (status, told) == (200, {**before, "quiet": quiet, "channels": {**before["channels"], "talk": talk}})
    assert Wishes.objects.get(user=ana).channels == {"talk": {"mail": True}}
    status, told = sent(ana, "me/notices/", "patch", digest="daily", hour=7, timezone="Asia/Tokyo", quiet=None)
    assert (told["digest"], told["hour"], told["timezone"], told["quiet"]) == ("daily", 7, "Asia/Tokyo", None)
    assert (asked(ana, "me/notices/"), told["channels"]["talk"]) == (told, talk)


@pytest.mark.parametrize(
    ("said", "status", "code", "fields"),
    [
        ({"timezone": "Europe/Nowhere"}, 409, "unfit", ["timezone"]),
        ({"hour": 24}, 400, "invalid", ["hour"]),
        ({"digest": "weekly"}, 400, "invalid", ["digest"]),
        ({"quiet": {"start": "23:00"}}, 400, "invalid", ["quiet.end"]),
        ({"channels": {"talk": {"pigeon": True}}}, 400, "unknown_field", ["channels.talk.pigeon"]),
    ],
)
def test_wishes_that_cannot_be_are_refused(
    ana: User, said: dict[str, Any], status: int, code: str, fields: list[str]
) -> None:
    answer, told = sent(ana, "me/notices/", "patch", **said)
    assert (answer, told["code"], list(told["fields"])) == (status, code, fields)
    assert not Wishes.objects.exists()


def test_nobody_else_has_wishes(person: Any) -> None:
    guest = person("guest-1", is_guest=True)
    assert refused(guest, "me/notices/") == (403, "members_only")
    assert refused(None, "me/notices/")[0] == refused(None, "me/talk/")[0] == 401
    assert sent(guest, "me/notices/", "patch", hour=1)[0] == 403
    assert sent(None, "me/talk/", "patch", level="nobody")[0] == 401


def test_one_says_how_one_wants_to_be_talked_to(ana: User) -> None:
    before = asked(ana, "me/talk/")
    assert undeclared(TalkWishesSerializer, before) == []
    assert sent(ana, "me/talk/", "patch", level="phrases") == (200, {**before, "level": "phrases"})
    assert asked(ana, "me/talk/") == {**before, "level": "phrases"}
    assert sent(ana, "me/talk/", "patch", level="shouting")[1]["fields"].keys() == {"level"}


def test_what_was_changed_meanwhile_is_not_changed_again(ana: User) -> None:
    for path, said in (("me/talk/", {"announce": False}), ("me/notices/", {"hour": 3})):
        client = of(ana)
        tag = client.get(f"/api/v1/{path}").headers["ETag"]
        facts: dict[str, Any] = {"content_type": "application/json", "headers": {"If-Match": tag}}
        assert client.patch(f"/api/v1/{path}", said, **facts).status_code == 200
        assert client.patch(f"/api/v1/{path}", said, **facts).status_code == 412


def test_the_bodies_have_the_fields_of_the_forms() -> None:
    told = NoticeWishesSerializer().fields
    switches = {f"{key}-{way}" for key in told["channels"].fields for way in told["channels"].fields[key].fields}
    assert switches == {f"{key}-{way}" for key in KINDS for way in CHANNELS}
    plain = set(WishesForm(wishes=Wishes()).fields) - switches - {"quiet_from", "quiet_to"}
    assert plain == set(told) - {"channels"}
    assert set(TalkWishesBody().fields) == set(TalkForm().fields)
