"""Who wants to be let into a club, and who hears of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from accounts import clubs
from accounts.models import Club, JoinRequest, Membership, User
from notices import services, words
from notices.models import Notice
from tests.notices.conftest import unread

pytestmark = pytest.mark.django_db

OFFICE = "/clubs/pena-del-dado/office/"
PAGE = "/clubs/pena-del-dado/"


@pytest.fixture
def club(dora: User, settings: Any) -> Club:
    """A club of dora's that one joins by asking."""
    settings.CLUBS_OPEN = True
    return clubs.club_create(by=dora, name="Peña del Dado")


@pytest.fixture
def request_of_ana(club: Club, ana: User) -> JoinRequest:
    return clubs.club_ask(club=club, user=ana, text="I play on Thursdays.")


def said_to(reader: User, language: str) -> str:
    notice = Notice.objects.get(user=reader)
    with override(language):
        return words.said(notice).body


def test_the_owners_hear_who_asks_and_nobody_else(club: Club, ana: User, bea: User, dora: User, carlos: User) -> None:
    Membership.objects.create(club=club, user=bea, role=Membership.Role.DIRECTOR)
    clubs.club_ask(club=club, user=ana)
    assert [unread(one) for one in (dora, bea, carlos, ana)] == [[("club_asked", OFFICE)], [], [], []]
    assert said_to(dora, "en") == "ana asks to join Peña del Dado."
    assert said_to(dora, "es") == "ana pide entrar en Peña del Dado."


@pytest.mark.parametrize(
    ("accepted", "english", "spanish"),
    [
        (True, "Peña del Dado has taken you in. Welcome!", "Peña del Dado te ha admitido. ¡Te damos la bienvenida!"),
        (False, "Peña del Dado cannot take you in.", "Peña del Dado no puede admitirte."),
    ],
)
def test_who_asked_hears_the_answer_and_the_owners_need_not_answer_any_more(
    request_of_ana: JoinRequest, ana: User, dora: User, accepted: bool, english: str, spanish: str
) -> None:
    clubs.request_answer(request_id=request_of_ana.pk, by=dora, accepted=accepted)
    assert (unread(ana), unread(dora)) == ([("club_answered", PAGE)], [])
    assert (said_to(ana, "en"), said_to(ana, "es")) == (english, spanish)


@pytest.mark.usefixtures("request_of_ana")
def test_who_comes_by_an_invitation_has_answered_himself(club: Club, ana: User, dora: User) -> None:
    made = clubs.invitation_make(club=club, by=dora, days=7)
    clubs.invitation_take(token=made.token, user=ana)
    assert (unread(ana), unread(dora)) == ([], [])


def test_a_wish_that_is_gone_is_taken_back_by_the_sweep(request_of_ana: JoinRequest, dora: User) -> None:
    request_of_ana.delete()
    assert services.notices_check() == 1
    assert unread(dora) == []


def test_an_owner_whose_time_is_over_is_not_asked(club: Club, ana: User, bea: User) -> None:
    Membership.objects.create(club=club, user=bea, role=Membership.Role.OWNER, until="2020-01-01")
    clubs.club_ask(club=club, user=ana)
    assert unread(bea) == []
