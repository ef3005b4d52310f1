"""Bots as entrants: they are at their boards at once, and their matches are never rated."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from accounts.users.services import house_bot_ensure
from games import services as play
from games.models import Match
from tests.games.clock_control import Time
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_two_bots_play_their_pairing_by_themselves(
    tournament: Callable[..., Tournament], dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time(monkeypatch)
    made = tournament(variant="hypergammon", lengths=[1], rated=False)
    for level in (3, 4):
        services.entrant_add(tournament_id=made.pk, user=dora, player=house_bot_ensure(level))
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Match.objects.get(arranged=True)
    assert (match.status, match.rated) == ("live", False)
    for _ in range(2000):
        time(seconds=(play.bot_act(match_id=match.pk) or 0) + 0.01)
        match.refresh_from_db()
        if match.status != "live":
            break
    assert (match.status, match.ended_by) == ("over", "score")


def test_a_bot_waits_at_the_board_of_a_member(tournament: Callable[..., Tournament], dora: User, ana: User) -> None:
    made = tournament(lengths=[3], rated=True)
    for player in (ana, house_bot_ensure(1)):
        services.entrant_add(tournament_id=made.pk, user=dora, player=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Match.objects.get(arranged=True)
    assert (match.status, match.rated) == ("open", False)
    play.match_arrive(match_id=match.pk, user=ana)
    match.refresh_from_db()
    assert match.status == "live"
    assert match.bot_at is not None
