"""The bell, the list, the preferences, and the unsubscribe link."""

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
from games.selectors.missed_events import missed_events
from notifications import services
from notifications.build import Draft
from notifications.kinds import CHANNELS, KINDS
from notifications.models import Notification, NotificationPreferences
from notifications.unsubscribe import ALL, read_unsubscribe_token, unsubscribe_token
from tests.notifications.conftest import Hours, challenge, unread, with_address

pytestmark = pytest.mark.django_db

As = Callable[[User], Client]
LABEL = re.compile(r'data-bell .*?aria-label="([^"]*)"', re.S)


def notify(user: User, *, key: str = "abc", url: str = "") -> Notification:
    """Notify a user that ana waits for their move."""
    draft = Draft("your_move", key, url or f"/match/{key}/", {"from": "ana"})
    notification = services.notification_write(user_id=user.pk, draft=draft)
    assert notification is not None
    return Notification.objects.get(user=user, key=key)


def bell(client: Client, path: str = "/players/") -> str:
    found = LABEL.search(client.get(path).content.decode())
    assert found is not None
    return found[1]


class TestBell:
    def test_it_counts_unread_notifications(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        assert bell(browser) == "Notifications: none unread"
        notify(bea, key="abc")
        assert bell(browser) == "Notifications: 1 unread"
        notify(bea, key="def")
        assert bell(browser) == "Notifications: 2 unread"

    def test_anonymous_visitors_have_none(self, client: Client) -> None:
        assert "data-bell" not in client.get("/players/").content.decode()

    def test_opening_the_linked_page_marks_it_as_read(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        notify(bea, url="/players/")
        assert " data-here " in browser.get("/players/").content.decode()
        assert " data-here " not in browser.get("/history/").content.decode()
        assert bell(browser) == "Notifications: none unread"
        assert browser.post(reverse("notices-here"), {"path": "/players/"}).status_code == 204
        assert unread(bea) == []

    def test_it_costs_one_query(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        counts = []
        for key in ("a", "b", "c"):
            notify(bea, key=key)
            with CaptureQueriesContext(connection) as queries:
                browser.get("/players/")
            counts.append(len([query for query in queries if "notifications_notification" in query["sql"]]))
        assert counts == [1, 1, 1]


class TestLiveCount:
    @pytest.fixture
    def sent_messages(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, dict[str, Any]]]:
        sent: list[tuple[int, dict[str, Any]]] = []
        monkeypatch.setattr(
            "notifications.notify.message_user", lambda user_id, message: sent.append((user_id, message))
        )
        return sent

    def test_open_pages_receive_the_count_after_the_commit(
        self, sent_messages: list[Any], ana: User, bea: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            match = challenge(ana, bea)
            assert sent_messages == []
        assert sent_messages == [(bea.pk, {"t": "notice", "unread": 1, "url": f"/match/{match.pk}/"})]
        sent_messages.clear()
        with django_capture_on_commit_callbacks(execute=True):
            services.notifications_read(user_id=bea.pk)
        assert sent_messages == [(bea.pk, {"t": "notice", "unread": 0})]

    def test_a_page_that_missed_it_receives_it_with_its_heartbeat(self, bea: User) -> None:
        _missed, since = missed_events(user_id=bea.pk, since=None)
        assert missed_events(user_id=bea.pk, since=since)[0] == []
        notification = notify(bea)
        assert missed_events(user_id=bea.pk, since=since)[0] == [{"t": "notice", "unread": 1}]
        services.notification_read(user_id=bea.pk, notification_id=notification.pk)
        assert missed_events(user_id=bea.pk, since=since)[0] == [{"t": "notice", "unread": 0}]
        assert missed_events(user_id=bea.pk, since=since + 60_000)[0] == []


class TestList:
    def test_unread_ones_come_first_and_one_click_opens_them(self, as_user: As, bea: User) -> None:
        first, second = notify(bea, key="abc"), notify(bea, key="def")
        services.notification_read(user_id=bea.pk, notification_id=second.pk)
        browser = as_user(bea)
        page = browser.get("/notices/").content.decode()
        assert page.index(reverse("notice", args=[first.pk])) < page.index(reverse("notice", args=[second.pk]))
        answer = browser.post(reverse("notice", args=[first.pk]))
        assert answer.headers["Location"] == "/match/abc/"
        assert unread(bea) == []

    def test_each_notification_shows_its_text(self, as_user: As, ana: User, bea: User) -> None:
        challenge(ana, bea)
        page = as_user(bea).get("/notices/").content.decode()
        assert "New challenge" in page
        assert "⁨ana⁩ challenges you." in page
        assert "Backgammon, match to 5 points" in page

    def test_all_are_marked_as_read_at_once(self, as_user: As, bea: User) -> None:
        notify(bea, key="abc")
        notify(bea, key="def")
        assert as_user(bea).post(reverse("notices-read")).headers["Location"] == "/notices/"
        assert unread(bea) == []

    def test_a_user_cannot_read_others_notifications(self, as_user: As, ana: User, bea: User) -> None:
        notification = notify(bea)
        answer = as_user(ana).post(reverse("notice", args=[notification.pk]))
        assert answer.headers["Location"] == "/notices/"
        assert len(unread(bea)) == 1
        assert "notification-unread" not in as_user(ana).get("/notices/").content.decode()

    def test_an_empty_list_shows_a_message(self, as_user: As, bea: User) -> None:
        assert "Nothing new" in as_user(bea).get("/notices/").content.decode()

    def test_the_number_of_queries_does_not_grow_with_the_list(self, as_user: As, bea: User) -> None:
        browser, counts = as_user(bea), []
        for number in range(3):
            notify(bea, key=f"k{number}")
            with CaptureQueriesContext(connection) as queries:
                browser.get("/notices/")
            counts.append(len(queries))
        assert counts[0] == counts[1] == counts[2]

    def test_a_page_lists_thirty(self, as_user: As, bea: User) -> None:
        for number in range(31):
            notify(bea, key=f"k{number}")
        assert as_user(bea).get("/notices/").content.decode().count("notification-unread") == 30
        assert as_user(bea).get("/notices/?page=2").content.decode().count("notification-unread") == 1


class TestPreferences:
    def form(self, **chosen: Any) -> dict[str, Any]:
        """The form as a browser sends it: a switch that is off is omitted."""
        usual = {
            f"{key}-{channel}": "on"
            for key, kind in KINDS.items()
            for channel in CHANNELS
            if kind.uses_by_default(channel)
        }
        return {**usual, "digest": "hourly", "hour": "9", "timezone": "Europe/Madrid", **chosen}

    def test_only_choices_that_differ_from_the_defaults_are_stored(self, as_user: As, bea: User) -> None:
        browser = as_user(bea)
        form = self.form(digest="daily", hour="19", quiet="on", quiet_from="22:30", quiet_to="07:00")
        form["talk-mail"] = "on"
        del form["challenge-push"]
        assert browser.post("/settings/notices/", form).headers["Location"] == "/settings/notices/"
        preferences = NotificationPreferences.objects.get(user=bea)
        assert preferences.channels == {"talk": {"mail": True}, "challenge": {"push": False}}
        assert (preferences.digest, preferences.hour, preferences.timezone) == ("daily", 19, "Europe/Madrid")
        assert f"{preferences.quiet_from:%H:%M}-{preferences.quiet_to:%H:%M}" == "22:30-07:00"
        page = browser.get("/settings/notices/").content.decode()
        assert re.search(r'name="talk-mail"[^>]*checked', page)
        assert not re.search(r'name="challenge-push"[^>]*checked', page)

    @pytest.mark.parametrize(
        "wrong",
        [{"digest": "weekly"}, {"hour": "24"}, {"timezone": "Mars/Olympus"}, {"quiet": "on", "quiet_from": "22:00"}],
    )
    def test_an_invalid_request_is_refused(self, as_user: As, bea: User, wrong: dict[str, str]) -> None:
        assert as_user(bea).post("/settings/notices/", self.form(**wrong)).status_code == 422
        assert not NotificationPreferences.objects.exists()

    def test_guests_are_notified_on_the_page_only(self, as_user: As, bea: User) -> None:
        bea.is_guest = True
        bea.save()
        browser = as_user(bea)
        assert browser.get("/settings/notices/").headers["Location"].startswith(reverse("account_signup"))
        assert "Notification settings" not in browser.get("/notices/").content.decode()


class TestUnsubscribe:
    @pytest.fixture
    def stop_url(self, bea: User) -> str:
        return services.unsubscribe_key_of(bea)

    def test_opening_the_link_shows_what_will_stop_and_changes_nothing(
        self, client: Client, stop_url: str, bea: User
    ) -> None:
        page = client.get(reverse("notices-stop", args=[unsubscribe_token(stop_url, "your_move")]))
        assert "You will stop getting e-mail of this kind: It is your turn." in page.content.decode()
        assert NotificationPreferences.objects.get(user=bea).channels == {}

    def test_a_post_without_session_or_form_stops_that_kind(self, stop_url: str, bea: User) -> None:
        notify(bea)
        strict = Client(enforce_csrf_checks=True)
        url = reverse("notices-stop", args=[unsubscribe_token(stop_url, "your_move")])
        answer = strict.post(url, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 200  # mail programs do not follow redirects
        assert "You will no longer get e-mail of this kind: It is your turn." in answer.content.decode()
        preferences = NotificationPreferences.objects.get(user=bea)
        assert (preferences.channels, preferences.digest) == ({"your_move": {"mail": False}}, "hourly")
        assert Notification.objects.get().mail_due_at is None

    def test_the_link_for_all_stops_all(self, stop_url: str, bea: User) -> None:
        assert Client().post(reverse("notices-stop", args=[unsubscribe_token(stop_url, ALL)])).status_code == 200
        assert NotificationPreferences.objects.get(user=bea).digest == "never"

    def test_the_page_is_in_the_language_of_its_owner(self, client: Client, stop_url: str, bea: User) -> None:
        bea.language = "es"
        bea.save()
        page = client.get(reverse("notices-stop", args=[unsubscribe_token(stop_url, ALL)])).content.decode()
        assert '<html lang="es"' in page
        assert "¿Dejar de recibir correos?" in page

    def test_a_token_reveals_nothing_and_grants_nothing_else(self, client: Client, stop_url: str, bea: User) -> None:
        token = unsubscribe_token(stop_url, "your_move")
        key, _dot, seal = token.partition(".")
        assert (key, len(seal)) == (stop_url, 32)
        assert "your_move" not in token
        assert read_unsubscribe_token(token) == (NotificationPreferences.objects.get(user=bea), "your_move")
        for wrong in (token[:-1], stop_url, f"{stop_url}.", f"{stop_url}.{'0' * 32}", "x.y", "."):
            assert read_unsubscribe_token(wrong) is None
        assert client.get(reverse("notices-stop", args=["x.y"])).status_code == 404
        assert client.post(reverse("notices-stop", args=["x.y"])).status_code == 404

    @pytest.mark.usefixtures("has_mail")
    def test_the_link_of_a_mail_works(self, hours: Hours, client: Client, bea: User) -> None:
        with_address(bea)
        notify(bea)
        hours(hours=1)
        services.digests_send()
        link = str(mail.outbox[0].extra_headers["List-Unsubscribe"]).strip("<>")
        client.post(link.removeprefix("https://club.example"))
        notify(bea, key="def")
        assert Notification.objects.get(key="def").mail_due_at is None
