"""Who directs a tournament sees its matches, whoever blocked him."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts import ties
from accounts.models import User
from games.errors import KeptOut
from games.models import Match
from games.selectors import table
from tests.tournaments.conftest import ready
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_a_block_keeps_a_spectator_out_and_not_the_director(
    tournament: Callable[..., Tournament], ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = tournament()
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert ready(made)
    match = Match.objects.get(arranged=True)
    for blocked in (carlos, dora):
        ties.tie_make(by=bea, about=blocked, kind=ties.BLOCK)
    assert table.match_event(match_id=match.pk, user_id=dora.pk)[1] is None
    with pytest.raises(KeptOut):
        table.match_event(match_id=match.pk, user_id=carlos.pk)


def test_two_who_blocked_each_other_are_paired_and_play(
    tournament: Callable[..., Tournament], ana: User, bea: User, dora: User
) -> None:
    ties.tie_make(by=ana, about=bea, kind=ties.BLOCK)
    made = tournament()
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Match.objects.get(arranged=True)
    for seated in (ana, bea):
        assert table.match_event(match_id=match.pk, user_id=seated.pk)[1] is not None
