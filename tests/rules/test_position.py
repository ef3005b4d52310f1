"""A game from the opening roll to its end: turns, cube, score and resignation (B1-B3, B8, B11-B15)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from backgammon.rules import (
    RULES,
    SIDES,
    VARIANTS,
    Board,
    BoardError,
    Illegal,
    Position,
    Score,
)

from .positions import board, game, to_move

BACKGAMMON = RULES["backgammon"]
CLOSED = {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2, 12: 3}
"""The opponent holds all six home points."""


def refusal(position: Position, action: str) -> tuple[str, str]:
    """The code and the ruling with which an action is refused."""
    with pytest.raises(Illegal) as refused:
        position.after(action)
    return refused.value.code, refused.value.ruling


class TestB1Board:
    def test_point_n_is_the_opponents_25_minus_n(self):
        seen = board({24: 2, 6: 13}, {23: 1, 1: 14}).flipped()
        assert (seen.points[1], seen.points[23]) == (1, 14)
        assert (seen.points[25 - 24 - 1], seen.points[25 - 6 - 1]) == (-2, -13)

    def test_pips_count_25_for_a_checker_on_the_bar(self):
        assert board({25: 1, 24: 1}, {25: 2, 23: 1}).pips == (49, 52)

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            (lambda wire: wire[:-1], "length"),
            (lambda wire: [*wire, 0], "length"),
            (lambda wire: [True, *wire[1:]], "type"),
            (lambda wire: [0.0, *wire[1:]], "type"),
            (lambda wire: [None, *wire[1:]], "type"),
            (lambda wire: [*wire[:3], 300, *wire[4:]], "range"),
            (lambda wire: [0, -1, *wire[2:]], "negative"),
            (lambda wire: [*wire[:29], -1], "negative"),
            (lambda wire: [1, *wire[1:]], "stock"),
            (lambda wire: [0, 1, *wire[2:]], "checkers"),
        ],
    )
    def test_an_invalid_board_is_refused(self, change, code):
        with pytest.raises(BoardError) as refused:
            Board.from_wire(change(VARIANTS["backgammon"].board.to_wire()), checkers=15)
        assert refused.value.code == code
        assert len(str(refused.value)) > 20


class TestB2Setup:
    @pytest.mark.parametrize(
        ("variant", "checkers", "pips"),
        [
            ("backgammon", {24: 2, 13: 5, 8: 3, 6: 5}, 167),
            ("nackgammon", {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, 194),
            ("hypergammon", {24: 1, 23: 1, 22: 1}, 69),
        ],
    )
    def test_both_sides_set_up_the_same_checkers(self, variant, checkers, pips):
        position = game(variant=variant)
        for side in SIDES:
            seen = position.board_of(side)
            assert {n: count for n, count in enumerate(seen.points, 1) if count > 0} == checkers
            assert seen.pips == (pips, pips)


class TestB3Opening:
    def test_both_roll_one_die_each(self):
        start = game()
        assert (start.turn, start.phase, start.rollers) == ("chance", "opening", ("white", "black"))
        assert [start.may(side) for side in SIDES] == [["roll"], ["roll"]]
        assert refusal(start, "roll") == ("not_now", "")
        assert start.actions() == [f"dice {white}{black}" for white in range(1, 7) for black in range(1, 7)]

    def test_the_higher_starts_and_plays_both_numbers(self):
        white, black = game("dice 31"), game("dice 13")
        assert (white.turn, white.phase, white.dice) == ("white", "move", (3, 1))
        assert (black.turn, black.phase, black.dice) == ("black", "move", (1, 3))
        assert "8/5 6/5" in white.actions()
        assert white.actions() == black.actions()

    def test_a_tie_is_rolled_again(self):
        assert game("dice 33") == game()
        assert game("dice 33", "dice 66", "dice 21").turn == "white"

    @pytest.mark.parametrize("dice", ["dice 07", "dice 1", "dice 111", "dice ab", "dice", "dice 1 2", "dice ３１"])
    def test_impossible_dice_are_refused(self, dice):
        assert refusal(game(), dice) == ("not_now", "")


def test_a_turn_is_roll_dice_play_and_then_the_opponents():
    position = game("dice 31", "8/5 6/5")
    assert (position.turn, position.phase, position.rollers) == ("black", "roll", ())
    assert position.may("black") == ["roll", "double"]
    assert position.may("white") == []
    rolling = position.after("roll")
    assert (rolling.turn, rolling.phase, rolling.rollers) == ("chance", "rolling", ("black",))
    moving = rolling.after("dice 65")
    assert (moving.turn, moving.dice, moving.may("black"), moving.auto) == ("black", (6, 5), ["move"], None)
    assert moving.after("24/13").turn == "white"


class TestB8Passing:
    def test_without_a_legal_play_the_turn_passes(self):
        dance = to_move({25: 1, 6: 5}, {24: 2, 19: 2}, dice=(6, 1))
        assert (dance.auto, dance.actions(), dance.may("white")) == ("pass", ["pass"], ["pass"])
        assert (dance.after("pass").turn, dance.after("pass").phase) == ("black", "roll")

    def test_closed_out_without_access_to_the_cube_it_passes_without_dice(self):
        closed = to_move({25: 1, 6: 5}, CLOSED, dice=None, cube=False)
        assert (closed.auto, closed.turn, closed.actions()) == ("pass", "white", ["pass"])
        assert closed.after("pass").turn == "black"
        assert refusal(closed, "roll") == ("closed_out", "B8")

    def test_closed_out_with_access_the_player_may_double_or_roll_and_then_passes(self):
        closed = to_move({25: 1, 6: 5}, CLOSED, dice=None)
        assert (closed.auto, closed.may("white")) == (None, ["roll", "double"])
        assert closed.after("roll").after("dice 66").auto == "pass"
        assert refusal(closed, "pass") == ("not_now", "")

    def test_a_cube_the_player_may_not_turn_is_no_access(self):
        assert to_move({25: 1, 6: 5}, CLOSED, dice=None, score=Score(5, 4, 0)).auto == "pass"
        doubled = to_move({25: 1, 6: 5}, CLOSED, dice=None).after("double").after("take")
        assert (doubled.turn, doubled.auto) == ("white", "pass")

    def test_five_points_do_not_make_a_closed_board(self):
        five = {point: 2 for point in CLOSED if point != 24}
        assert to_move({25: 1, 6: 5}, five, dice=None, cube=False).auto is None


class TestB11WhatAGameIsWorth:
    @pytest.mark.parametrize(
        ("opposing", "points", "kind"),
        [
            ({24: 14}, 1, "single"),
            ({3: 1, 24: 13}, 1, "single"),
            ({24: 15}, 2, "gammon"),
            ({7: 1, 24: 14}, 2, "gammon"),
            ({6: 1, 24: 14}, 3, "backgammon"),
            ({25: 1, 24: 14}, 3, "backgammon"),
        ],
    )
    def test_single_gammon_and_backgammon_are_scored(self, opposing, points, kind):
        over = to_move({1: 1}, opposing, dice=(2, 1)).after("1/off")
        assert over.outcome is not None
        assert (over.turn, over.phase, over.actions(), over.may("white")) == ("over", "over", [], [])
        assert (over.outcome.winner, over.outcome.points, over.outcome.kind) == ("white", points, kind)

    def test_the_cube_multiplies_them(self):
        position = to_move({1: 1}, {24: 15}, dice=None).after("double").after("take").after("roll").after("dice 21")
        assert position.after("1/off").outcome.points == 4

    def test_hypergammon_has_three_checkers(self):
        over = to_move({1: 1}, {24: 3}, dice=(2, 1), variant="hypergammon").after("1/off")
        assert (over.outcome.points, over.outcome.kind) == (2, "gammon")
        over = to_move({1: 1}, {24: 2}, dice=(2, 1), variant="hypergammon").after("1/off")
        assert (over.outcome.points, over.outcome.kind) == (1, "single")

    def test_nothing_can_be_done_when_it_is_over(self):
        over = to_move({1: 1}, {24: 15}, dice=(2, 1)).after("1/off")
        assert {refusal(over, action) for action in ("roll", "pass", "dice 11", "double", "8/5")} == {("not_now", "")}


class TestB12Cube:
    def test_it_starts_at_one_in_the_middle_and_passes_to_the_taker(self):
        position = game("dice 31", "8/5 6/5")
        assert position.view(None)["cube"] == {"value": 1, "owner": None, "offered": None, "dead": False}
        doubled = position.after("double")
        assert (doubled.turn, doubled.phase, doubled.may("white")) == ("white", "doubled", ["take", "drop"])
        assert (doubled.may("black"), doubled.view(None)["cube"]["offered"]) == ([], 2)
        after_take = doubled.after("take")
        assert after_take.view(None)["cube"] == {"value": 2, "owner": "white", "offered": None, "dead": False}
        assert (after_take.turn, after_take.may("black")) == ("black", ["roll"])
        assert refusal(after_take, "double") == ("cube_not_yours", "B12")

    def test_a_drop_loses_the_value_before_the_double(self):
        over = game("dice 31", "8/5 6/5", "double", "drop")
        assert (over.outcome.winner, over.outcome.points, over.outcome.kind) == ("black", 1, "drop")

    def test_the_taker_redoubles(self):
        position = game("dice 31", "8/5 6/5", "double", "take", "roll", "dice 65", "24/13")
        assert position.may("white") == ["roll", "double"]
        assert position.after("double").after("drop").outcome.points == 2
        assert position.after("double").after("take").cube.value == 4

    def test_no_double_after_the_roll_nor_at_the_opening(self):
        for position in (game(), game("dice 31"), game("dice 31", "8/5 6/5", "roll")):
            assert refusal(position, "double") == ("not_now", "")

    def test_only_a_double_can_be_taken_or_dropped(self):
        position = game("dice 31", "8/5 6/5")
        assert {refusal(position, action) for action in ("take", "drop", "beaver")} == {("not_now", "")}
        assert refusal(position.after("double"), "roll") == ("not_now", "")

    def test_no_double_beyond_the_cap(self):
        position = game("dice 31", "8/5 6/5", "double", "take", "roll", "dice 65", "24/13", cube_cap=2)
        assert position.may("white") == ["roll"]
        assert refusal(position, "double") == ("cube_cap", "B12")

    def test_the_cap_is_64_unless_agreed(self):
        score = Score(1000)
        position = game("dice 31", "8/5 6/5", score=score)
        turns = 0
        while "double" in position.may(position.turn):
            position = position.after("double").after("take").after("roll").after("dice 21")
            position = position.after(position.actions()[0])
            turns += 1
        assert (turns, position.cube.value) == (6, 64)

    @pytest.mark.parametrize("cap", [1, 0, -2, 4097, "64", 2.0, True, None])
    def test_an_invalid_cap_is_refused(self, cap):
        with pytest.raises(ValueError, match="cube_cap"):
            game(cube_cap=cap)

    def test_a_game_may_be_played_without_a_cube(self):
        position = game("dice 31", "8/5 6/5", cube=False)
        assert (position.may("black"), position.view(None)["cube"]) == (["roll"], None)
        assert refusal(position, "double") == ("no_cube", "B12")
        with pytest.raises(ValueError, match="cube"):
            game(cube=1)


class TestB13MatchToN:
    def test_the_default_length_is_five_and_any_length_is_accepted(self):
        assert Score().length == 5
        assert [BACKGAMMON.opening_score(length, {}).length for length in (1, 2, 64)] == [1, 2, 64]

    @pytest.mark.parametrize("length", [-1, 1.5, "5", True, None])
    def test_other_lengths_are_refused(self, length):
        with pytest.raises(ValueError, match="length"):
            BACKGAMMON.opening_score(length, {})

    def test_the_first_to_reach_it_wins(self):
        won = to_move({1: 1}, {24: 15}, dice=(2, 1)).after("1/off").outcome
        assert Score(5, 2, 4).after(won) == Score(5, 4, 4, crawford_played=True)
        assert Score(5, 4, 4, crawford_played=True).after(won).winner == "white"
        assert Score(5, 2, 3).winner is None

    def test_no_cube_in_a_one_point_match(self):
        position = game("dice 31", "8/5 6/5", score=Score(1))
        assert (position.may("black"), position.view(None)["cube"]) == (["roll"], None)
        assert refusal(position, "double") == ("no_cube", "B13")


class TestB14Crawford:
    def test_the_first_game_after_a_player_reaches_n_minus_one_has_no_doubling(self):
        position = game("dice 31", "8/5 6/5", score=Score(5, 4, 1))
        assert (position.score.crawford, position.may("black")) == (True, ["roll"])
        assert refusal(position, "double") == ("crawford", "B14")
        assert position.view(None)["cube"]["dead"] is True

    def test_afterwards_the_cube_is_free_again(self):
        dropped = game("dice 31", "8/5 6/5", "double", "drop", score=Score(5, 3, 3))
        crawford = Score(5, 3, 3).after(dropped.outcome)
        assert (crawford.black, crawford.crawford) == (4, True)
        single = to_move({1: 1}, {24: 14}, dice=(2, 1)).after("1/off").outcome
        later = crawford.after(single)
        assert (later.white, later.black, later.crawford) == (4, 4, False)
        earlier = Score(5, 4, 1).after(dropped.outcome)
        assert (earlier.crawford, game("dice 31", "8/5 6/5", score=earlier).may("black")) == (False, ["roll", "double"])

    def test_it_happens_once_a_match(self):
        assert not Score(5, 4, 2, crawford_played=True).crawford
        assert not Score(1).crawford
        assert not Score(5, 5, 4).crawford
        assert Score(2, 1, 0).crawford

    def test_a_corrected_score_recomputes_it(self):
        assert not Score(5, 3, 0).crawford
        assert Score(5, 4, 0).crawford

    def test_a_dead_cube_is_not_offered(self):
        after = Score(5, 4, 2, crawford_played=True)
        leader, trailer = game("dice 13", "8/5 6/5", score=after), game("dice 31", "8/5 6/5", score=after)
        assert (leader.turn, leader.may("white")) == ("white", ["roll"])
        assert refusal(leader, "double") == ("dead_cube", "B14")
        assert trailer.may("black") == ["roll", "double"]
        assert (leader.view(None)["cube"]["dead"], trailer.view(None)["cube"]["dead"]) == (False, False)

    def test_a_cube_that_covers_the_points_needed_is_dead(self):
        play = ("dice 31", "8/5 6/5", "double", "take", "roll", "dice 65", "24/13")
        assert game(*play, score=Score(5, 3, 0)).may("white") == ["roll"]
        assert game(*play, score=Score(5, 3, 0)).view(None)["cube"]["dead"] is True
        assert game(*play, score=Score(5, 2, 0)).may("white") == ["roll", "double"]


class TestB15Resigning:
    @pytest.mark.parametrize(
        ("own", "opposing", "levels"),
        [
            ({24: 1, 6: 14}, {20: 1, 1: 14}, [1, 2, 3]),
            ({6: 15}, {20: 15}, [1, 2]),
            ({6: 14}, {20: 15}, [1, 2]),
            ({6: 15}, {3: 1, 20: 14}, [1, 2, 3]),
            ({6: 14}, {25: 1, 20: 14}, [1, 2, 3]),
            ({5: 14}, {6: 1, 20: 14}, [1, 2, 3]),
            ({6: 15}, {24: 14}, [1]),
            ({6: 15}, {25: 1, 24: 13}, [1]),
        ],
    )
    def test_only_possible_resignations_can_be_offered(self, own, opposing, levels):
        position = to_move(own, opposing, dice=(2, 1))
        assert [level for level, _ in position.resignations("black")] == levels

    def test_the_value_is_in_points_at_the_current_cube(self):
        position = game("dice 31", "8/5 6/5", "double", "take")
        assert position.resignations("white") == [(1, 2), (2, 4), (3, 6)]
        assert game("dice 31", "8/5 6/5", "double").resignations("white") == [(1, 1), (2, 2), (3, 3)]

    def test_an_accepted_resignation_ends_the_game(self):
        over = game("dice 31", "8/5 6/5", "double", "take").conceded("black", 2)
        assert (over.turn, over.outcome.winner, over.outcome.points, over.outcome.kind) == (
            "over",
            "white",
            4,
            "gammon",
        )
        assert over.resignations("white") == []
        assert game("dice 31").conceded("white", 1).outcome.view() == {"winner": "black", "points": 1, "kind": "single"}

    def test_nothing_else_can_be_conceded(self):
        position = to_move({6: 15}, {20: 15}, dice=(2, 1))
        for level in (0, 3, 4):
            with pytest.raises(Illegal, match="resign_level: B15"):
                position.conceded("black", level)


def test_a_snapshot_of_another_variant_is_refused():
    with pytest.raises(ValueError, match="hypergammon"):
        BACKGAMMON.restore(game(variant="hypergammon").snapshot())


def test_a_snapshot_with_too_few_checkers_is_refused():
    fourteen = [0, 0, 14, *[0] * 26, 15]
    with pytest.raises(BoardError, match="15 checkers"):
        BACKGAMMON.restore(game().snapshot() | {"board": fourteen})


def test_the_rules_load_no_django():
    code = "import sys, backgammon.rules; sys.exit(any(name.split('.')[0] == 'django' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_variant_satisfies_the_contract_of_live_play():
    for key, rules in RULES.items():
        assert (rules.key, rules.family) == (key, "points")
        assert rules.name
        assert rules.opening_score(rules.lengths[0], {}).length == rules.lengths[0]
        assert rules.opening_score(5, {}).view() == {"length": 5, "white": 0, "black": 0, "crawford": False}


def test_every_variant_has_a_name_and_its_usual_lengths():
    usual = (5, 1, 3, 7, 9, 11)
    assert {key: (rules.name, tuple(rules.lengths)) for key, rules in RULES.items()} == {
        "backgammon": ("Backgammon", usual),
        "nackgammon": ("Nackgammon", usual),
        "hypergammon": ("Hypergammon", usual),
        "longgammon": ("Longgammon", usual),
        "acey-deucey": ("Acey-deucey", (15, 30, 50)),
    }


@pytest.mark.parametrize("word", ["roll", "double", "take", "drop", "beaver", "resign 1", "name 4"])
def test_a_choice_that_is_not_open_is_no_unreadable_play(word):
    with pytest.raises(Illegal) as refused:
        game("dice 31").after(f"  {word}")
    assert (refused.value.code, refused.value.params) == ("not_now", {"action": word, "phase": "move"})


def test_a_refusal_says_whose_the_cube_is_and_what_the_phase():
    taken = game("dice 31", "8/5 6/5", "double", "take", "roll", "dice 65", "24/13", "roll", "dice 31", "8/5 6/5")
    with pytest.raises(Illegal) as refused:
        taken.after("double")
    assert (refused.value.code, refused.value.params) == ("cube_not_yours", {"owner": "white"})
    over = game("dice 31", "8/5 6/5", "double", "drop")
    with pytest.raises(Illegal) as refused:
        over.flagged("white")
    assert (refused.value.code, refused.value.params) == ("not_now", {"phase": "over"})
    with pytest.raises(Illegal) as refused:
        over.conceded("white", 1)
    assert (refused.value.code, refused.value.params) == ("resign_level", {"level": 1})
    assert over.why("", "8/5") == {"code": "not_now", "ruling": "", "params": {"phase": "over"}}
    with pytest.raises(Illegal, match="no_draw: B11") as refused:
        over.drawn("agreement")
    assert (refused.value.code, refused.value.params) == ("no_draw", {"kind": "agreement"})
