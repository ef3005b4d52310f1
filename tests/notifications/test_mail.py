"""The digest: who gets it, when, its text, and what happens when the mail server refuses it."""

from __future__ import annotations

import re
import smtplib
from datetime import UTC, datetime, time
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.models import User
from notifications import services
from notifications.build import Draft
from notifications.kinds import KINDS
from notifications.models import Notification, NotificationPreferences
from notifications.services.digest_mail import PAUSES
from tests.notifications.conftest import Hours, challenge, unread, with_address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("has_mail")]

TOKEN = re.compile(r"/stop/[^/\s]+/")

ENGLISH = """\
Hello bea,

New challenge · Backgammon, match to 5 points
ana challenges you.
https://club.example/match/MATCH/

Your move
It is your turn against ana. Deadline: 4 Mar 2026, 21:20.
https://club.example/match/abc/

--\x20
Notification settings: https://club.example/settings/notices/

Unsubscribe from:
- Someone challenges you: https://club.example/notices/stop/TOKEN/
- It is your turn: https://club.example/notices/stop/TOKEN/

Unsubscribe from all e-mail: https://club.example/notices/stop/TOKEN/
"""
SPANISH = """\
Hola, bea:

Nuevo reto · Backgammon, partida a 5 puntos
ana te reta.
https://club.example/match/MATCH/

Te toca
Te toca jugar contra ana. Fecha límite: 4 de marzo de 2026 a las 21:20.
https://club.example/match/abc/

--\x20
Ajustes de notificaciones: https://club.example/settings/notices/

Dejar de recibir:
- Alguien te reta: https://club.example/notices/stop/TOKEN/
- Te toca jugar: https://club.example/notices/stop/TOKEN/

Dejar de recibir todos los correos: https://club.example/notices/stop/TOKEN/
"""


def move(user: User, *, key: str = "abc", mark: str = "1") -> Notification | None:
    """Notify a user that it is their turn, until 4 March."""
    until = datetime(2026, 3, 4, 20, 20, tzinfo=UTC)
    draft = Draft("your_move", key, f"/match/{key}/", {"from": "ana"}, mark=mark, until=until)
    return services.notification_write(user_id=user.pk, draft=draft)


def set_preferences(user: User, **facts: Any) -> NotificationPreferences:
    usual = {"digest": "hourly", "hour": 9, "quiet_from": None, "quiet_to": None, "timezone": "Europe/Madrid"}
    return services.preferences_save(user=user, **{"channels": {}, **usual, **facts})


def normalized(message: Any, match_id: str) -> str:
    """The text of a mail, with placeholders for what differs each time."""
    return TOKEN.sub("/stop/TOKEN/", message.body).replace(match_id, "MATCH")


@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("es", SPANISH)])
def test_one_digest_lists_all_that_is_due_in_the_readers_language(
    hours: Hours, ana: User, bea: User, language: str, text: str
) -> None:
    bea.language = language
    bea.save()
    with_address(bea)
    set_preferences(bea, digest="once")
    match = challenge(ana, bea)
    hours(seconds=1)
    move(bea)
    assert services.digests_send() == 0  # a user with an open page reads it there
    hours(minutes=3)
    assert (services.digests_send(), services.digests_send()) == (1, 0)
    (message,) = mail.outbox
    assert normalized(message, match.pk) == text
    assert message.to == ["bea@club.example"]
    assert message.subject == {"en": "2 new notifications", "es": "2 notificaciones nuevas"}[language]
    html, kind = message.alternatives[0]
    assert kind == "text/html"
    assert f'<html lang="{language}">' in html
    assert "<img" not in html
    assert "url(" not in html
    assert len(unread(bea)) == 2  # sending mail marks nothing as read


def test_the_mail_has_a_one_click_unsubscribe_header(hours: Hours, bea: User) -> None:
    with_address(bea)
    set_preferences(bea, digest="once")
    move(bea)
    hours(minutes=3)
    services.digests_send()
    headers = mail.outbox[0].message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<https://club\.example/notices/stop/[\w.-]+/>", headers["List-Unsubscribe"])
    assert mail.outbox[0].subject == "It is your turn against ana"


class TestSchedule:
    def test_urgent_notifications_are_mailed_at_once_and_others_hourly(
        self, hours: Hours, ana: User, bea: User
    ) -> None:
        with_address(bea)
        move(bea)
        challenge(ana, bea)
        hours(minutes=3)
        assert services.digests_send() == 1
        assert mail.outbox[0].subject == "ana challenges you"
        hours(minutes=36)
        assert services.digests_send() == 0
        hours(minutes=1)
        assert services.digests_send() == 1

    def test_a_read_or_withdrawn_notification_is_not_sent(self, hours: Hours, ana: User, bea: User) -> None:
        with_address(bea)
        set_preferences(bea, digest="once")
        move(bea)
        challenge(ana, bea)
        services.notifications_read(user_id=bea.pk, url="/match/abc/")
        services.notification_settle(kinds=["challenge"], key=Notification.objects.get(kind="challenge").key)
        hours(hours=3)
        assert services.digests_send() == 0

    def test_an_updated_notification_is_mailed_again_and_an_unchanged_one_is_not(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        set_preferences(bea, digest="once")
        for mark, sent in (("1", 1), ("1", 0), ("2", 1)):
            move(bea, mark=mark)
            hours(minutes=3)
            assert services.digests_send() == sent
        assert Notification.objects.count() == 1

    def test_quiet_hours_delay_mail_but_not_the_page(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        set_preferences(bea, digest="once", quiet_from=time(21), quiet_to=time(8))  # it is 21:20 in Madrid
        move(bea)
        assert len(unread(bea)) == 1
        hours(hours=10, minutes=39)
        assert services.digests_send() == 0
        hours(minutes=1)
        assert services.digests_send() == 1

    def test_changed_preferences_reschedule_pending_mail(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        set_preferences(bea, digest="daily")
        move(bea)
        set_preferences(bea, digest="once")
        assert services.digests_send() == 1

    def test_an_expired_notification_is_not_sent(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        move(bea)
        hours(days=3)
        assert services.digests_send() == 0


class TestRecipients:
    def test_a_user_without_a_verified_address_gets_no_mail(self, hours: Hours, bea: User) -> None:
        with_address(bea, verified=False)
        move(bea)
        hours(hours=2)
        assert services.digests_send() == 0
        assert Notification.objects.get().mail_due_at is None

    def test_a_guest_gets_no_mail(self, hours: Hours, bea: User) -> None:
        bea.is_guest = True
        bea.save()
        move(bea)
        assert (Notification.objects.get().mail_due_at, Notification.objects.get().push_due_at) == (None, None)

    def test_a_site_without_mail_sends_none(self, hours: Hours, settings: Any, bea: User) -> None:
        settings.HAS_MAIL = False
        move(bea)
        assert Notification.objects.get().mail_due_at is None

    def test_a_user_who_opted_out_gets_no_mail(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        set_preferences(bea, channels={"your_move": {"mail": False, "page": True, "push": False}})
        move(bea)
        assert (Notification.objects.get().mail_due_at, Notification.objects.get().push_due_at) == (None, None)
        set_preferences(bea, digest="never")
        move(bea, key="def")
        assert Notification.objects.get(key="def").mail_due_at is None

    def test_a_user_on_mail_only_has_nothing_on_the_page(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        set_preferences(bea, digest="once", channels={"your_move": {"page": False, "push": False}})
        move(bea)
        hours(minutes=3)
        assert (unread(bea), services.digests_send()) == ([], 1)

    def test_nothing_is_sent_when_every_channel_is_off(self, bea: User) -> None:
        set_preferences(bea, channels={key: {"page": False, "mail": False, "push": False} for key in KINDS})
        assert move(bea) is None


class RefusingBackend(EmailBackend):
    """A mail server that refuses bea's mail, or is unreachable."""

    away = False

    def open(self) -> bool:
        if self.away:
            raise ConnectionRefusedError
        return True

    def send_messages(self, messages: Any) -> int:
        if messages[0].to == ["bea@club.example"]:
            raise smtplib.SMTPRecipientsRefused({"bea@club.example": (550, b"no")})
        return int(super().send_messages(messages))


class TestFailures:
    @pytest.fixture(autouse=True)
    def _server(
        self, has_mail: None, settings: Any, monkeypatch: pytest.MonkeyPatch, hours: Hours, bea: User, carlos: User
    ) -> None:
        monkeypatch.setattr(RefusingBackend, "away", False)
        settings.EMAIL_BACKEND = "tests.notifications.test_mail.RefusingBackend"
        for user in (bea, carlos):
            with_address(user)
            set_preferences(user, digest="once")
            move(user)
            hours(minutes=3)

    def test_a_refused_recipient_does_not_delay_others_and_is_retried_with_growing_delays(
        self, hours: Hours, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert services.digests_send() == 1
        assert mail.outbox[0].to == ["carlos@club.example"]
        for pause in PAUSES[:3]:
            assert Notification.objects.get(user=bea).mail_due_at == hours.moment + pause
            hours(seconds=pause.total_seconds() - 1)
            assert services.digests_send() == 0
            hours(seconds=1)
            services.digests_send()
        monkeypatch.setattr(RefusingBackend, "send_messages", EmailBackend.send_messages)
        hours(hours=7)
        assert services.digests_send() == 1
        assert Notification.objects.get(user=bea).mail_tries == 0

    def test_an_unreachable_server_is_tried_once_and_all_mail_waits(
        self, hours: Hours, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(RefusingBackend, "away", True)
        assert services.digests_send() == 0
        due = set(Notification.objects.values_list("mail_due_at", "mail_tries"))
        assert due == {(hours.moment + PAUSES[0], 1)}
        monkeypatch.setattr(RefusingBackend, "away", False)
        hours(minutes=2)
        assert services.digests_send() == 1

    def test_a_worker_that_dies_before_marking_sends_it_once_more(
        self, hours: Hours, carlos: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Killed(BaseException):
            """An error that stops the worker as kill -9 would."""

        class Dying(EmailBackend):
            def send_messages(self, messages: Any) -> int:
                super().send_messages(messages)
                raise Killed

        Notification.objects.exclude(user=carlos).delete()
        with pytest.raises(Killed):
            services.digest_send(user_id=carlos.pk, connection=Dying())
        assert services.digests_send() == 0  # the dead worker's lease
        hours(minutes=5)
        assert (services.digests_send(), services.digests_send()) == (1, 0)
        assert len(mail.outbox) == 2
