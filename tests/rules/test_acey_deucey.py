"""Acey-deucey from the opening roll to the score (A1-A6)."""

from __future__ import annotations

import pytest

from backgammon.rules import RULES, SIDES, Illegal, Position, Score

from .positions import Dice, game, to_move

ACEY = RULES["acey-deucey"]
WAITING = {26: 15}
"""All of the opponent's checkers are still to be entered."""

NAMES = [f"name {die}" for die in range(1, 7)]


def acey(own: dict[int, int], opposing: dict[int, int], *, dice: Dice | None) -> Position:
    return to_move(own, opposing, dice=dice, variant="acey-deucey")


def naming(own: dict[int, int], opposing: dict[int, int]) -> Position:
    """White's position after both numbers of a 1-2."""
    return ACEY.restore(acey(own, opposing, dice=None).snapshot() | {"phase": "name"})


def refusal(position: Position, action: str) -> tuple[str, str]:
    with pytest.raises(Illegal) as refused:
        position.after(action)
    return refused.value.code, refused.value.ruling


class TestA1Opening:
    def test_all_checkers_start_off_the_board(self):
        for side in SIDES:
            assert (game(variant="acey-deucey").board_of(side).stock, ACEY.variant.board.pips) == (15, (375, 375))

    @pytest.mark.parametrize(("dice", "winner"), [("dice 31", "white"), ("dice 26", "black"), ("dice 12", "black")])
    def test_the_winner_rolls_both_dice_anew(self, dice, winner):
        opened = game(dice, variant="acey-deucey")
        assert (opened.turn, opened.phase, opened.rollers) == ("chance", "rolling", (winner,))
        rolled = opened.after("dice 44")
        assert (rolled.turn, rolled.phase, rolled.dice) == (winner, "move", (4, 4))

    def test_a_tie_is_rolled_again(self):
        assert game("dice 55", variant="acey-deucey") == game(variant="acey-deucey")

    def test_a_1_2_is_special_only_as_the_winners_own_roll(self):
        opened = game("dice 12", variant="acey-deucey")
        assert opened.after("dice 65").after("stock/20 stock/19").turn == "white"
        assert opened.after("dice 12").after("stock/24 stock/23").phase == "name"


class TestA2OneNumber:
    @pytest.mark.parametrize(
        ("sentence", "own", "opposing", "dice", "texts"),
        [
            ("the stock has no priority", {26: 1, 9: 1}, {5: 2}, (3, 1), ["stock/24 9/6", "stock/22 9/8", "stock/21"]),
            ("a checker just entered goes on", {26: 1, 1: 14}, {}, (6, 5), ["stock/14"]),
            ("the bar goes first", {25: 1, 26: 14}, {}, (2, 1), ["stock/23 bar/24", "bar/22"]),
            ("two checkers on the bar", {25: 2, 26: 13}, {}, (2, 1), ["bar/24 bar/23"]),
            ("a blocked entry is lost", {26: 15}, {24: 2, 23: 2}, (2, 1), ["pass"]),
        ],
        ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
    )
    def test_a_checker_may_move_to_open_points(self, sentence, own, opposing, dice, texts):
        assert acey(own, opposing | {26: 15 - sum(opposing.values())}, dice=dice).actions() == texts, sentence

    def test_a_hit_checker_goes_to_the_bar_never_to_the_stock(self):
        position = acey({26: 15}, {20: 1, 26: 14}, dice=(5, 4)).after("stock/21 stock/20*")
        hit = position.board_of("black")
        assert (hit.bar, hit.stock) == (1, 14)


class TestA3WholeRollAndBearingOff:
    def test_both_numbers_or_the_larger_must_be_played(self):
        assert acey({26: 1, 1: 14}, {14: 2, 26: 13}, dice=(6, 5)).actions() == ["stock/19"]

    def test_nobody_bears_off_before_all_are_in(self):
        position = acey({26: 1, 2: 14}, WAITING, dice=(2, 1))
        assert position.why("", "2/off") == {"code": "not_all_home", "ruling": "A3", "params": {"point": 26}}
        assert not any("off" in text for text in position.actions())


class TestA4AceyDeucey:
    def test_a_1_2_gives_both_numbers_any_double_and_another_roll(self):
        named = acey({26: 15}, WAITING, dice=(1, 2)).after("stock/24 stock/23")
        assert (named.turn, named.phase, named.dice, named.auto) == ("white", "name", None, None)
        assert (named.actions(), named.may("white"), named.may("black")) == (NAMES, NAMES, [])
        assert named.view(None)["names"] == [4, 4, 4, 4, 4, 4]
        double = named.after("name 6")
        assert (double.turn, double.phase, double.dice) == ("white", "move", (6, 6))
        second_turn = double.after("stock/19(4)")
        assert (second_turn.turn, second_turn.phase, second_turn.may("white")) == ("white", "roll", ["roll"])
        assert refusal(second_turn, "double") == ("no_cube", "A6")

    def test_it_chains_without_limit_and_the_last_roll_is_ordinary(self):
        position = acey({26: 15}, WAITING, dice=(2, 1))
        for play, name, double in (
            ("stock/24 stock/23", "name 5", "stock/20(4)"),
            ("stock/24 stock/23", "name 1", "stock/24(4)"),
            ("stock/24 stock/23", "name 2", "24/22(4)"),
        ):
            position = position.after(play) if position.dice else position.after("roll").after("dice 12").after(play)
            position = position.after(name).after(double)
            assert (position.turn, position.phase) == ("white", "roll")
        assert position.after("roll").after("dice 43").after("stock/21 20/17").turn == "black"

    def test_a_rolled_double_never_gives_another_roll(self):
        assert acey({26: 15}, WAITING, dice=(6, 6)).after("stock/19(4)").turn == "black"

    @pytest.mark.parametrize(
        ("own", "opposing", "play"),
        [
            ({25: 2, 6: 13}, {24: 2, 26: 13}, "bar/23"),
            ({25: 1, 6: 14}, {24: 2, 23: 2, 26: 11}, "pass"),
        ],
    )
    def test_if_not_both_are_played_the_rest_of_the_turn_is_lost(self, own, opposing, play):
        position = acey(own, opposing, dice=(1, 2))
        assert position.actions() == [play]
        assert (position.after(play).turn, position.after(play).phase) == ("black", "roll")

    def test_any_double_may_be_named_and_fewer_than_four_end_the_turn(self):
        named = naming({24: 1, 12: 1, 10: 13}, {4: 2, 6: 2, 20: 2, 8: 2, 26: 7})
        assert (named.view(None)["names"], named.may("white")) == ([4, 2, 4, 0, 4, 2], NAMES)
        two = named.after("name 6")
        assert two.actions() == ["24/12"]
        assert (two.after("24/12").turn, two.after("24/12").phase) == ("black", "roll")
        none = named.after("name 4")
        assert (none.auto, none.actions(), none.after("pass").turn) == ("pass", ["pass"], "black")
        assert (two.named, two.after("24/12").named, none.after("pass").named) == (True, False, False)

    @pytest.mark.parametrize("action", ["roll", "name", "name 7", "name 0", "name 66", "8/5", "pass", "double"])
    def test_nothing_else_is_done_while_a_double_is_to_be_named(self, action):
        assert refusal(naming({26: 15}, WAITING), action) == ("name_double", "A4")

    def test_a_double_is_named_only_then(self):
        assert refusal(acey({26: 15}, WAITING, dice=(1, 2)), "name 6") == ("not_now", "")
        assert refusal(acey({26: 15}, WAITING, dice=None), "name 6") == ("not_now", "")
        assert to_move({8: 2}, {24: 2}, dice=(1, 2)).after("8/7 8/6").turn == "black"


class TestA5TheEnd:
    @pytest.mark.parametrize(
        ("position", "actions"),
        [
            (acey({4: 1, 3: 1}, {26: 15}, dice=(6, 5)), ["4/off 3/off"]),
            (acey({2: 1, 1: 1}, {26: 15}, dice=(1, 2)), ["2/off 1/off"]),
            (acey({1: 1}, {26: 15}, dice=(1, 2)), ["1/off"]),
            (naming({3: 2}, {26: 15}), ["name 3", "3/off(2)"]),
            (naming({10: 1, 1: 1}, {26: 15}), ["name 5", "10/off 1/off"]),
        ],
    )
    def test_the_game_ends_with_the_fifteenth_checker_at_any_stage_of_the_turn(self, position, actions):
        for action in actions:
            position = position.after(action)
        assert position.outcome is not None
        assert (position.turn, position.outcome.winner, position.outcome.points) == ("over", "white", 15)


class TestA6Score:
    @pytest.mark.parametrize(("opposing", "points"), [({24: 15}, 15), ({24: 8}, 8), ({24: 1}, 1), ({26: 3, 25: 2}, 5)])
    def test_each_checker_the_loser_has_not_borne_off_scores_a_point(self, opposing, points):
        position = acey({1: 1}, opposing, dice=(6, 5))
        outcome = position.after("1/off").outcome
        assert outcome is not None
        assert (outcome.points, outcome.kind) == (points, "points")
        assert position.flagged("black").outcome.view() == {"winner": "white", "points": points, "kind": "flag"}

    def test_resigning_concedes_all_that_is_left_and_needs_no_answer(self):
        position = acey({1: 1}, {24: 8}, dice=(6, 5))
        assert position.resigns_at_once
        assert (position.resignations("black"), position.resignations("white")) == ([(1, 8)], [(1, 1)])
        over = position.conceded("black", 1).outcome
        assert (over.winner, over.points, over.kind) == ("white", 8, "points")
        with pytest.raises(Illegal, match="resign_level"):
            position.conceded("black", 2)

    def test_acey_deucey_has_no_cube_crawford_draw_or_options(self):
        score = ACEY.opening_score(15, {}).after(acey({1: 1}, {24: 14}, dice=(6, 5)).after("1/off").outcome)
        assert score.view() == {"length": 15, "white": 14, "black": 0, "crawford": False}
        start = ACEY.start(score, {})
        assert (start.view(None)["cube"], start.draws("white"), dict(ACEY.terms(15))) == (None, [], {})
        assert start.snapshot()["cube"] == [1, None, 64, False, False]
        with pytest.raises(Illegal, match="no_draw: A6"):
            start.drawn("agreement")

    def test_matches_are_to_15_30_or_50_without_money_sessions(self):
        assert (tuple(ACEY.lengths), ACEY.money, ACEY.clock_kind(15)) == ((15, 30, 50), False, "game")
        with pytest.raises(ValueError, match="length"):
            ACEY.opening_score(0, {})
        with pytest.raises(ValueError, match="cube"):
            ACEY.start(Score(15), {"cube": True})


def test_position_ids_cannot_express_checkers_not_entered():
    for position in (game(variant="acey-deucey"), naming({3: 15}, {24: 15})):
        with pytest.raises(ValueError, match="id"):
            position.xgid()
        with pytest.raises(ValueError, match="id"):
            position.gnubg_ids()
