"""Money sessions: length 0, Jacoby, beavers, automatic doubles (B16), and what players agree on (B12-B14)."""

from __future__ import annotations

import pytest

from backgammon.rules import RULES, Illegal, Position, Score
from backgammon.rules.cube import CAPS, Cube

from .positions import game, to_move

BACKGAMMON = RULES["backgammon"]
SESSION = Score(0)
GAMMON = ({1: 1}, {24: 15})
"White bears off the last checker, and Black has borne off none."


def session(*actions: str, **options: object) -> Position:
    return game(*actions, score=SESSION, **options)


def refusal(position: Position, action: str) -> tuple[str, str]:
    with pytest.raises(Illegal) as refused:
        position.after(action)
    return refused.value.code, refused.value.ruling


def won(position: Position) -> tuple[str, int, str]:
    assert position.outcome is not None
    return position.outcome.winner, position.outcome.points, position.outcome.kind


class TestB16Money:
    def test_a_session_has_no_end_no_crawford_and_no_dead_cube(self):
        score = BACKGAMMON.opening_score(0, {"jacoby": True})
        for _ in range(40):
            score = score.after(session("dice 31", "8/5 6/5", "double", "drop").outcome)
        assert score.view() == {"length": 0, "white": 0, "black": 40, "crawford": False}
        assert (score.winner, session("dice 31").view(None)["cube"]["dead"]) == (None, False)

    @pytest.mark.parametrize("switch", ["jacoby", "beavers", "auto_doubles"])
    def test_each_switch_exists_in_a_session_only_and_is_off_by_default(self, switch):
        assert BACKGAMMON.terms(0)[switch].default is False
        assert switch not in BACKGAMMON.terms(5)
        with pytest.raises(ValueError, match=switch):
            BACKGAMMON.start(Score(5), {switch: True})
        with pytest.raises(ValueError, match=switch):
            BACKGAMMON.opening_score(5, {switch: False})

    def test_a_flag_loses_the_game_at_the_cubes_value(self):
        doubled = session("dice 31", "8/5 6/5", "double", "take", beavers=True)
        assert won(doubled.flagged("white")) == ("black", 2, "flag")
        assert BACKGAMMON.clock_kind(0) == "game"
        assert BACKGAMMON.clock_kind(5) == "match"


class TestB16Jacoby:
    def test_a_gammon_counts_single_before_any_double(self):
        plain, jacoby = (to_move(*GAMMON, dice=(2, 1), score=SESSION, jacoby=on) for on in (False, True))
        assert won(plain.after("1/off")) == ("white", 2, "gammon")
        assert won(jacoby.after("1/off")) == ("white", 1, "single")
        assert (plain.resignations("black"), jacoby.resignations("black")) == ([(1, 1), (2, 2)], [(1, 1)])

    def test_a_gammon_counts_in_full_after_a_take(self):
        position = to_move(*GAMMON, dice=None, score=SESSION, jacoby=True).after("double").after("take")
        assert position.resignations("black") == [(1, 2), (2, 4)]
        assert won(position.after("roll").after("dice 21").after("1/off")) == ("white", 4, "gammon")

    def test_an_automatic_double_does_not_count_as_a_double(self):
        position = session("dice 33", "dice 31", jacoby=True, auto_doubles=True)
        assert (position.cube.value, position.resignations("black")) == (2, [(1, 2)])

    def test_without_a_cube_a_gammon_counts_in_full(self):
        position = to_move(*GAMMON, dice=(2, 1), score=SESSION, jacoby=True, cube=False)
        assert won(position.after("1/off")) == ("white", 2, "gammon")


class TestB16Beavers:
    def doubled(self, *more: str, **options: object) -> Position:
        """Black has doubled to 2."""
        return session("dice 31", "8/5 6/5", "double", *more, **{"beavers": True, **options})

    def test_the_doubled_side_turns_the_cube_on_and_the_doubler_answers(self):
        assert self.doubled().may("white") == ["take", "drop", "beaver"]
        beaver = self.doubled("beaver")
        assert (beaver.turn, beaver.phase) == ("black", "doubled")
        assert (beaver.may("black"), beaver.may("white")) == (["take", "drop"], [])
        assert beaver.view(None)["cube"] == {"value": 1, "owner": None, "offered": 4, "dead": False}

    def test_a_take_leaves_the_cube_with_the_beaver(self):
        after_take = self.doubled("beaver", "take")
        assert after_take.view(None)["cube"] == {"value": 4, "owner": "white", "offered": None, "dead": False}
        assert (after_take.turn, after_take.may("black")) == ("black", ["roll"])

    def test_a_drop_after_a_beaver_loses_the_doubled_value(self):
        assert won(self.doubled("beaver", "drop")) == ("white", 2, "drop")
        assert won(self.doubled("drop")) == ("black", 1, "drop")
        assert won(self.doubled("beaver").flagged("black")) == ("white", 2, "flag")

    def test_resigning_after_a_beaver_is_no_cheaper_than_a_drop_and_jacoby_is_satisfied(self):
        assert self.doubled("beaver", jacoby=True).resignations("black") == [(1, 2), (2, 4), (3, 6)]

    def test_no_raccoon_no_beaver_beyond_the_cap_and_none_where_not_agreed(self):
        assert refusal(self.doubled("beaver"), "beaver") == ("no_raccoon", "B16")
        assert refusal(self.doubled(cube_cap=2), "beaver") == ("cube_cap", "B12")
        assert self.doubled(cube_cap=2).may("white") == ["take", "drop"]
        assert refusal(self.doubled(beavers=False), "beaver") == ("no_beaver", "B16")
        assert refusal(session("dice 31", "8/5 6/5", beavers=True), "beaver") == ("not_now", "")

    def test_a_redouble_may_be_beavered_too(self):
        play = ("take", "roll", "dice 65", "24/13", "double", "beaver")
        assert self.doubled(*play).view(None)["cube"] == {"value": 2, "owner": "white", "offered": 8, "dead": False}
        assert self.doubled(*play, "take").cube.owner == "black"


class TestB16AutomaticDoubles:
    def test_a_tie_doubles_the_stake_once_a_game_and_leaves_the_cube_in_the_middle(self):
        for ties in (["dice 33"], ["dice 33", "dice 66", "dice 11"]):
            position = session(*ties, "dice 31", "8/5 6/5", auto_doubles=True)
            assert (position.cube.value, position.cube.owner, position.may("black")) == (2, None, ["roll", "double"])
            assert position.after("double").after("take").cube.value == 4

    def test_no_automatic_double_without_the_option_or_a_cube(self):
        assert session("dice 33") == session()
        assert session("dice 33", auto_doubles=True, cube=False).cube.value == 1

    def test_a_cap_of_two_is_reached_by_it(self):
        position = session("dice 33", "dice 31", "8/5 6/5", auto_doubles=True, cube_cap=2)
        assert refusal(position, "double") == ("cube_cap", "B12")


class TestTerms:
    @pytest.mark.parametrize("variant", ["backgammon", "nackgammon", "hypergammon"])
    @pytest.mark.parametrize(
        ("length", "names"),
        [
            (0, ["as_libre", "auto_doubles", "beavers", "cube", "cube_cap", "desahogo", "jacoby"]),
            (1, ["as_libre", "desahogo"]),
            (5, ["as_libre", "crawford", "cube", "cube_cap", "desahogo"]),
        ],
    )
    def test_valid_options_are_accepted(self, variant, length, names):
        terms = RULES[variant].terms(length)
        assert sorted(terms) == names
        for term in terms.values():
            assert term.default in term.choices

    def test_house_options_and_an_agreed_cap_are_never_rated_and_the_cube_is(self):
        house = {name for name, term in (BACKGAMMON.terms(5) | BACKGAMMON.terms(0)).items() if term.house}
        assert house == {"as_libre", "desahogo", "crawford", "cube_cap"}

    @pytest.mark.parametrize(
        ("length", "rated"),
        [
            (2, CAPS),
            (5, (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)),
            (11, (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)),
            (100, (64, 128, 256, 512, 1024, 2048, 4096)),
            (2000, (64, 1024, 2048, 4096)),
            (0, (64, 1024, 2048, 4096)),
        ],
    )
    def test_a_cap_that_makes_no_difference_is_no_house_rule(self, length, rated):
        cap = BACKGAMMON.terms(length)["cube_cap"]
        assert tuple(value for value in CAPS if not cap.is_house_rule(value)) == rated

    @pytest.mark.parametrize("length", [2, 5, 11, 16, 17, 25])
    def test_with_such_a_cap_every_double_is_legal_that_gains_something(self, length):
        term = BACKGAMMON.terms(length)["cube_cap"]
        for cap in (cap for cap in CAPS if not term.is_house_rule(cap)):
            cubes = [Cube(1 << power, cap=cap) for power in range(12)]
            useful = [cube for cube in cubes if not cube.gains_nothing("white", Score(length))]
            assert [cube.refusal("white", Score(length)) for cube in useful] == [None] * len(useful)

    @pytest.mark.parametrize(
        "options",
        [
            {"cube": 1},
            {"cube": "true"},
            {"cube_cap": 3},
            {"cube_cap": 8.0},
            {"crawford": None},
            {"jacoby": False},
            {"x": 1},
        ],
    )
    def test_anything_else_is_refused(self, options):
        for refuse in (BACKGAMMON.opening_score, lambda n, chosen: BACKGAMMON.start(Score(n), chosen)):
            with pytest.raises(ValueError, match=next(iter(options))):
                refuse(5, options)

    def test_a_match_may_be_played_without_the_crawford_game(self):
        for options in ({"crawford": False}, {"cube": False}):
            score = BACKGAMMON.opening_score(2, options).after(
                to_move({1: 1}, {24: 14}, dice=(2, 1)).after("1/off").outcome
            )
            assert (score.white, score.crawford) == (1, False)
            assert BACKGAMMON.restore_score(score.snapshot()) == score
        free = game("dice 31", "8/5 6/5", score=Score(2, 1, 0, has_crawford=False))
        assert free.may("black") == ["roll", "double"]

    def test_lengths_and_money(self):
        assert (tuple(BACKGAMMON.lengths), BACKGAMMON.money, BACKGAMMON.name) == (
            (5, 1, 3, 7, 9, 11),
            True,
            "Backgammon",
        )
