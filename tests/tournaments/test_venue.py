"""Venue mode (ruling E27): taken out of the club's site, played without it, brought back once, with nothing changed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Club, Membership, User
from games.models import Match, RatedMatch
from games.services import pool_rebuild
from games.services.over_the_board import board_match_record
from tests.tournaments.conftest import fresh, ready, terms
from tests.tournaments.venue_site import figures, played_at_venue, sync, taken_out
from tournaments import services, venue_file
from tournaments.errors import Refused
from tournaments.models import OutsideResult, Tournament, VenueCopy
from tournaments.roles import DeskAct
from tournaments.selectors.lookups import desk_tournament

pytestmark = pytest.mark.django_db
PLAYERS = 6


def code_of(act: Callable[..., object], **arguments: Any) -> str:
    with pytest.raises(Refused) as found, transaction.atomic():
        act(**arguments)
    assert found.value.text
    return found.value.code


@pytest.fixture
def club(dora: User) -> Club:
    made = Club.objects.create(name="Peña", slug="pena", outside=True)
    Membership.objects.create(club=made, user=dora, role="owner")
    return made


@pytest.fixture
def players(person: Callable[..., User]) -> list[User]:
    return [person(name) for name in ("ana", "bea", "carlos", "elena", "fabio", "gina")]


@pytest.fixture
def swiss(club: Club, players: list[User], dora: User) -> Tournament:
    """A rated Swiss over the board, of six members and a walk-in, that has not begun."""
    made = services.tournament_create(
        creator=dora,
        club=club,
        name="Open de otoño",
        terms=terms("swiss", config={"rounds": 3}, rated=True, clock="club", venue="board", lengths=[5]),
    )
    for user in players:
        services.entrant_register(tournament_id=made.pk, user=user)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    return made


def enter(made: Tournament, user: User, key: str) -> None:
    """Enter a result that depends on the pairing alone."""
    pairing = fresh(made).by_key[key]
    a, b = pairing.entrants
    points = (5, (a + b) % 5) if (a * b) % 3 else ((a + 2 * b) % 5, 5)
    winner = a if points[0] == 5 else b
    services.result_enter(tournament_id=made.pk, user=user, key=key, winner=winner, points=points)


def play(made: Tournament, user: User, *, rounds: int = 3, each: Callable[[], object] = lambda: None) -> None:
    """Play rounds: in each the last pairing first, with a correction and an undo on the way."""
    if fresh(made).phase == "open":
        services.tournament_start(tournament_id=made.pk, user=user)
    for _round in range(rounds):
        keys = ready(made)
        for key in reversed(keys):
            enter(made, user, key)
            each()
        result = fresh(made).by_key[keys[0]].result
        assert result is not None
        a, b = fresh(made).by_key[keys[0]].entrants
        loser = b if result.winner == a else a
        points = (5, 1) if loser == a else (1, 5)
        change = {"key": keys[0], "winner": loser, "points": points, "why": "Read wrong"}
        services.result_correct(tournament_id=made.pk, user=user, **change, agreed=set(ready(made)))
        each()


def test_what_was_played_at_the_venue_gives_the_figures_of_a_straight_run(swiss: Tournament, dora: User) -> None:
    straight = transaction.savepoint()
    play(swiss, dora, each=lambda: sync(swiss))
    expected = figures(swiss)
    transaction.savepoint_rollback(straight)
    assert (len(expected["ratings"]), len(expected["places"])) == (6, 7)

    with played_at_venue(taken_out(swiss, dora), director=dora) as venue:
        play(venue.tournament, dora, each=lambda: sync(venue.tournament))
        assert not RatedMatch.objects.exists()  # they count on the club's site
    found = services.venue_results_bring(tournament_id=swiss.pk, user=dora, data=venue.results)
    assert figures(swiss) == expected
    swiss.refresh_from_db()
    assert (swiss.phase, fresh(swiss).venue_stay, len(found.results)) == ("over", None, 9)
    finished = swiss.events.filter(kind="finished").get()
    assert swiss.ended_at == finished.at
