"""A match is the fold of its actions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games import replay
from games.engine import SIDES, Side
from games.registry import ILLEGAL, RULES
from tests.rules import positions as rules_positions

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
    with pytest.raises(replay.PlayRefused, match=r"^not_your_turn$"):
        opened().after("black", "8/5 6/5")


def test_a_player_cannot_choose_the_dice() -> None:
    with pytest.raises(replay.PlayRefused, match=r"^server_only$"):
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
    with pytest.raises(replay.PlayRefused, match=r"^resign_again$"):
        state.after("white", "resign 1")
    later = replay.fold(state, [("white", "8/5 6/5"), ("black", "roll"), ("chance", "dice 21")])
    assert "resign 1" in later.may("white")


def test_a_whole_match_can_be_resigned_at_any_time() -> None:
    assert start().after("white", "resign match").result == replay.Result("black", "resign")
    state = start().after("black", "resign match")
    assert state.result == replay.Result("white", "resign")
    with pytest.raises(replay.PlayRefused, match=r"^match_over$"):
        state.after("white", "roll")


def test_a_flag_loses_the_match() -> None:
    assert opened().after("server", "flag white").result == replay.Result("black", "flag")


@pytest.mark.parametrize("before", [[], [("white", "roll")], [*OPENING, ("white", "8/5 6/5"), ("black", "double")]])
def test_a_cancelled_match_ends_without_a_winner_at_any_time(before: list[tuple[str, str]]) -> None:
    state = replay.fold(start(), [*before, ("server", "stop")])
    assert state.result == replay.Result(None, "stopped")
    assert (state.on_clock, state.offer, state.may("white"), state.needs_dice) == (None, None, [], False)
    assert replay.restore(state.rules, state.options, state.snapshot()) == state
    with pytest.raises(replay.PlayRefused, match=r"^match_over$"):
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


# What each side may do, and whom the match waits for


def test_the_match_waits_for_each_roller_of_the_opening_and_then_for_the_side_on_turn() -> None:
    state = start()
    assert [state.awaits(side) for side in SIDES] == [True, True]
    assert [state.after("black", "roll").awaits(side) for side in SIDES] == [True, False]
    assert [opened().awaits(side) for side in SIDES] == [True, False]
    assert [opened().after("white", "resign 1").awaits(side) for side in SIDES] == [False, True]
    over = opened().after("white", "resign match")
    assert [over.awaits(side) for side in SIDES] == [False, False]


def test_a_spectator_has_no_buttons() -> None:
    assert opened().may(None) == []


@pytest.mark.parametrize(
    ("actor", "text", "code", "ruling"),
    [
        ("white", "8/5 6/5", "not_your_turn", "B3"),
        ("white", "dice 66", "server_only", "B3"),
        ("white", "accept", "no_offer", "B15"),
        ("white", "resign 1", "resign_level", "B15"),
        ("white", "end", "no_end", "B16"),
        ("white", "offer-draw", "draw_not_now", "D7"),
        ("dora", "roll", "bad_action", ""),
        ("server", "pass", "bad_action", ""),
        ("server", "hold dora", "bad_action", ""),
        ("server", "flag dora", "bad_action", ""),
        ("server", "absent dora", "bad_action", ""),
        ("server", "resume", "not_paused", "T"),
    ],
)
def test_before_the_opening_roll_other_acts_are_refused(actor: str, text: str, code: str, ruling: str) -> None:
    assert refusal(start(), actor, text) == (code, ruling)


def refusal(state: replay.State, actor: str, text: str) -> tuple[str, str]:
    """The code and the ruling with which an act is refused."""
    with pytest.raises(replay.PlayRefused) as refused:
        state.after(actor, text)
    return refused.value.code, refused.value.ruling


def test_nobody_rolls_twice_for_an_opening() -> None:
    assert refusal(start().after("white", "roll"), "white", "roll") == ("waiting_for_rival", "B3")


def test_the_server_holds_no_seat_after_the_opening() -> None:
    assert refusal(opened(), "server", "hold black") == ("bad_action", "")
    assert refusal(opened(), "black", "roll") == ("not_your_turn", "")


def test_an_open_resignation_stops_everything_but_its_answer() -> None:
    state = opened().after("white", "resign 3")
    assert state.offer == replay.Offer("white", 3, 3)
    assert refusal(state, "white", "8/5 6/5") == ("offer_open", "B15")
    assert refusal(state, "white", "accept") == ("offer_open", "B15")
    assert refusal(state, "black", "roll") == ("answer_offer", "B15")
    assert state.after("black", "reject").declined == (("white", 3),)
    assert replay.restore(state.rules, state.options, state.snapshot()) == state


@pytest.mark.parametrize("text", ["resign", "resign 0", "resign 4", "resign 11"])
def test_a_resignation_has_a_level(text: str) -> None:
    assert refusal(opened(), "white", text) == ("resign_level", "B15")


def test_either_side_may_resign_and_a_higher_level_after_a_rejected_one() -> None:
    state = replay.fold(opened(), [("white", "resign 2"), ("black", "reject")])
    assert [text for text in state.may("white") if text.startswith("resign ")] == ["resign 3", "resign match"]
    assert [text for text in state.may("black") if text.startswith("resign ")] == [
        *("resign 1", "resign 2", "resign 3", "resign match")
    ]
    assert refusal(state, "white", "resign 1") == ("resign_level", "B15")
    assert refusal(state, "white", "resign 2") == ("resign_again", "B15")
    assert state.after("white", "resign 3").offer == replay.Offer("white", 3, 3)
    assert state.after("black", "resign 1").on_clock == "white"


def test_dice_are_kept_until_the_turn_ends_and_shown_with_the_last_play() -> None:
    state = opened()
    assert state.dice == (3, 1)
    state = state.after("white", "8/5 6/5")
    assert state.last == {"seat": "white", "dice": [3, 1], "text": "8/5 6/5"}
    rolled = state.after("black", "roll")
    assert (rolled.ready, rolled.needs_dice, rolled.on_clock) == (frozenset({"black"}), True, None)
    assert (state.on_clock, rolled.after("chance", "dice 64").dice) == ("black", (6, 4))


def test_the_end_of_a_game_is_shown_until_the_next_game_is_played() -> None:
    second = replay.fold(opened(), [("white", "resign 1"), ("black", "accept"), ("white", "roll"), ("black", "roll")])
    assert second.ended is not None
    rolled = second.after("chance", "dice 31")
    assert (rolled.ended, rolled.declined, rolled.ready) == (None, (), frozenset())
    assert replace(rolled, ended=second.ended).after("white", "8/5 6/5").ended is None


def test_each_side_resigns_what_it_can_still_lose() -> None:
    def resignations(state: replay.State, side: Side) -> list[str]:
        return [text for text in state.may(side) if text.startswith("resign ")]

    assert resignations(opened(), "black") == ["resign 1", "resign 2", "resign 3", "resign match"]
    race = replace(opened(), position=rules_positions.to_move({6: 14}, {24: 15}, dice=(2, 1)))
    assert resignations(race, "white") == ["resign 1", "resign match"]
    assert resignations(race, "black") == ["resign 1", "resign 2", "resign match"]
    assert refusal(race, "white", "resign 2") == ("resign_level", "B15")


def test_the_next_game_forgets_offers_and_what_was_declined() -> None:
    state = replay.fold(
        opened(), [("black", "resign 1"), ("white", "reject"), ("black", "resign 2"), ("white", "accept")]
    )
    assert (state.game, state.score.points("white")) == (2, 2)
    assert (state.offer, state.declined, state.ready, state.last, state.dice) == (None, (), frozenset(), None, None)
    assert state.opening


def test_the_end_of_a_game_forgets_that_a_side_waits_for_its_dice() -> None:
    state = replay.fold(opened(), [("white", "8/5 6/5"), ("black", "roll"), ("white", "resign 1"), ("black", "accept")])
    assert (state.game, state.opening, state.ready) == (2, True, frozenset())


def test_the_end_of_a_match_takes_the_accepted_offer_with_it() -> None:
    state = replay.fold(opened(length=2), [("white", "resign 2"), ("black", "accept")])
    assert (state.result, state.offer) == (replay.Result("black", "score"), None)


def test_only_the_side_on_turn_has_the_buttons_of_its_turn() -> None:
    assert [opened().may(side)[0] for side in SIDES] == ["move", "resign 1"]
    state = opened().after("white", "8/5 6/5")
    assert state.may("black") == ["roll", "double", "resign 1", "resign 2", "resign 3", "resign match"]
    assert state.may("white") == ["resign 1", "resign 2", "resign 3", "resign match"]


def test_a_snapshot_has_every_field_of_a_match() -> None:
    state = start()
    assert state.snapshot() == {
        "score": state.score.snapshot(),
        "position": state.position.snapshot(),
        "game": 1,
        "ready": [],
        "offer": None,
        "declined": [],
        "last": None,
        "dice": None,
        "ended": None,
        "result": None,
    }
    state = replay.fold(opened(), [("white", "resign 1"), ("black", "reject"), ("white", "resign 2")])
    assert state.snapshot()["declined"] == [["white", 1]]
    assert state.snapshot()["offer"] == {"seat": "white", "level": 2, "points": 2, "draw": False}
    assert replay.restore(state.rules, state.options, state.snapshot()) == state


def test_a_snapshot_keeps_how_the_last_game_ended_and_not_its_last_position() -> None:
    state = replay.fold(opened(), [("white", "resign 1"), ("black", "accept")])
    restored = replay.restore(state.rules, state.options, state.snapshot())
    assert restored == state
    assert state.closed is not None
    assert (restored.ended, restored.closed) == (state.ended, None)


def test_a_blocked_player_passes_by_the_server() -> None:
    blocked = rules_positions.to_move({25: 1, 6: 14}, dict.fromkeys(range(19, 25), 2) | {1: 3}, dice=(3, 1))
    state = replace(opened(), position=blocked).after("server", "pass")
    assert (state.position.turn, state.last) == ("black", {"seat": "white", "dice": [3, 1], "text": "pass"})


def test_a_closed_out_player_passes_without_dice() -> None:
    closed_out = rules_positions.to_move({25: 1, 6: 14}, dict.fromkeys(range(19, 25), 2) | {1: 3}, dice=None)
    closed_out = replace(closed_out, cube=replace(closed_out.cube, owner="black"))
    state = replace(opened().after("white", "8/5 6/5"), position=closed_out).after("server", "pass")
    assert (state.position.turn, state.last) == ("black", {"seat": "white", "dice": None, "text": "pass"})


def test_the_text_of_a_play_is_told_from_other_acts() -> None:
    assert replay.PLAY.match("pass")
    assert [bool(replay.PLAY.match(text)) for text in ("8/5", "bar/20", "stock/24", "11-16", "17x28")] == [True] * 5
    assert [bool(replay.PLAY.match(text)) for text in ("roll", "passed", "barn", "resign 1", "double")] == [False] * 5


def test_what_a_player_writes_is_stored_in_one_form() -> None:
    state = opened()
    assert state.canonical("white", "  6/5   8/5 ") == "8/5 6/5"
    assert state.canonical("black", " 6/5  8/5") == "6/5 8/5"
    assert state.canonical("white", "resign   1") == "resign 1"
    assert state.canonical("white", " accept ") == "accept"
    assert state.after("black", "resign 1").canonical("white", "6/5  8/5") == "6/5 8/5"
    with pytest.raises(replay.PlayRefused) as refused:
        state.canonical("white", "dice 66")
    assert (refused.value.code, refused.value.ruling) == ("server_only", "B3")


# Pauses, flags, absence


def test_a_paused_match_waits_for_nobody_until_it_is_resumed() -> None:
    for text in ("pause", "adjourn"):
        state = opened().after("server", text)
        assert (state.paused, state.on_clock, state.may("white")) == (True, None, [])
        assert [state.awaits(side) for side in SIDES] == [False, False]
        assert refusal(state, "white", "8/5 6/5") == ("paused", "T")
        assert refusal(state, "server", text) == ("paused", "T")
        assert state.snapshot()["paused"] is True
        assert replay.restore(state.rules, state.options, state.snapshot()) == state
        assert state.after("server", "resume") == opened()
        assert state.after("server", "stop").paused is False
    assert "paused" not in opened().snapshot()


def test_a_flag_in_a_session_loses_the_game_and_the_session_continues() -> None:
    state = opened(length=0).after("server", "flag white")
    assert (state.result, state.game, state.score.points("black"), state.opening) == (None, 2, 1, True)
    assert state.ended == {"game": 1, "winner": "black", "points": 1, "kind": "flag", "resigned": False}


def test_a_flag_or_an_absence_takes_an_open_offer_with_it() -> None:
    offered = opened().after("white", "resign 1")
    assert offered.after("server", "flag black").offer is None
    assert offered.after("server", "absent black").offer is None
    assert offered.after("white", "resign match").offer is None
    assert offered.after("server", "stop").offer is None
    session = opened(length=0).after("white", "resign 1")
    assert session.after("server", "flag black").offer is None
    assert session.after("server", "absent black").offer is None


def test_who_leaves_a_match_loses_it_and_a_session_goes_to_the_side_with_more_points() -> None:
    assert opened().after("server", "absent white").result == replay.Result("black", "absent")
    assert opened(length=0).after("server", "absent white").result == replay.Result(None, "absent")
    ahead = replay.fold(opened(length=0), [("black", "resign 2"), ("white", "accept")])
    assert ahead.after("server", "absent white").result == replay.Result("white", "absent")
