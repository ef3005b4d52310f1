"""Late entries: byes that they take, rounds that they missed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.test_services import enter, refused
from tournaments import services
from tournaments.models import Entrant, Meeting, Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def test_a_late_entry_takes_a_bye_with_penalty_points(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament(start=False)
    enter(made, ana, bea)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Walk-in")
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert ready(made) == ["main-1-2"]
    carlos = User.objects.create_user("carlos")
    refused("not_director", services.entrant_late, tournament_id=made.pk, user=ana, player=carlos)
    late = services.entrant_late(tournament_id=made.pk, user=dora, player=carlos, points=2)
    state = fresh(made)
    assert (state.order, ready(made)) == ((1, 2, 3, 4), ["main-1-1", "main-1-2"])
    assert state.by_key["main-1-1"].entrants == (1, late.number)
    match = Meeting.objects.get(tournament=made, key="main-1-1").match
    assert {seat.user: seat.points for seat in match.seats.all()} == {ana: 2, carlos: 0}
    refused("no_bye", services.entrant_late, tournament_id=made.pk, user=dora, name="Fifth")
    act = made.events.get(kind="late").act
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert (fresh(made).order, ready(made)) == ((1, 2, 3), ["main-1-2"])
    assert Entrant.objects.get(tournament=made, number=4).withdrawn
    services.act_redo(tournament_id=made.pk, user=dora, act=act)
    assert fresh(made).order == (1, 2, 3, 4)


def test_a_late_entry_cannot_take_a_bye_whose_holder_plays_the_next_match(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=3, start=True)
    services.result_enter(tournament_id=made.pk, user=dora, key="main-1-2", winner=2, points=(3, 0))
    services.result_enter(tournament_id=made.pk, user=dora, key="main-2-1", winner=1, points=(3, 0))
    refused("already_over", services.entrant_late, tournament_id=made.pk, user=dora, name="Late")
    five = tournament(walk_ins=5, start=True)  # 4 meets 5 for the place against 1; byes of 1, 2 and 3
    services.result_enter(tournament_id=five.pk, user=dora, key="main-2-2", winner=2, points=(3, 0))
    refused("late_started", services.entrant_late, tournament_id=five.pk, user=dora, name="Late")


@pytest.mark.parametrize("byes", ["top", "drawn"])
@pytest.mark.parametrize("players", range(3, 17))
def test_a_late_entry_moves_nobody_else(tournament: Make, dora: User, byes: str, players: int) -> None:
    made = tournament(walk_ins=players, config={"byes": byes, "consolation": "progressive"}, start=True)
    before = {
        pairing.key: pairing.entrants
        for pairing in fresh(made).pairings
        if pairing.section == "main" and pairing.round == 1
    }
    if players & (players - 1) == 0:
        refused("no_bye", services.entrant_late, tournament_id=made.pk, user=dora, name="Late")
        return
    services.entrant_late(tournament_id=made.pk, user=dora, name="Late")
    after = {
        pairing.key: pairing.entrants
        for pairing in fresh(made).pairings
        if pairing.section == "main" and pairing.round == 1
    }
    changed = [key for key in before if before[key] != after[key]]
    assert len(changed) == 1
    assert {*after[changed[0]]} == {*before[changed[0]], players + 1}


def test_a_round_robin_takes_late_entries_before_the_first_result(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=3, format_="round-robin", start=True)
    services.entrant_late(tournament_id=made.pk, user=dora, name="Fourth")
    assert len(fresh(made).pairings) == 6
    key = ready(made)[0]
    winner = fresh(made).by_key[key].entrants[0]
    services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=winner, points=(3, 0))
    refused("late_results", services.entrant_late, tournament_id=made.pk, user=dora, name="Fifth")


def play_round(tournament: Tournament, dora: User) -> None:
    for key in ready(tournament):
        winner = fresh(tournament).by_key[key].entrants[0]
        services.result_enter(tournament_id=tournament.pk, user=dora, key=key, winner=winner, points=(3, 0))


@pytest.mark.parametrize(("half", "score"), [(False, 0.0), (True, 0.5)])
def test_a_late_entry_is_paired_in_the_next_round_of_a_swiss(
    tournament: Make, dora: User, half: bool, score: float
) -> None:
    made = tournament(walk_ins=4, format_="swiss", config={"rounds": 3}, pace="hand", start=True)
    services.round_pair(tournament_id=made.pk, user=dora)
    services.entrant_late(tournament_id=made.pk, user=dora, name="Late", half=half)
    assert 5 not in {number for pairing in fresh(made).pairings for number in pairing.entrants}
    play_round(made, dora)
    line = next(line for line in fresh(made).standings if line.entrant == 5)
    assert (dict(line.values)["wins"], line.wins) == (score, 0)
    services.round_pair(tournament_id=made.pk, user=dora)
    assert 5 in {number for pairing in fresh(made).pairings for number in pairing.entrants}
    play_round(made, dora)
    services.round_pair(tournament_id=made.pk, user=dora)
    refused("late_last", services.entrant_late, tournament_id=made.pk, user=dora, name="Too late")


def test_missed_rounds_are_losses_in_x_losses(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=6, format_="losses", config={"losses": 2}, pace="hand", start=True)
    for _round in range(2):
        services.round_pair(tournament_id=made.pk, user=dora)
        play_round(made, dora)
    refused("late_out", services.entrant_late, tournament_id=made.pk, user=dora, name="Late")
    services.entrant_late(tournament_id=made.pk, user=dora, name="Late", half=True)
    assert 7 in fresh(made).order


def test_the_waiting_list_can_enter_late_and_withdrawn_players_are_reinstated(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = tournament(walk_ins=2, capacity=3)
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    refused("entered", services.entrant_late, tournament_id=made.pk, user=dora, player=bea)
    services.entrant_late(tournament_id=made.pk, user=dora, number=4)
    assert (fresh(made).order, fresh(made).waiting) == ((1, 2, 3, 4), ())
    services.entrant_withdraw(tournament_id=made.pk, user=bea, number=4)
    refused("late_back", services.entrant_late, tournament_id=made.pk, user=dora, player=bea)
