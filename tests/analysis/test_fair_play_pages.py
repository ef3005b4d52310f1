"""Directors see outliers, and every view is logged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Club, Membership, User
from accounts.users import services as user_services
from analysis.models import FairPlayView, MatchTally
from analysis.selectors import fair_play
from analysis.services import tallies
from games.database import now
from games.models import Rating, RatingPool
from tests.analysis.cards import play, played, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return Club.objects.get(is_default=True)


@pytest.fixture
def director(dora: User, club: Club) -> User:
    Membership.objects.update_or_create(club=club, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    return dora


@pytest.fixture
def rated(ana: User, bea: User, person: Callable[..., User]) -> list[User]:
    """Nine members with ratings and analyses: the better, the fewer errors; but ana makes far fewer than all."""
    match = played(ana, bea, at=now() - timedelta(days=3))
    report = report_of(match, play(4, "white"), play(6, "black"))
    tallies.report_count(report_id=report.pk)
    pool = RatingPool.objects.create(variant="backgammon", pace="live")
    users = [ana, bea, *(person(f"member{n}") for n in range(7))]
    MatchTally.objects.all().delete()
    for n, user in enumerate(users):
        Rating.objects.create(pool=pool, user=user, rating=1500 + 20 * n, peak=1500, peak_at=now(), last_at=now())
        lost = 1.0 if user == ana else 10.0 - 0.2 * n + (0.05 if n % 2 else -0.05)
        MatchTally.objects.create(
            report=report, match=match, user=user, ended_at=match.ended_at, decisions=300, lost=lost,
            pace={"count": 0, "x": 0, "y": 0, "xx": 0, "yy": 0, "xy": 0},
        )  # fmt: skip
    return users


def test_an_outlier_is_listed_first(rated: list[User], club: Club, ana: User) -> None:
    found = fair_play.fair_play_report(club)
    assert len(found) == 9
    assert (found[0].numbers.player, found[0].few_errors) == (ana, True)
    assert [finding.numbers.player for finding in found if finding.stands_out] == [ana]


def test_every_view_is_logged(rated: list[User], club: Club, director: User, ana: User, client: Client) -> None:
    client.force_login(director, backend=user_services.BACKEND)
    page = client.get(reverse("club-fair-play", args=[club.slug])).content.decode()
    assert "few errors" in page
    assert "These numbers prove nothing on their own." in page
    assert client.get(reverse("club-fair-play-player", args=[club.slug, "ana"])).status_code == 200
    views = list(FairPlayView.objects.values_list("by", "about"))
    assert views == [(director.pk, ana.pk), (director.pk, None)]


def test_others_are_refused_and_no_view_is_logged(rated: list[User], club: Club, bea: User, client: Client) -> None:
    client.force_login(bea, backend=user_services.BACKEND)
    for url in (
        reverse("club-fair-play", args=[club.slug]),
        reverse("club-fair-play-player", args=[club.slug, "ana"]),
    ):
        answer = client.get(url)
        assert answer.status_code == 403
        assert "few errors" not in answer.content.decode()
    assert not FairPlayView.objects.exists()


def test_a_club_sees_only_its_own_members(rated: list[User], director: User, ana: User, client: Client) -> None:
    other = Club.objects.create(name="Otro", slug="otro")
    Membership.objects.create(club=other, user=director, role=Membership.Role.OWNER)
    assert fair_play.fair_play_report(other) == []
    client.force_login(director, backend=user_services.BACKEND)
    assert client.get(reverse("club-fair-play-player", args=["otro", "ana"])).status_code == 404
