"""The digest: who gets it, when, in which words, and what happens when the server does not want it."""

from __future__ import annotations

import re
import smtplib
from datetime import UTC, datetime, time
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.models import User
from notices import services
from notices.kinds import KINDS
from notices.models import Notice, Wishes
from notices.services.mail import PAUSES
from notices.told import Draft
from tests.notices.conftest import Hours, challenge, unread, with_address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("has_mail")]

TOKEN = re.compile(r"/stop/[^/\s]+/")

ENGLISH = """\
Hello bea,

A challenge · Backgammon, match to 5 points
ana challenges you.
https://club.example/match/MATCH/

Your move
It is your turn against ana. Until 4 Mar 2026, 21:20.
https://club.example/match/abc/

--\x20
What you are told, and when: https://club.example/settings/notices/

No more mail of this kind:
- Somebody challenges me: https://club.example/notices/stop/TOKEN/
- It is my turn: https://club.example/notices/stop/TOKEN/

No more mail at all: https://club.example/notices/stop/TOKEN/
"""
SPANISH = """\
Hola, bea:

Un reto · Backgammon, partida a 5 puntos
ana te reta.
https://club.example/match/MATCH/

Te toca
Te toca jugar contra ana. Hasta el 4 de marzo de 2026 a las 21:20.
https://club.example/match/abc/

--\x20
Qué se te avisa y cuándo: https://club.example/settings/notices/

No quiero más correo de este tipo:
- Alguien me reta: https://club.example/notices/stop/TOKEN/
- Me toca jugar: https://club.example/notices/stop/TOKEN/

No quiero más correo: https://club.example/notices/stop/TOKEN/
"""


def move(user: User, *, key: str = "abc", mark: str = "1") -> Notice | None:
    """It is the turn of somebody, until the evening of 4 March."""
    until = datetime(2026, 3, 4, 20, 20, tzinfo=UTC)
    draft = Draft("your_move", key, f"/match/{key}/", {"from": "ana"}, mark=mark, until=until)
    return services.notice_write(user_id=user.pk, draft=draft)


def wish(user: User, **facts: Any) -> Wishes:
    usual = {"digest": "hourly", "hour": 9, "quiet_from": None, "quiet_to": None, "timezone": "Europe/Madrid"}
    return services.wishes_save(user=user, **{"channels": {}, **usual, **facts})


def plain(letter: Any, match_id: str) -> str:
    """Its text, with names for what differs each time."""
    return TOKEN.sub("/stop/TOKEN/", letter.body).replace(match_id, "MATCH")


@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("es", SPANISH)])
def test_one_digest_says_all_that_is_due_in_the_readers_language(
    hours: Hours, ana: User, bea: User, language: str, text: str
) -> None:
    bea.language = language
    bea.save()
    with_address(bea)
    wish(bea, digest="once")
    match = challenge(ana, bea)
    hours(seconds=1)
    move(bea)
    assert services.mails_send() == 0  # who is at a page reads it there
    hours(minutes=3)
    assert (services.mails_send(), services.mails_send()) == (1, 0)
    (letter,) = mail.outbox
    assert plain(letter, match.pk) == text
    assert letter.to == ["bea@club.example"]
    assert letter.subject == {"en": "2 things wait for you", "es": "Te esperan 2 cosas"}[language]
    html, kind = letter.alternatives[0]
    assert kind == "text/html"
    assert f'<html lang="{language}">' in html
    assert "<img" not in html
    assert "url(" not in html
    assert len(unread(bea)) == 2  # a mail reads nothing


def test_the_header_by_which_mail_programs_stop_it(hours: Hours, bea: User) -> None:
    with_address(bea)
    wish(bea, digest="once")
    move(bea)
    hours(minutes=3)
    services.mails_send()
    headers = mail.outbox[0].message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(r"<https://club\.example/notices/stop/[\w.-]+/>", headers["List-Unsubscribe"])
    assert mail.outbox[0].subject == "It is your turn against ana"


class TestWhen:
    def test_what_can_wait_goes_with_the_hour_and_what_cannot_at_once(self, hours: Hours, ana: User, bea: User) -> None:
        with_address(bea)
        move(bea)
        challenge(ana, bea)
        hours(minutes=3)
        assert services.mails_send() == 1
        assert mail.outbox[0].subject == "ana challenges you"
        hours(minutes=36)
        assert services.mails_send() == 0
        hours(minutes=1)
        assert services.mails_send() == 1

    def test_what_was_read_or_taken_back_is_not_sent(self, hours: Hours, ana: User, bea: User) -> None:
        with_address(bea)
        wish(bea, digest="once")
        move(bea)
        challenge(ana, bea)
        services.notices_read(user_id=bea.pk, url="/match/abc/")
        services.notice_settle(kinds=["challenge"], key=Notice.objects.get(kind="challenge").key)
        hours(hours=3)
        assert services.mails_send() == 0

    def test_a_newer_word_is_sent_again_and_the_same_word_is_not(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        wish(bea, digest="once")
        for mark, sent in (("1", 1), ("1", 0), ("2", 1)):
            move(bea, mark=mark)
            hours(minutes=3)
            assert services.mails_send() == sent
        assert Notice.objects.count() == 1

    def test_quiet_hours_hold_it_back_and_never_the_page(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        wish(bea, digest="once", quiet_from=time(21), quiet_to=time(8))  # it is 21:20 in Madrid
        move(bea)
        assert len(unread(bea)) == 1
        hours(hours=10, minutes=39)
        assert services.mails_send() == 0
        hours(minutes=1)
        assert services.mails_send() == 1

    def test_new_wishes_move_what_waits(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        wish(bea, digest="daily")
        move(bea)
        wish(bea, digest="once")
        assert services.mails_send() == 1

    def test_what_has_lost_its_sense_is_not_sent(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        move(bea)
        hours(days=3)
        assert services.mails_send() == 0


class TestWho:
    def test_nobody_without_an_address_of_his_own(self, hours: Hours, bea: User) -> None:
        with_address(bea, verified=False)
        move(bea)
        hours(hours=2)
        assert services.mails_send() == 0
        assert Notice.objects.get().mail_due_at is None

    def test_no_guest(self, hours: Hours, bea: User) -> None:
        bea.is_guest = True
        bea.save()
        move(bea)
        assert (Notice.objects.get().mail_due_at, Notice.objects.get().push_due_at) == (None, None)

    def test_nobody_on_a_site_that_sends_none(self, hours: Hours, settings: Any, bea: User) -> None:
        settings.HAS_MAIL = False
        move(bea)
        assert Notice.objects.get().mail_due_at is None

    def test_nobody_who_does_not_want_it(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        wish(bea, channels={"your_move": {"mail": False, "page": True, "push": False}})
        move(bea)
        assert (Notice.objects.get().mail_due_at, Notice.objects.get().push_due_at) == (None, None)
        wish(bea, digest="never")
        move(bea, key="def")
        assert Notice.objects.get(key="def").mail_due_at is None

    def test_one_who_wants_it_by_mail_alone_has_nothing_on_the_page(self, hours: Hours, bea: User) -> None:
        with_address(bea)
        wish(bea, digest="once", channels={"your_move": {"page": False, "push": False}})
        move(bea)
        hours(minutes=3)
        assert (unread(bea), services.mails_send()) == ([], 1)

    def test_nobody_by_any_way_when_all_are_off(self, bea: User) -> None:
        wish(bea, channels={key: {"page": False, "mail": False, "push": False} for key in KINDS})
        assert move(bea) is None


class Broken(EmailBackend):
    """A server that refuses bea's mail, or is not there at all."""

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
        monkeypatch.setattr(Broken, "away", False)
        settings.EMAIL_BACKEND = "tests.notices.test_mail.Broken"
        for one in (bea, carlos):
            with_address(one)
            wish(one, digest="once")
            move(one)
            hours(minutes=3)

    def test_one_who_is_refused_holds_up_nobody_and_is_tried_again_ever_later(
        self, hours: Hours, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert services.mails_send() == 1
        assert mail.outbox[0].to == ["carlos@club.example"]
        for pause in PAUSES[:3]:
            assert Notice.objects.get(user=bea).mail_due_at == hours.moment + pause
            hours(seconds=pause.total_seconds() - 1)
            assert services.mails_send() == 0
            hours(seconds=1)
            services.mails_send()
        monkeypatch.setattr(Broken, "send_messages", EmailBackend.send_messages)
        hours(hours=7)
        assert services.mails_send() == 1
        assert Notice.objects.get(user=bea).mail_tries == 0

    def test_a_server_that_is_away_is_asked_once_and_all_waits(
        self, hours: Hours, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Broken, "away", True)
        assert services.mails_send() == 0
        due = set(Notice.objects.values_list("mail_due_at", "mail_tries"))
        assert due == {(hours.moment + PAUSES[0], 1)}
        monkeypatch.setattr(Broken, "away", False)
        hours(minutes=2)
        assert services.mails_send() == 1

    def test_a_worker_that_dies_before_it_marks_sends_it_once_more(
        self, hours: Hours, carlos: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Killed(BaseException):
            """As kill -9 would."""

        class Dying(EmailBackend):
            def send_messages(self, messages: Any) -> int:
                super().send_messages(messages)
                raise Killed

        Notice.objects.exclude(user=carlos).delete()
        with pytest.raises(Killed):
            services.digest_send(user_id=carlos.pk, connection=Dying())
        assert services.mails_send() == 0  # the lease of the dead one
        hours(minutes=5)
        assert (services.mails_send(), services.mails_send()) == (1, 0)
        assert len(mail.outbox) == 2
