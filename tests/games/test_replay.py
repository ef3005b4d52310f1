"""A match is the fold of its actions."""

from __future__ import annotations

import random

import pytest

from games import replay
from games.engine import SIDES
from games.registry import ILLEGAL, RULES

OPENING = [("white", "roll"), ("black", "roll"), ("chance", "dice 31")]


def start(length: int = 5, **options: object) -> replay.State:
    return replay.start(RULES["backgammon"], length, {"cube": True, **options})


def opened(dice: str = "31", length: int = 5) -> replay.State:
    return replay.fold(start(length), [*OPENING[:2], ("chance", f"dice {dice}")])


def play_on(state: replay.State, choose: random.Random) -> tuple[replay.State, list[tuple[str, str]]]:
    """Play a match to its end with random legal actions."""
    done: list[tuple[str, str]] = []
    while state.result is None:
        if state.needs_dice:
            step = ("chance", f"dice {choose.randint(1, 6)}{choose.randint(1, 6)}")
        elif state.opening:
            side = next(side for side in SIDES if side not in state.ready)
            step = (side, "roll")
        elif state.position.auto:
            step = ("server", "pass")
        else:
            step = (state.position.turn, choose.choice(sorted(state.position.actions())))
        state = state.after(*step)
        done.append(step)
    return state, done


def test_both_players_roll_for_the_opening_and_the_higher_die_starts() -> None:
    state = start()
    assert (state.opening, state.on_clock, state.may("white")) == (True, None, ["roll", "resign match"])
    state = state.after("white", "roll")
    assert (state.needs_dice, state.may("white"), state.may("black")[0]) == (False, ["resign match"], "roll")
    state = state.after("black", "roll")
    assert state.needs_dice
    assert state.after("chance", "dice 26").position.turn == "black"


def test_a_tied_opening_is_rolled_again_by_both() -> None:
    state = opened("44")
    assert (state.opening, state.ready) == (True, frozenset())


def test_an_absent_roller_is_held_by_the_server() -> None:
    state = replay.fold(start(), [("white", "roll"), ("server", "hold black")])
    assert state.needs_dice


def test_only_the_side_on_turn_may_play() -> None:
    with pytest.raises(replay.PlayRefused, match="not_your_turn"):
        opened().after("black", "8/5 6/5")


def test_a_player_cannot_choose_the_dice() -> None:
    with pytest.raises(replay.PlayRefused, match="server_only"):
        opened().after("white", "8/5 6/5").after("black", "dice 66")


def test_a_resignation_waits_for_the_opponent_and_their_clock_runs() -> None:
    state = opened().after("white", "resign 2")
    assert (state.on_clock, state.may("white"), state.may("black")) == ("black", [], ["accept", "reject"])
    ended = state.after("black", "accept")
    assert (ended.score.points("black"), ended.game, ended.opening) == (2, 2, True)
    assert ended.ended == {"game": 1, "winner": "black", "points": 2, "kind": "gammon", "resigned": True}


def test_a_rejected_resignation_returns_the_turn_and_is_not_offered_again_before_the_next_roll() -> None:
    state = replay.fold(opened(), [("white", "resign 1"), ("black", "reject")])
    assert state.on_clock == "white"
    assert "resign 1" not in state.may("white")
    assert "resign 2" in state.may("white")
    with pytest.raises(replay.PlayRefused, match="resign_again"):
        state.after("white", "resign 1")
    later = replay.fold(state, [("white", "8/5 6/5"), ("black", "roll"), ("chance", "dice 21")])
    assert "resign 1" in later.may("white")


def test_a_whole_match_can_be_resigned_at_any_time() -> None:
    state = start().after("black", "resign match")
    assert state.result == replay.Result("white", "resign")
    with pytest.raises(replay.PlayRefused, match="match_over"):
        state.after("white", "roll")


def test_a_flag_loses_the_match() -> None:
    assert opened().after("server", "flag white").result == replay.Result("black", "flag")


@pytest.mark.parametrize("before", [[], [("white", "roll")], [*OPENING, ("white", "8/5 6/5"), ("black", "double")]])
def test_a_cancelled_match_ends_without_a_winner_at_any_time(before: list[tuple[str, str]]) -> None:
    state = replay.fold(start(), [*before, ("server", "stop")])
    assert state.result == replay.Result(None, "stopped")
    assert (state.on_clock, state.offer, state.may("white"), state.needs_dice) == (None, None, [], False)
    assert replay.restore(state.rules, state.options, state.snapshot()) == state
    with pytest.raises(replay.PlayRefused, match="match_over"):
        state.after("server", "stop")


def test_only_the_server_cancels_a_match() -> None:
    with pytest.raises((replay.PlayRefused, *ILLEGAL)):
        opened().after("white", "stop")


def test_a_drop_gives_the_points_and_the_crawford_game_follows_at_match_point() -> None:
    state = replay.fold(opened(length=2), [("white", "8/5 6/5"), ("black", "double"), ("white", "drop")])
    assert state.score.view() == {"length": 2, "white": 0, "black": 1, "crawford": True}
    assert state.position.view("white")["cube"] is None or "double" not in state.may("white")


@pytest.mark.parametrize("variant", sorted(RULES))
@pytest.mark.parametrize("seed", range(4))
def test_any_match_is_replayed_exactly_from_its_actions_and_from_any_snapshot(variant: str, seed: int) -> None:
    first = replay.start(RULES[variant], 3, {})
    final, actions = play_on(first, random.Random(seed))
    assert replay.fold(first, actions) == final
    state = first
    for actor, text in actions:
        state = replay.restore(state.rules, state.options, state.snapshot()).after(actor, text)
    assert state == final
    assert state.result is not None
    assert max(state.score.points("white"), state.score.points("black")) >= 3
