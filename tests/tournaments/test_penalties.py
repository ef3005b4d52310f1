"""Penalties: points as a lead of the opponent, and what is public of a ruling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from games import services as play
from games.selectors.match_files import match_text
from tests.replayed_state import replayed_state
from tests.tournaments.conftest import fresh
from tests.tournaments.site_matches import play_on_site
from tests.tournaments.test_services import enter, refused
from tournaments import services
from tournaments.models import Meeting, Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def penalise(tournament: Tournament, dora: User, number: int, points: int) -> None:
    services.penalty_give(tournament_id=tournament.pk, user=dora, key="main-1-1", number=number, points=points)


def test_penalty_points_are_the_lead_of_the_opponent_from_the_first_game(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(lengths=[5])
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    facts = {"key": "main-1-1", "number": 1, "points": 1}
    refused("not_referee", services.penalty_give, tournament_id=made.pk, user=ana, **facts)
    refused("penalty", services.penalty_give, tournament_id=made.pk, user=dora, **{**facts, "points": 6})
    refused("not_entered", services.penalty_give, tournament_id=made.pk, user=dora, **{**facts, "number": 9})
    penalise(made, dora, 1, 4)
    match = play_on_site(made, "main-1-1", bea)
    assert match.games.get(number=1).score_before == {"length": 5, "white": 0, "black": 4, "crawford": True}
    assert replayed_state(match).score.points("black") == 4
    assert " ana : 0" in match_text(match, "mat")
    assert "bea : 4" in match_text(match, "mat")
    assert fresh(made).by_key["main-1-1"].result.points == (0, 4)


def test_as_many_penalty_points_as_the_match_length_lose_the_match(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True)
    penalise(made, dora, 1, 3)
    assert (fresh(made).by_key["main-1-1"].result.winner, fresh(made).phase) == (2, "over")


def test_a_reported_score_includes_the_lead(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament(lengths=[5])
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    penalise(made, dora, 1, 2)
    arguments = {"tournament_id": made.pk, "user": ana, "key": "main-1-1", "winner": 1}
    refused("report_lead", services.result_report, **arguments, points=(5, 1))
    services.result_report(**arguments, points=(5, 2))


def test_an_undone_penalty_removes_the_lead_but_a_live_match_keeps_its_score(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(lengths=[5])
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    match = Meeting.objects.get(tournament=made).match
    for points in (2, 0, 3):
        penalise(made, dora, 2, points)
        assert match.seats.get(side="white").points == points
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    refused("in_play", services.penalty_give, tournament_id=made.pk, user=dora, key="main-1-1", number=1, points=1)


def test_the_reason_of_a_ruling_is_public(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True)
    arguments = {"tournament_id": made.pk, "user": dora, "key": "main-1-1", "winner": 1, "how": "walkover"}
    refused("no_reason", services.result_enter, **arguments, why="x" * 201)
    services.result_enter(**arguments, why="  the opponent  went home ")
    result = fresh(made).by_key["main-1-1"].result
    assert (result.why, result.corrected) == ("the opponent went home", False)
