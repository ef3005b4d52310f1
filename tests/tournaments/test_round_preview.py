"""The pairings of the next round are looked at and changed before they are published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.errors import Refused
from tournaments.formats.core import Invalid, PairingReason, Round
from tournaments.formats.swiss import changed_round
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PROPOSED = Round("swiss", 1, ((1, 3), (2, 4)), 5, (PairingReason("fold"), PairingReason("fold"), PairingReason("bye")))


@pytest.fixture
def swiss(tournament: Callable[..., Tournament]) -> Tournament:
    """Five walk-ins in a Swiss whose rounds dora opens by hand."""
    return tournament(walk_ins=5, start=True, format_="swiss", config={"rounds": 3}, pace="hand")


def preview(dora: User, made: Tournament, **query: Any) -> Any:
    client = Client(headers={"accept-language": "en"})
    client.force_login(dora, backend=people.BACKEND)
    return client.get(reverse("desk-round-preview", args=[made.pk]), query)


def sides(answer: Any) -> list[tuple[int, ...]]:
    return [tuple(side.number for side in pair.sides) for pair in answer.context["preview"].pairs]


def test_pairs_that_the_director_changed_say_so_and_all_play_once() -> None:
    changed = changed_round(PROPOSED, [(1, 5), (2, 4)], 3)
    assert changed.whys == (PairingReason("forced"), PairingReason("fold"), PairingReason("forced"))
    for pairs, bye in (([(1, 3), (2, 4)], None), ([(1, 3), (2, 3)], 5), ([(1, 3), (2, 6)], 5), ([], 5)):
        with pytest.raises(Invalid):
            changed_round(PROPOSED, pairs, bye)


def test_a_look_at_the_pairings_publishes_nothing(swiss: Tournament, dora: User) -> None:
    version = swiss.version
    assert sides(preview(dora, swiss)) == [(1, 3), (2, 4), (5,)]
    swiss.refresh_from_db()
    assert (swiss.version, fresh(swiss).rounds) == (version, ())


def test_two_players_are_swapped_and_the_round_is_published_like_that(swiss: Tournament, dora: User) -> None:
    answer = preview(dora, swiss, swap=["3", "5"])
    assert sides(answer) == [(1, 5), (2, 4), (3,)]
    again = preview(dora, swiss, pairs=answer.context["preview"].code, bye="3", swap=["1", "2"])
    assert sides(again) == [(2, 5), (1, 4), (3,)]
    assert [pair.changed for pair in again.context["preview"].pairs] == [True, True, True]
    services.round_pair(tournament_id=swiss.pk, user=dora, pairs=[(2, 5), (1, 4)], bye=3)
    (round_,) = fresh(swiss).rounds
    assert (round_.pairs, round_.bye) == (((2, 5), (1, 4)), 3)
    assert fresh(swiss).by_key["swiss-1-1"].why == PairingReason("forced")


def test_pairs_of_a_round_that_has_changed_meanwhile_are_refused(swiss: Tournament, dora: User) -> None:
    services.entrant_withdraw(tournament_id=swiss.pk, user=dora, number=5)
    with pytest.raises(Refused) as refusal:
        services.round_pair(tournament_id=swiss.pk, user=dora, pairs=[(2, 5), (1, 4)], bye=3)
    assert refusal.value.code == "round_pairs"
    assert preview(dora, swiss, pairs="2-5.1-4", bye="3").status_code == 302


def test_a_swap_needs_two_players(swiss: Tournament, dora: User) -> None:
    answer = preview(dora, swiss, swap=["3"])
    assert "Choose exactly two players to swap." in answer.content.decode()
    assert sides(answer) == [(1, 3), (2, 4), (5,)]
