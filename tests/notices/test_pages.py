"""The bell, the list, the wishes, and the way out of the mail."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.selectors import lists
from notices import services
from notices.doors import ALL, stop_token, stopped_by
from notices.kinds import CHANNELS, KINDS
from notices.models import Notice, Wishes
from notices.told import Draft
from tests.notices.conftest import Hours, challenge, unread, with_address

pytestmark = pytest.mark.django_db

As = Callable[[User], Client]
LABEL = re.compile(r'data-bell .*?aria-label="([^"]*)"', re.S)


def told(user: User, *, key: str = "abc", url: str = "") -> Notice:
    """ana waits for this player's move."""
    draft = Draft("your_move", key, url or f"/match/{key}/", {"from": "ana"})
    notice = services.notice_write(user_id=user.pk, draft=draft)
    assert notice is not None
    return Notice.objects.get(user=user, key=key)


def bell(client: Client, path: str = "/players/") -> str:
    found = LABEL.search(client.get(path).content.decode())
    assert found is not None
    return found[1]


class TestBell:
    def test_it_counts_what_waits(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        assert bell(browser) == "Notices: nothing new"
        told(bea, key="abc")
        assert bell(browser) == "Notices: 1 unread"
        told(bea, key="def")
        assert bell(browser) == "Notices: 2 unread"

    def test_passers_by_have_none(self, client: Client) -> None:
        assert "data-bell" not in client.get("/players/").content.decode()

    def test_the_page_where_it_leads_reads_it(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        told(bea, url="/players/")
        assert " data-here " in browser.get("/players/").content.decode()
        assert " data-here " not in browser.get("/history/").content.decode()
        assert bell(browser) == "Notices: nothing new"
        assert browser.post(reverse("notices-here"), {"path": "/players/"}).status_code == 204
        assert unread(bea) == []

    def test_it_costs_one_query(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        counts = []
        for key in ("a", "b", "c"):
            told(bea, key=key)
            with CaptureQueriesContext(connection) as asked:
                browser.get("/players/")
            counts.append(len([one for one in asked if "notices_notice" in one["sql"]]))
        assert counts == [1, 1, 1]


class TestWords:
    @pytest.fixture
    def heard(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, dict[str, Any]]]:
        said: list[tuple[int, dict[str, Any]]] = []
        monkeypatch.setattr("notices.notify.user_heard", lambda user_id, message: said.append((user_id, message)))
        return said

    def test_open_pages_hear_the_count_after_the_commit(
        self, heard: list[Any], ana: User, bea: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            match = challenge(ana, bea)
            assert heard == []
        assert heard == [(bea.pk, {"t": "notice", "unread": 1, "url": f"/match/{match.pk}/"})]
        heard.clear()
        with django_capture_on_commit_callbacks(execute=True):
            services.notices_read(user_id=bea.pk)
        assert heard == [(bea.pk, {"t": "notice", "unread": 0})]

    def test_a_page_that_missed_it_hears_it_with_its_heartbeat(self, bea: User) -> None:
        _missed, since = lists.missed(user_id=bea.pk, since=None)
        assert lists.missed(user_id=bea.pk, since=since)[0] == []
        notice = told(bea)
        assert lists.missed(user_id=bea.pk, since=since)[0] == [{"t": "notice", "unread": 1}]
        services.notice_read(user_id=bea.pk, notice_id=notice.pk)
        assert lists.missed(user_id=bea.pk, since=since)[0] == [{"t": "notice", "unread": 0}]
        assert lists.missed(user_id=bea.pk, since=since + 60_000)[0] == []


class TestList:
    def test_unread_ones_stand_first_and_one_press_leads_there(self, as_user: As, bea: User) -> None:
        first, second = told(bea, key="abc"), told(bea, key="def")
        services.notice_read(user_id=bea.pk, notice_id=second.pk)
        browser = as_user(bea)
        page = browser.get("/notices/").content.decode()
        assert page.index(reverse("notice", args=[first.pk])) < page.index(reverse("notice", args=[second.pk]))
        answer = browser.post(reverse("notice", args=[first.pk]))
        assert answer.headers["Location"] == "/match/abc/"
        assert unread(bea) == []

    def test_it_says_what_it_is(self, as_user: As, ana: User, bea: User) -> None:
        challenge(ana, bea)
        page = as_user(bea).get("/notices/").content.decode()
        assert "A challenge" in page
        assert "\u2068ana\u2069 challenges you." in page
        assert "Backgammon, match to 5 points" in page

    def test_all_are_read_at_once(self, as_user: As, bea: User) -> None:
        told(bea, key="abc")
        told(bea, key="def")
        assert as_user(bea).post(reverse("notices-read")).headers["Location"] == "/notices/"
        assert unread(bea) == []

    def test_nobody_reads_those_of_others(self, as_user: As, ana: User, bea: User) -> None:
        notice = told(bea)
        answer = as_user(ana).post(reverse("notice", args=[notice.pk]))
        assert answer.headers["Location"] == "/notices/"
        assert len(unread(bea)) == 1
        assert "notice-unread" not in as_user(ana).get("/notices/").content.decode()

    def test_an_empty_list_is_tidy(self, as_user: As, bea: User) -> None:
        assert "Nothing new" in as_user(bea).get("/notices/").content.decode()

    def test_it_takes_as_many_queries_however_long_it_is(self, as_user: As, bea: User) -> None:
        browser, counts = as_user(bea), []
        for number in range(3):
            told(bea, key=f"k{number}")
            with CaptureQueriesContext(connection) as asked:
                browser.get("/notices/")
            counts.append(len(asked))
        assert counts[0] == counts[1] == counts[2]

    def test_a_page_has_thirty(self, as_user: As, bea: User) -> None:
        for number in range(31):
            told(bea, key=f"k{number}")
        assert as_user(bea).get("/notices/").content.decode().count("notice-unread") == 30
        assert as_user(bea).get("/notices/?page=2").content.decode().count("notice-unread") == 1


class TestWishes:
    def form(self, **chosen: Any) -> dict[str, Any]:
        """The form as a browser sends it: a switch that is off is not there."""
        usual = {f"{key}-{way}": "on" for key, kind in KINDS.items() for way in CHANNELS if kind.goes(way)}
        return {**usual, "digest": "hourly", "hour": "9", "timezone": "Europe/Madrid", **chosen}

    def test_what_was_chosen_is_kept_and_only_what_is_unusual(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        form = self.form(digest="daily", hour="19", quiet="on", quiet_from="22:30", quiet_to="07:00")
        form["talk-mail"] = "on"
        del form["challenge-push"]
        assert browser.post("/settings/notices/", form).headers["Location"] == "/settings/notices/"
        wishes = Wishes.objects.get(user=bea)
        assert wishes.channels == {"talk": {"mail": True}, "challenge": {"push": False}}
        assert (wishes.digest, wishes.hour, wishes.timezone) == ("daily", 19, "Europe/Madrid")
        assert f"{wishes.quiet_from:%H:%M}-{wishes.quiet_to:%H:%M}" == "22:30-07:00"
        page = browser.get("/settings/notices/").content.decode()
        assert re.search(r'name="talk-mail"[^>]*checked', page)
        assert not re.search(r'name="challenge-push"[^>]*checked', page)

    @pytest.mark.parametrize(
        "wrong",
        [{"digest": "weekly"}, {"hour": "24"}, {"timezone": "Mars/Olympus"}, {"quiet": "on", "quiet_from": "22:00"}],
    )
    def test_what_cannot_be_is_refused(self, as_user: As, bea: User, wrong: dict[str, str]) -> None:
        assert as_user(bea).post("/settings/notices/", self.form(**wrong)).status_code == 422
        assert not Wishes.objects.exists()

    def test_guests_are_told_on_the_page_alone(self, as_user: As, bea: User) -> None:
        bea.is_guest = True
        bea.save()
        browser = as_user(bea)
        assert browser.get("/settings/notices/").headers["Location"].startswith(reverse("account_signup"))
        assert "How I am told" not in browser.get("/notices/").content.decode()


class TestStop:
    @pytest.fixture
    def door(self, bea: User) -> str:
        return services.door_of(bea)

    def test_a_look_shows_what_will_stop_and_changes_nothing(self, client: Client, door: str, bea: User) -> None:
        page = client.get(reverse("notices-stop", args=[stop_token(door, "your_move")]))
        assert "This stops the mail of one kind: It is my turn." in page.content.decode()
        assert Wishes.objects.get(user=bea).channels == {}

    def test_a_post_without_log_in_or_form_stops_that_kind(self, door: str, bea: User) -> None:
        told(bea)
        strict = Client(enforce_csrf_checks=True)
        url = reverse("notices-stop", args=[stop_token(door, "your_move")])
        answer = strict.post(url, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 200  # mail programs follow no redirect
        assert "You get no more mail of this kind: It is my turn." in answer.content.decode()
        wishes = Wishes.objects.get(user=bea)
        assert (wishes.channels, wishes.digest) == ({"your_move": {"mail": False}}, "hourly")
        assert Notice.objects.get().mail_due_at is None

    def test_the_one_for_all_stops_all(self, door: str, bea: User) -> None:
        assert Client().post(reverse("notices-stop", args=[stop_token(door, ALL)])).status_code == 200
        assert Wishes.objects.get(user=bea).digest == "never"

    def test_it_speaks_the_language_of_its_owner(self, client: Client, door: str, bea: User) -> None:
        bea.language = "es"
        bea.save()
        page = client.get(reverse("notices-stop", args=[stop_token(door, ALL)])).content.decode()
        assert '<html lang="es"' in page
        assert "¿No quieres más correo?" in page

    def test_a_token_tells_nothing_and_opens_nothing_else(self, client: Client, door: str, bea: User) -> None:
        token = stop_token(door, "your_move")
        assert "your_move" not in token
        assert "bea" not in token
        assert stopped_by(token) == (Wishes.objects.get(user=bea), "your_move")
        for wrong in (token[:-1], door, f"{door}.", f"{door}.{'0' * 32}", "x.y", "."):
            assert stopped_by(wrong) is None
        assert client.get(reverse("notices-stop", args=["x.y"])).status_code == 404
        assert client.post(reverse("notices-stop", args=["x.y"])).status_code == 404

    @pytest.mark.usefixtures("has_mail")
    def test_the_link_of_a_mail_works(self, hours: Hours, client: Client, bea: User) -> None:
        with_address(bea)
        told(bea)
        hours(hours=1)
        services.mails_send()
        link = str(mail.outbox[0].extra_headers["List-Unsubscribe"]).strip("<>")
        client.post(link.removeprefix("https://club.example"))
        told(bea, key="def")
        assert Notice.objects.get(key="def").mail_due_at is None
