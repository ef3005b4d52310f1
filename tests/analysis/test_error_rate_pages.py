"""Error rates are private unless their owner shares them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from analysis.models import AnalysisPreferences, MatchTally
from analysis.selectors import error_rates
from analysis.services import tallies
from games.database import now
from games.models import Match
from tests.analysis.cards import play, played, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def matches(ana: User, bea: User) -> list[Match]:
    """Three matches of last week, in which ana lost 0.1, 0.2 and 0.3 in one decision each."""
    found = []
    for n in (1, 2, 3):
        match = played(ana, bea, at=now() - timedelta(days=7 - n))
        report = report_of(match, play(4, "white", loss=0.1 * n, grade="error"), play(6, "black"))
        tallies.report_count(report_id=report.pk)
        found.append(match)
    return found


def test_the_error_rate_chart_covers_the_last_matches(matches: list[Match], ana: User, bea: User) -> None:
    errors = error_rates.player_errors(ana)
    assert [row.match for row in errors.rows] == matches
    assert [round(row.rolling, 1) for row in errors.rows] == [50.0, 75.0, 100.0]
    assert [row.opponent.user for row in errors.rows if row.opponent] == [bea] * 3
    assert (errors.total.decisions, round(errors.total.lost, 3), errors.rate) == (3, 0.6, None)
    assert round(errors.parts["contact"].rate or 0) == 100
    assert [(row.kind, row.count, round(row.lost, 3)) for row in errors.kinds] == [("other", 3, 0.6)]


def test_the_number_of_queries_does_not_grow_with_the_matches(
    matches: list[Match], ana: User, client: Client, django_assert_max_num_queries: Any
) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    client.get(reverse("player-errors", args=["ana"]))
    with django_assert_max_num_queries(11):
        assert client.get(reverse("player-errors", args=["ana"])).status_code == 200


def test_a_private_page_is_hidden_from_other_users(matches: list[Match], ana: User, bea: User, client: Client) -> None:
    url = reverse("player-errors", args=["ana"])
    assert client.get(url).status_code == 403
    client.force_login(bea, backend=user_services.BACKEND)
    answer = client.get(url)
    assert answer.status_code == 403
    assert "100" not in answer.content.decode().split("<main")[1].split("</main>")[0]


def test_a_shared_page_is_visible_and_can_be_made_private_again(
    matches: list[Match], ana: User, client: Client
) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    client.post(reverse("errors-show"), {"public": "on"})
    assert Client().get(reverse("player-errors", args=["ana"])).status_code == 200
    client.post(reverse("errors-show"))
    assert Client().get(reverse("player-errors", args=["ana"])).status_code == 403


def test_the_ranking_lists_users_who_share_enough_matches(
    matches: list[Match], ana: User, bea: User, client: Client
) -> None:
    MatchTally.objects.update(decisions=120)
    assert error_rates.ranked_players() == []
    AnalysisPreferences.objects.create(user=ana, public=True)
    AnalysisPreferences.objects.create(user=bea, public=True)
    assert [(ranked.place, ranked.player) for ranked in error_rates.ranked_players()] == [(1, bea), (2, ana)]
    page = client.get(reverse("error-ladder")).content.decode()
    assert page.index("<bdi>bea</bdi>") < page.index("<bdi>ana</bdi>")
    MatchTally.objects.filter(user=bea).update(ended_at=now() - timedelta(days=200))
    assert [ranked.player for ranked in error_rates.ranked_players()] == [ana]
