"""Directors have access to the matches of their tournaments, whoever blocked them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from games.errors import ViewerBlocked
from games.models import Match
from games.selectors import match_state
from tests.tournaments.conftest import ready
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_a_block_excludes_a_spectator_but_not_the_director(
    tournament: Callable[..., Tournament], ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = tournament()
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert ready(made)
    match = Match.objects.get(arranged=True)
    for blocked in (carlos, dora):
        relationships.relationship_create(by=bea, about=blocked, kind=relationship_selectors.BLOCK)
    assert match_state.match_event(match_id=match.pk, user_id=dora.pk)[1] is None
    with pytest.raises(ViewerBlocked):
        match_state.match_event(match_id=match.pk, user_id=carlos.pk)


def test_two_players_who_blocked_each_other_are_paired_and_play(
    tournament: Callable[..., Tournament], ana: User, bea: User, dora: User
) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=relationship_selectors.BLOCK)
    made = tournament()
    for player in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Match.objects.get(arranged=True)
    for seated in (ana, bea):
        assert match_state.match_event(match_id=match.pk, user_id=seated.pk)[1] is not None
