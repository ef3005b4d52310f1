"""What sessions, damas and acey-deucey add to the fold of a match: ends, draws, a roll of one side, named doubles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import replay
from games.engine import SIDES
from games.registry import RULES
from tests.draughts import positions as draughts_positions
from tests.games.test_replay import OPENING, opened, refusal, start


@pytest.mark.parametrize("text", ["accept", "reject", "offer-draw", "claim-draw", "end"])
def test_the_actions_of_any_match_are_no_moves(text: str) -> None:
    assert damas().canonical("white", f" {text} ") == text
    assert opened(length=0).canonical("white", text) == text


# Sessions


def test_a_session_is_ended_by_either_player_between_two_games() -> None:
    state = start(0)
    assert (state.may("white"), state.may("black")) == (["roll", "end"], ["roll", "end"])
    assert state.after("black", "end").result == replay.Result(None, "ended")
    assert refusal(opened(length=0), "white", "end") == ("no_end", "B16")
    assert "end" not in opened(length=0).may("white")
    assert "resign match" not in opened(length=0).may("white")
    assert refusal(opened(length=0), "white", "resign match") == ("resign_level", "B15")
    ahead = replay.fold(opened(length=0), [("white", "resign 1"), ("black", "accept")])
    assert ahead.after("white", "end").result == replay.Result("black", "ended")


# Draws (damas)


def damas(length: int = 3) -> replay.State:
    """A match of damas in which white has Black and both have moved once: white may offer a draw."""
    return replay.fold(replay.start(RULES["damas"], length, {}), [*OPENING, ("white", "11-16"), ("black", "40-35")])


def test_an_offered_draw_stops_nothing_and_lapses_when_the_opponent_plays() -> None:
    assert "offer-draw" in damas().may("white")
    offered = damas().after("white", "offer-draw")
    assert offered.offer == replay.Offer("white", draw=True)
    assert offered.snapshot()["offer"] == {"seat": "white", "level": 0, "points": 0, "draw": True}
    assert replay.restore(offered.rules, offered.options, offered.snapshot()) == offered
    assert (offered.resignation, offered.on_clock) == (None, "white")
    assert [offered.awaits(side) for side in SIDES] == [True, True]
    assert offered.may("black")[:2] == ["accept", "reject"]
    assert "offer-draw" not in offered.may("white")
    assert refusal(offered, "white", "offer-draw") == ("draw_not_now", "D7")
    assert refusal(offered, "white", "accept") == ("offer_open", "B15")
    moved = offered.after("white", "12-17")
    assert moved.offer == offered.offer
    assert "offer-draw" not in moved.may("black")
    assert moved.after("black", "39-34").offer is None


def test_a_rejected_draw_is_not_offered_again_before_the_next_move_of_that_side() -> None:
    rejected = replay.fold(damas(), [("white", "offer-draw"), ("black", "reject")])
    assert (rejected.offer, rejected.declined) == (None, (("white", 0),))
    assert "offer-draw" not in rejected.may("white")
    assert refusal(rejected, "white", "offer-draw") == ("draw_not_now", "D7")
    moved = rejected.after("white", "12-17")
    assert moved.declined == ()
    assert "offer-draw" in moved.after("black", "39-34").may("white")


def test_a_move_of_the_opponent_does_not_bring_a_rejected_draw_back() -> None:
    declined = replay.fold(damas(), [("white", "12-17"), ("black", "offer-draw"), ("black", "39-34")])
    rejected = replay.fold(declined, [("white", "reject")])
    assert rejected.declined == (("black", 0),)
    assert rejected.after("white", "7-12").declined == (("black", 0),)


def test_an_accepted_draw_ends_the_game_with_half_a_point_each() -> None:
    drawn = replay.fold(damas(), [("white", "offer-draw"), ("black", "accept")])
    assert (drawn.score.points("white"), drawn.score.points("black"), drawn.game) == (0.5, 0.5, 2)
    assert drawn.ended == {"game": 1, "winner": None, "points": 1, "kind": "agreement", "resigned": False}
    assert (drawn.offer, drawn.declined, drawn.last, drawn.dice) == (None, (), None, None)
    assert drawn.closed is not None
    assert drawn.closed.turn == "over"


def test_a_draw_is_claimed_where_the_rules_allow_it() -> None:
    shuffle = ["3-8", "44-49", "8-3", "49-44"]
    position = draughts_positions.to_move("B:WK44,45:BK3,6", *shuffle, *shuffle, black="white")
    state = replace(damas(), position=position, offer=replay.Offer("black", draw=True))
    assert state.may("white")[-3:] == ["claim-draw", "resign 1", "resign match"]
    claimed = state.after("white", "claim-draw")
    assert claimed.ended == {"game": 1, "winner": None, "points": 1, "kind": "claim", "resigned": False}
    assert (claimed.offer, claimed.score.points("white"), claimed.score.points("black")) == (None, 0.5, 0.5)
    declined = replace(state, offer=None, declined=(("white", 0),))
    assert "claim-draw" in declined.may("white")
    assert "offer-draw" not in declined.may("white")


def test_after_a_capture_is_compelled_no_last_move_is_shown() -> None:
    position = draughts_positions.to_move("B:W22,50:B11,17", black="white")
    quiet = replace(damas(), position=position).after("white", "11-16")
    assert quiet.last == {"seat": "white", "dice": None, "text": "11-16"}
    compelled = quiet.after("black", "compel")
    assert (compelled.last, compelled.on_clock) == (None, "white")


def test_a_resignation_of_damas_is_not_asked_about() -> None:
    state = damas(1)
    resigned = state.after("white", "resign 1")
    assert resigned.result == replay.Result("black", "score")
    assert resigned.ended == {"game": 1, "winner": "black", "points": 1, "kind": "resign", "resigned": True}
    assert resigned.closed == resigned.position


# The opening of acey-deucey: the winner rolls both dice anew


def test_the_winner_of_the_opening_of_acey_deucey_rolls_alone() -> None:
    state = replay.fold(replay.start(RULES["acey-deucey"], 15, {}), OPENING)
    assert (state.opening, state.needs_dice, state.roller, state.on_clock) == (False, False, "white", "white")
    assert "roll" in state.may("white")
    assert "roll" not in state.may("black")
    assert [state.awaits(side) for side in SIDES] == [True, False]
    rolled = state.after("white", "roll")
    assert (rolled.needs_dice, rolled.roller, rolled.ready) == (True, None, frozenset({"white"}))
    assert refusal(state, "black", "roll") == ("not_your_turn", "")


def test_a_named_double_is_what_is_played() -> None:
    opening = replay.fold(replay.start(RULES["acey-deucey"], 15, {}), [*OPENING, ("white", "roll")])
    state = opening.after("chance", "dice 21")
    assert state.position.turn == "white"
    state = state.after("white", sorted(state.position.actions())[0])
    named = state.after("white", "name 4")
    assert named.dice == (4, 4)
