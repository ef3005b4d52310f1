"""Requests to join a club, and who is notified of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from accounts.clubs import services as clubs
from accounts.models import Club, JoinRequest, Membership, User
from notifications import sentences, services
from notifications.models import Notification
from tests.notifications.conftest import unread

pytestmark = pytest.mark.django_db

OFFICE = "/clubs/pena-del-dado/office/"
PAGE = "/clubs/pena-del-dado/"


@pytest.fixture
def club(dora: User, settings: Any) -> Club:
    """A club of dora's with join requests."""
    settings.CLUBS_OPEN = True
    return clubs.club_create(by=dora, name="Peña del Dado")


@pytest.fixture
def request_of_ana(club: Club, ana: User) -> JoinRequest:
    return clubs.join_request_create(club=club, user=ana, text="I play on Thursdays.")


def notification_text(reader: User, language: str) -> str:
    notification = Notification.objects.get(user=reader)
    with override(language):
        return sentences.text_of(notification).body


def test_only_owners_are_notified_of_join_requests(club: Club, ana: User, bea: User, dora: User, carlos: User) -> None:
    Membership.objects.create(club=club, user=bea, role=Membership.Role.DIRECTOR)
    clubs.join_request_create(club=club, user=ana)
    assert [unread(user) for user in (dora, bea, carlos, ana)] == [[("club_asked", OFFICE)], [], [], []]
    assert notification_text(dora, "en") == "ana asks to join Peña del Dado."
    assert notification_text(dora, "es") == "ana pide entrar en Peña del Dado."


@pytest.mark.parametrize(
    ("accepted", "english", "spanish"),
    [
        (
            True,
            "Peña del Dado accepted your request to join. Welcome!",
            "Peña del Dado ha aceptado tu solicitud. ¡Te damos la bienvenida!",
        ),
        (False, "Peña del Dado declined your request to join.", "Peña del Dado ha rechazado tu solicitud."),
    ],
)
def test_an_answer_notifies_the_requester_and_expires_the_owners_notification(
    request_of_ana: JoinRequest, ana: User, dora: User, accepted: bool, english: str, spanish: str
) -> None:
    clubs.join_request_answer(request_id=request_of_ana.pk, by=dora, accepted=accepted)
    assert (unread(ana), unread(dora)) == ([("club_answered", PAGE)], [])
    assert (notification_text(ana, "en"), notification_text(ana, "es")) == (english, spanish)


@pytest.mark.usefixtures("request_of_ana")
def test_accepting_an_invitation_settles_the_join_request(club: Club, ana: User, dora: User) -> None:
    made = clubs.invitation_create(club=club, by=dora, days=7)
    clubs.invitation_accept(token=made.token, user=ana)
    assert (unread(ana), unread(dora)) == ([], [])


def test_the_sweep_withdraws_notifications_of_deleted_join_requests(request_of_ana: JoinRequest, dora: User) -> None:
    request_of_ana.delete()
    assert services.notifications_expire() == 1
    assert unread(dora) == []


def test_a_former_owner_is_not_notified(club: Club, ana: User, bea: User) -> None:
    Membership.objects.create(club=club, user=bea, role=Membership.Role.OWNER, until="2020-01-01")
    clubs.join_request_create(club=club, user=ana)
    assert unread(bea) == []
