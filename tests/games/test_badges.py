"""The badges on the profile: what is earned, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services
from games.models import Match
from games.selectors.badges import longest_streak

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("results", "longest"),
    [([], 0), ([False], 0), ([True, True, False, True], 2), ([True, False, True, True, True], 3)],
)
def test_a_streak_is_the_most_wins_in_a_row(results: list[bool], longest: int) -> None:
    assert longest_streak(results) == longest


def test_a_player_without_matches_has_no_badges(client: Client, ana: User) -> None:
    assert "Badges" not in client.get(reverse("player", args=["ana"])).content.decode()


def test_the_first_match_won_and_a_streak_are_earned(
    client: Client, open_table: Callable[..., Match], ana: User, bea: User
) -> None:
    for n in range(5):
        match = open_table(length=3)
        services.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id=f"give-up-{n}")
        services.facts_make(match_id=match.pk)
    page = client.get(reverse("player", args=["ana"])).content.decode()
    assert "First match won" in page
    assert "Five matches won in a row" in page
    assert "Ten matches won in a row" not in page
    assert "Five matches won in a row" not in client.get(reverse("player", args=["bea"])).content.decode()
