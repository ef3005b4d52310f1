"""Clubs and their people: opening one, joining, invitations, roles, terms, and what is written down of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone as clock

from accounts import clubs
from accounts import services as people
from accounts.errors import Refused
from accounts.models import Club, ClubEvent, Invitation, JoinRequest, Membership, User

pytestmark = pytest.mark.django_db


def refused(act: Callable[[], object]) -> str:
    """The code with which it is refused."""
    with pytest.raises(Refused) as found:
        act()
    return found.value.code


def role_of(club: Club, user: User) -> str:
    row = Membership.objects.filter(club=club, user=user).first()
    return row.role if row else ""


def kinds(club: Club) -> list[str]:
    return list(ClubEvent.objects.filter(club=club).order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def club(dora: User, settings: Any) -> Club:
    """A club of dora's that one joins by asking."""
    settings.CLUBS_OPEN = True
    return clubs.club_create(by=dora, name="Peña del Dado")


def test_who_opens_a_club_owns_it_under_an_address_of_its_own(club: Club, dora: User) -> None:
    again = clubs.club_create(by=dora, name="Peña del Dado")
    assert (club.slug, again.slug) == ("pena-del-dado", "pena-del-dado-2")
    assert role_of(club, dora) == "owner"
    assert clubs.club_create(by=dora, name="New").slug == "new-2"  # /clubs/new/ is ours


def test_only_the_staff_opens_clubs_unless_the_site_says_otherwise(ana: User, settings: Any) -> None:
    settings.CLUBS_OPEN = False
    assert refused(lambda: clubs.club_create(by=ana, name="Mine")) == "club_new"
    ana.is_staff = True
    assert clubs.club_create(by=ana, name="Mine").name == "Mine"
    settings.CLUBS_OPEN = True
    assert refused(lambda: clubs.club_create(by=people.guest_create(), name="Mine")) == "club_new"


def test_a_member_owns_so_many_clubs_and_no_more(ana: User, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CLUBS_OPEN = True
    monkeypatch.setattr(clubs, "MOST_OWNED", 1)
    clubs.club_create(by=ana, name="One")
    assert refused(lambda: clubs.club_create(by=ana, name="Two")) == "club_most"


@pytest.mark.parametrize(("facts", "code"), [({"name": " x "}, "club_name"), ({"timezone": "Mars/X"}, "club_zone")])
def test_a_club_has_a_name_and_a_place_on_the_clock(club: Club, dora: User, facts: Any, code: str) -> None:
    assert refused(lambda: clubs.club_change(club=club, by=dora, **facts)) == code


def test_a_change_says_what_was_changed_and_saying_the_same_changes_nothing(club: Club, dora: User) -> None:
    for _again in range(2):
        clubs.club_change(club=club, by=dora, place="Casino", joining="open")
    told = ClubEvent.objects.get(club=club, kind="changed")
    assert (told.by, told.data) == (dora, {"fields": ["joining", "place"]})


def test_one_steps_into_an_open_club_once(club: Club, ana: User, dora: User) -> None:
    assert refused(lambda: clubs.club_join(club=club, user=ana)) == "club_ask_first"
    club = clubs.club_change(club=club, by=dora, joining="open")
    clubs.club_join(club=club, user=ana)
    assert refused(lambda: clubs.club_join(club=club, user=ana)) == "club_joined"
    assert refused(lambda: clubs.club_join(club=club, user=people.guest_create())) == "club_members_only"
    assert role_of(club, ana) == "member"


def test_an_owner_answers_who_asks(club: Club, ana: User, bea: User, dora: User) -> None:
    first, second = (clubs.club_ask(club=club, user=user, text="Hello") for user in (ana, bea))
    assert refused(lambda: clubs.club_ask(club=club, user=ana)) == "club_asked"
    answer = clubs.request_answer
    assert refused(lambda: answer(request_id=first.pk, by=ana, accepted=True)) == "club_not_owner"
    answer(request_id=first.pk, by=dora, accepted=True)
    answer(request_id=second.pk, by=dora, accepted=False)
    assert refused(lambda: answer(request_id=first.pk, by=dora, accepted=False)) == "club_no_request"
    assert (role_of(club, ana), role_of(club, bea)) == ("member", "")
    clubs.club_ask(club=club, user=bea)  # he may ask again
    assert kinds(club) == ["created", "asked", "asked", "joined", "declined", "asked"]


def test_one_joins_a_closed_club_by_invitation_only(club: Club, ana: User, dora: User) -> None:
    club = clubs.club_change(club=club, by=dora, joining="invited")
    assert refused(lambda: clubs.club_join(club=club, user=ana)) == "club_invited_only"
    assert refused(lambda: clubs.club_ask(club=club, user=ana)) == "club_invited_only"
    made = clubs.invitation_make(club=club, by=dora, days=7)
    clubs.invitation_take(token=made.token, user=ana)
    assert role_of(club, ana) == "member"


def test_an_invitation_for_one_is_spent_by_one(club: Club, ana: User, bea: User, dora: User) -> None:
    made = clubs.invitation_make(club=club, by=dora, days=7)
    clubs.invitation_take(token=made.token, user=ana)
    assert refused(lambda: clubs.invitation_take(token=made.token, user=bea)) == "invitation_gone"
    assert Invitation.objects.get().uses == 1


def test_a_member_does_not_spend_an_invitation(club: Club, ana: User, dora: User) -> None:
    made = clubs.invitation_make(club=club, by=dora, days=7)
    assert refused(lambda: clubs.invitation_take(token=made.token, user=dora)) == "club_joined"
    assert Invitation.objects.get().uses == 0
    clubs.invitation_take(token=made.token, user=ana)


def test_an_invitation_for_many_lets_all_of_them_in(club: Club, ana: User, bea: User, dora: User) -> None:
    made = clubs.invitation_make(club=club, by=dora, days=7, most_uses=None)
    for user in (ana, bea):
        clubs.invitation_take(token=made.token, user=user)
    assert Invitation.objects.get().uses == 2


def test_an_invitation_ends_with_its_time_or_when_it_is_taken_back(club: Club, ana: User, dora: User) -> None:
    old, back = (clubs.invitation_make(club=club, by=dora, days=1) for _n in range(2))
    Invitation.objects.filter(pk=old.pk).update(expires_at=clock.now() - timedelta(seconds=1))
    clubs.invitation_revoke(invitation_id=back.pk, by=dora)
    for token in (old.token, back.token, "nothing"):
        assert refused(lambda token=token: clubs.invitation_take(token=token, user=ana)) == "invitation_gone"


@pytest.mark.parametrize("terms", [{"days": 0}, {"days": 366}, {"days": 1, "most_uses": 0}])
def test_an_invitation_has_bounds(club: Club, dora: User, terms: dict[str, int]) -> None:
    assert refused(lambda: clubs.invitation_make(club=club, by=dora, **terms)) == "invitation_terms"


def test_an_invitation_is_sent_where_there_is_mail(club: Club, dora: User, settings: Any) -> None:
    made = clubs.invitation_make(club=club, by=dora, days=7, email="eva@example.org")
    settings.HAS_MAIL = False
    assert not clubs.invitation_send(invitation=made, link="http://x/1")
    settings.HAS_MAIL = True
    assert clubs.invitation_send(invitation=made, link="http://x/1")
    assert (mail.outbox[0].to, mail.outbox[0].subject) == (["eva@example.org"], "An invitation to Peña del Dado")
    assert "http://x/1" in mail.outbox[0].body


def test_a_club_never_loses_its_last_owner(club: Club, ana: User, dora: User) -> None:
    assert refused(lambda: clubs.club_leave(club=club, user=dora)) == "club_last_owner"
    assert refused(lambda: clubs.member_role(club=club, by=dora, user=dora, role="member")) == "club_last_owner"
    assert refused(lambda: clubs.member_remove(club=club, by=dora, user=dora)) == "club_last_owner"
    Membership.objects.create(club=club, user=ana)
    clubs.member_role(club=club, by=dora, user=ana, role="owner")
    clubs.club_leave(club=club, user=dora)
    assert (role_of(club, ana), role_of(club, dora)) == ("owner", "")
    assert refused(lambda: clubs.club_leave(club=club, user=ana)) == "club_last_owner"


def test_an_owner_whose_account_is_closed_is_none(club: Club, ana: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana, role="owner")
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert refused(lambda: clubs.club_leave(club=club, user=dora)) == "club_last_owner"


def test_every_change_of_a_role_is_written_down(club: Club, ana: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana)
    clubs.member_role(club=club, by=dora, user=ana, role="director")
    clubs.member_role(club=club, by=dora, user=ana, role="director")  # changes nothing
    told = ClubEvent.objects.filter(club=club, kind="role")
    assert [(one.by, one.about, one.data) for one in told] == [(dora, ana, {"before": "member", "after": "director"})]
    assert refused(lambda: clubs.member_role(club=club, by=ana, user=ana, role="owner")) == "club_not_owner"
    assert refused(lambda: clubs.member_role(club=club, by=dora, user=ana, role="king")) == "club_role"


def test_a_member_has_a_last_day_and_an_owner_has_none(club: Club, ana: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana)
    last = club.today() + timedelta(days=30)
    assert clubs.member_until(club=club, by=dora, user=ana, until=last).until == last
    assert refused(lambda: clubs.member_until(club=club, by=dora, user=dora, until=last)) == "club_owner_until"
    assert clubs.member_role(club=club, by=dora, user=ana, role="owner").until is None
    assert ClubEvent.objects.get(kind="until").data == {"until": last.isoformat()}


def test_nobody_leaves_the_club_that_everybody_belongs_to(ana: User, dora: User) -> None:
    club = people.club_ensure_default()
    Membership.objects.create(club=club, user=dora, role="owner")
    assert refused(lambda: clubs.club_leave(club=club, user=ana)) == "club_default_stays"
    assert refused(lambda: clubs.member_remove(club=club, by=dora, user=ana)) == "club_default_stays"
    assert clubs.member_role(club=club, by=dora, user=ana, role="director").role == "director"


def test_who_came_by_invitation_is_no_longer_asked_about(club: Club, ana: User, dora: User) -> None:
    clubs.club_ask(club=club, user=ana)
    clubs.invitation_take(token=clubs.invitation_make(club=club, by=dora, days=7).token, user=ana)
    assert not JoinRequest.objects.filter(accepted=None).exists()
