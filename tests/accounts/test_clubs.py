"""Clubs: creation, joining, invitations, roles, expiry, and the activity log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone as clock

from accounts.clubs import services as clubs
from accounts.errors import Refused
from accounts.models import Club, ClubEvent, Invitation, JoinRequest, Membership, User
from accounts.users import services as people

pytestmark = pytest.mark.django_db


def refused(act: Callable[[], object]) -> str:
    """The error code."""
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
    """A club of dora's that takes join requests."""
    settings.CLUBS_OPEN = True
    return clubs.club_create(by=dora, name="Peña del Dado")


def test_the_creator_of_a_club_owns_it_under_its_own_slug(club: Club, dora: User) -> None:
    second = clubs.club_create(by=dora, name="Peña del Dado")
    assert (club.slug, second.slug) == ("pena-del-dado", "pena-del-dado-2")
    assert role_of(club, dora) == "owner"
    assert clubs.club_create(by=dora, name="New").slug == "new-2"  # /clubs/new/ is a page


def test_only_staff_create_clubs_unless_the_site_allows_members(ana: User, settings: Any) -> None:
    settings.CLUBS_OPEN = False
    assert refused(lambda: clubs.club_create(by=ana, name="Mine")) == "club_new"
    ana.is_staff = True
    assert clubs.club_create(by=ana, name="Mine").name == "Mine"
    settings.CLUBS_OPEN = True
    assert refused(lambda: clubs.club_create(by=people.guest_create(), name="Mine")) == "club_new"


def test_the_number_of_clubs_a_member_owns_is_limited(
    ana: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CLUBS_OPEN = True
    monkeypatch.setattr(clubs, "MAX_OWNED", 1)
    clubs.club_create(by=ana, name="One")
    assert refused(lambda: clubs.club_create(by=ana, name="Two")) == "club_most"


@pytest.mark.parametrize(("facts", "code"), [({"name": " x "}, "club_name"), ({"timezone": "Mars/X"}, "club_zone")])
def test_a_club_has_a_name_and_a_time_zone(club: Club, dora: User, facts: Any, code: str) -> None:
    assert refused(lambda: clubs.club_update(club=club, by=dora, **facts)) == code


def test_an_update_records_the_changed_fields_and_none_if_nothing_changed(club: Club, dora: User) -> None:
    for _ in range(2):
        clubs.club_update(club=club, by=dora, place="Casino", joining="open")
    event = ClubEvent.objects.get(club=club, kind="changed")
    assert (event.by, event.data) == (dora, {"fields": ["joining", "place"]})


def test_a_user_joins_an_open_club_once(club: Club, ana: User, dora: User) -> None:
    assert refused(lambda: clubs.club_join(club=club, user=ana)) == "club_ask_first"
    club = clubs.club_update(club=club, by=dora, joining="open")
    clubs.club_join(club=club, user=ana)
    assert refused(lambda: clubs.club_join(club=club, user=ana)) == "club_joined"
    assert refused(lambda: clubs.club_join(club=club, user=people.guest_create())) == "club_members_only"
    assert role_of(club, ana) == "member"


def test_an_owner_answers_join_requests(club: Club, ana: User, bea: User, dora: User) -> None:
    first, second = (clubs.join_request_create(club=club, user=user, text="Hello") for user in (ana, bea))
    assert refused(lambda: clubs.join_request_create(club=club, user=ana)) == "club_asked"
    answer = clubs.join_request_answer
    assert refused(lambda: answer(request_id=first.pk, by=ana, accepted=True)) == "club_not_owner"
    answer(request_id=first.pk, by=dora, accepted=True)
    answer(request_id=second.pk, by=dora, accepted=False)
    assert refused(lambda: answer(request_id=first.pk, by=dora, accepted=False)) == "club_no_request"
    assert (role_of(club, ana), role_of(club, bea)) == ("member", "")
    clubs.join_request_create(club=club, user=bea)  # a new request is possible
    assert kinds(club) == ["created", "asked", "asked", "joined", "declined", "asked"]


def test_a_closed_club_is_joined_by_invitation_only(club: Club, ana: User, dora: User) -> None:
    club = clubs.club_update(club=club, by=dora, joining="invited")
    assert refused(lambda: clubs.club_join(club=club, user=ana)) == "club_invited_only"
    assert refused(lambda: clubs.join_request_create(club=club, user=ana)) == "club_invited_only"
    made = clubs.invitation_create(club=club, by=dora, days=7)
    clubs.invitation_accept(token=made.token, user=ana)
    assert role_of(club, ana) == "member"


def test_a_single_use_invitation_works_once(club: Club, ana: User, bea: User, dora: User) -> None:
    made = clubs.invitation_create(club=club, by=dora, days=7)
    clubs.invitation_accept(token=made.token, user=ana)
    assert refused(lambda: clubs.invitation_accept(token=made.token, user=bea)) == "invitation_gone"
    assert Invitation.objects.get().uses == 1


def test_a_member_does_not_use_up_an_invitation(club: Club, ana: User, dora: User) -> None:
    made = clubs.invitation_create(club=club, by=dora, days=7)
    assert refused(lambda: clubs.invitation_accept(token=made.token, user=dora)) == "club_joined"
    assert Invitation.objects.get().uses == 0
    clubs.invitation_accept(token=made.token, user=ana)


def test_a_multiple_use_invitation_admits_all_its_users(club: Club, ana: User, bea: User, dora: User) -> None:
    made = clubs.invitation_create(club=club, by=dora, days=7, most_uses=None)
    for user in (ana, bea):
        clubs.invitation_accept(token=made.token, user=user)
    assert Invitation.objects.get().uses == 2


def test_an_invitation_ends_when_it_expires_or_is_revoked(club: Club, ana: User, dora: User) -> None:
    old, back = (clubs.invitation_create(club=club, by=dora, days=1) for _n in range(2))
    Invitation.objects.filter(pk=old.pk).update(expires_at=clock.now() - timedelta(seconds=1))
    clubs.invitation_revoke(invitation_id=back.pk, by=dora)
    for token in (old.token, back.token, "nothing"):
        assert refused(lambda token=token: clubs.invitation_accept(token=token, user=ana)) == "invitation_gone"


@pytest.mark.parametrize("terms", [{"days": 0}, {"days": 366}, {"days": 1, "most_uses": 0}])
def test_an_invitation_has_limits(club: Club, dora: User, terms: dict[str, int]) -> None:
    assert refused(lambda: clubs.invitation_create(club=club, by=dora, **terms)) == "invitation_terms"


def test_an_invitation_is_e_mailed_if_mail_is_configured(club: Club, dora: User, settings: Any) -> None:
    made = clubs.invitation_create(club=club, by=dora, days=7, email="eva@example.org")
    settings.HAS_MAIL = False
    assert not clubs.invitation_send(invitation=made, link="http://x/1")
    settings.HAS_MAIL = True
    assert clubs.invitation_send(invitation=made, link="http://x/1")
    assert (mail.outbox[0].to, mail.outbox[0].subject) == (["eva@example.org"], "Invitation to Peña del Dado")
    assert "http://x/1" in mail.outbox[0].body


def test_a_club_never_loses_its_last_owner(club: Club, ana: User, dora: User) -> None:
    assert refused(lambda: clubs.club_leave(club=club, user=dora)) == "club_last_owner"
    assert refused(lambda: clubs.member_set_role(club=club, by=dora, user=dora, role="member")) == "club_last_owner"
    assert refused(lambda: clubs.member_remove(club=club, by=dora, user=dora)) == "club_last_owner"
    Membership.objects.create(club=club, user=ana)
    clubs.member_set_role(club=club, by=dora, user=ana, role="owner")
    clubs.club_leave(club=club, user=dora)
    assert (role_of(club, ana), role_of(club, dora)) == ("owner", "")
    assert refused(lambda: clubs.club_leave(club=club, user=ana)) == "club_last_owner"


def test_an_owner_with_a_closed_account_does_not_count(club: Club, ana: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana, role="owner")
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert refused(lambda: clubs.club_leave(club=club, user=dora)) == "club_last_owner"


def test_every_role_change_is_recorded(club: Club, ana: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana)
    clubs.member_set_role(club=club, by=dora, user=ana, role="director")
    clubs.member_set_role(club=club, by=dora, user=ana, role="director")  # changes nothing
    events = ClubEvent.objects.filter(club=club, kind="role")
    assert [(event.by, event.about, event.data) for event in events] == [
        (dora, ana, {"before": "member", "after": "director"})
    ]
    assert refused(lambda: clubs.member_set_role(club=club, by=ana, user=ana, role="owner")) == "club_not_owner"
    assert refused(lambda: clubs.member_set_role(club=club, by=dora, user=ana, role="king")) == "club_role"


def test_a_membership_can_expire_except_for_owners(club: Club, ana: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana)
    last = club.today() + timedelta(days=30)
    assert clubs.member_set_until(club=club, by=dora, user=ana, until=last).until == last
    assert refused(lambda: clubs.member_set_until(club=club, by=dora, user=dora, until=last)) == "club_owner_until"
    assert clubs.member_set_role(club=club, by=dora, user=ana, role="owner").until is None
    assert ClubEvent.objects.get(kind="until").data == {"until": last.isoformat()}


def test_the_default_club_cannot_be_left(ana: User, dora: User) -> None:
    club = clubs.default_club_ensure()
    Membership.objects.create(club=club, user=dora, role="owner")
    assert refused(lambda: clubs.club_leave(club=club, user=ana)) == "club_default_stays"
    assert refused(lambda: clubs.member_remove(club=club, by=dora, user=ana)) == "club_default_stays"
    assert clubs.member_set_role(club=club, by=dora, user=ana, role="director").role == "director"


def test_joining_by_invitation_closes_the_join_request(club: Club, ana: User, dora: User) -> None:
    clubs.join_request_create(club=club, user=ana)
    clubs.invitation_accept(token=clubs.invitation_create(club=club, by=dora, days=7).token, user=ana)
    assert not JoinRequest.objects.filter(accepted=None).exists()
