"""The formulas and the fold, as values."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ratings
from games.ratings import Line, Standing, fibs, fold, glicko, steps
from games.registry import RULES

CASES = [json.loads(row) for row in Path("tests/data/ratings/fibs.jsonl").read_text(encoding="utf-8").splitlines()]
DAY = datetime(2026, 5, 1, 20, tzinfo=UTC)

lengths = st.integers(1, 25)
players = st.tuples(st.floats(1000, 2200), st.floats(0, 2000))


def line(n: int, winner: str = "white", **facts: Any) -> Line:
    usual: dict[str, Any] = {"white": "ana", "black": "bea", "weight": 5.0, "results": (float(winner == "white"),)}
    return Line(n=n, at=DAY + timedelta(hours=n), winner=winner, **{**usual, **facts})


class TestFibs:
    def test_there_are_many_cases(self) -> None:
        assert len(CASES) >= 60

    @pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['n']}-{case['winner']}-{case['loser']}")
    def test_the_change_is_exact_to_half_a_hundredth(self, case: dict[str, Any]) -> None:
        gain, loss = fibs(case["n"], tuple(case["winner"]), tuple(case["loser"]))
        assert gain == pytest.approx(float(case["gain"]), abs=0.000001)
        assert loss == pytest.approx(float(case["loss"]), abs=0.000001)

    def test_a_difference_of_175_is_a_chance_of_55_in_100_at_one_point(self) -> None:
        """As H. Youngerman reads the formula on rec.games.backgammon."""
        assert ratings.chance_against(1, 1675, 1500) == pytest.approx(0.45, abs=0.001)

    def test_a_match_needs_a_length(self) -> None:
        with pytest.raises(ValueError):
            fibs(0, (1500, 0), (1500, 0))

    def test_no_difference_is_too_large(self) -> None:
        assert fibs(25, (9e9, 500), (0, 500)) == pytest.approx((0, 0))
        assert fibs(25, (0, 500), (9e9, 500)) == pytest.approx((20, 20))

    @given(lengths, players, players)
    def test_both_change_by_the_same_measure_of_their_own_k(self, n: int, winner: Any, loser: Any) -> None:
        gain, loss = fibs(n, winner, loser)
        assert gain > 0
        assert loss > 0
        assert gain / ratings.ramp(n, winner[1]) == pytest.approx(loss / ratings.ramp(n, loser[1]))

    @given(lengths, st.floats(1000, 2200), st.floats(1000, 2200), st.floats(0, 2000))
    def test_with_equal_experience_nothing_is_lost_between_them(
        self, n: int, winner: float, loser: float, experience: float
    ) -> None:
        gain, loss = fibs(n, (winner, experience), (loser, experience))
        assert gain == loss

    @given(lengths, st.floats(0, 800), st.floats(0, 800))
    def test_the_better_the_opponent_the_more_is_won(self, n: int, first: float, second: float) -> None:
        low, high = sorted((first, second))
        assert fibs(n, (1500, 500), (1100 + low, 500))[0] <= fibs(n, (1500, 500), (1100 + high, 500))[0]

    @given(lengths, st.floats(0, 1000), st.floats(0, 1000))
    def test_the_more_experience_the_less_moves(self, n: int, first: float, second: float) -> None:
        less, more = sorted((first, second))
        assert fibs(n, (1500, less), (1500, 0))[0] >= fibs(n, (1500, more), (1500, 0))[0]

    @given(lengths, st.floats(1000, 2200), st.floats(1000, 2200))
    def test_the_expected_score_is_the_risk(self, n: int, ana: float, bea: float) -> None:
        """Over many matches between true ratings nobody gains: p·gain = (1 - p)·loss."""
        if_ana = fibs(n, (ana, 500), (bea, 500))[0]
        if_bea = fibs(n, (bea, 500), (ana, 500))[1]
        chance = 1 / (10 ** ((bea - ana) * math.sqrt(n) / 2000) + 1)
        assert chance * if_ana == pytest.approx((1 - chance) * if_bea)


class TestGlicko:
    def test_the_published_example_is_reproduced(self) -> None:
        """M. Glickman, Example of the Glicko-2 system (2022): 1464.06, 151.52, 0.05999."""
        games = [(1400.0, 30.0, 1.0), (1550.0, 100.0, 0.0), (1700.0, 300.0, 0.0)]
        rating, deviation, volatility = glicko((1500, 200, 0.06), games)
        assert (rating, deviation) == (pytest.approx(1464.06, abs=0.011), pytest.approx(151.52, abs=0.005))
        assert volatility == pytest.approx(0.05999, abs=0.000007)

    @pytest.mark.parametrize(("rating", "deviation", "expected"), [(1400, 30, 0.639), (1550, 100, 0.432)])
    def test_expected_scores_match_the_published_example(self, rating: int, deviation: int, expected: float) -> None:
        found = ratings.expected_score((1500, 200, 0.06), (rating, deviation, 0.06))
        assert found == pytest.approx(expected, abs=0.0005)

    def test_a_surprise_moves_the_volatility_by_the_deviation_and_not_by_the_rating(self) -> None:
        """Distinguish a correct step 5 from one that squares the rating: a strong player loses three games."""
        moved = [glicko((start, 60, 0.06), [(start - 1000, 30, 0.0)] * 3) for start in (1500.0, 2400.0)]
        assert moved[0][2] == pytest.approx(moved[1][2], abs=1e-9)

    def test_without_games_only_the_deviation_grows(self) -> None:
        rating, deviation, volatility = glicko((1600, 50, 0.06), [])
        assert (rating, volatility) == (pytest.approx(1600), 0.06)
        assert deviation == pytest.approx(math.hypot(50, 0.06 * 173.7178))

    def test_each_full_30_days_of_absence_are_a_period_without_games(self) -> None:
        first = line(1, weight=2.0, results=(1.0, 0.5, 1.0))
        before = fold([first], system="glicko2")["ana"]
        back = line(2, weight=1.0, results=(0.0,), winner="black")
        absences = {days: first.at + timedelta(days=days) for days in (0, 29.9, 30, 59, 60)}
        after = {
            days: fold([first, Line(**{**_facts(back), "at": at})], system="glicko2")["ana"].deviation
            for days, at in absences.items()
        }
        assert after[0] == after[29.9] < after[30] == after[59] < after[60]
        assert before.experience == 3

    def test_the_change_is_the_factor_times_the_surprise(self) -> None:
        for step in steps([line(1, weight=3.0, results=(1.0, 0.5, 0.0, 1.0))], system="glicko2"):
            formula = step.formula
            assert formula["change"] == step.after.rating - step.before.rating
            surprise = formula["scored"] - formula["expected"]
            assert formula["factor"] * surprise == pytest.approx(formula["change"])

    def test_a_new_player_has_not_been_absent(self) -> None:
        games = [(1500.0, 350.0, 1.0), (1500.0, 350.0, 0.5)]
        ana = fold([line(1, weight=2.0, results=(1.0, 0.5))], system="glicko2")["ana"]
        assert ana.glicko == glicko((1500.0, 350.0, 0.06), games)

    def test_each_side_is_rated_by_its_own_results(self) -> None:
        white, black = steps([line(1, weight=3.0, results=(1.0, 0.5, 1.0))], system="glicko2")
        assert (white.player, white.before, white.after.wins, white.after.form) == ("ana", Standing(), 1, "W")
        assert (black.player, black.before, black.after.wins, black.after.form) == ("bea", Standing(), 0, "L")
        assert (white.formula["games"], white.formula["scored"], white.formula["expected"]) == (3, 2.5, 1.5)
        assert (black.formula["games"], black.formula["scored"], black.formula["expected"]) == (3, 0.5, 1.5)
        assert black.after.glicko == glicko(
            (1500.0, 350.0, 0.06), [(1500.0, 350.0, score) for score in (0.0, 0.5, 0.0)]
        )
        assert white.after.rating - 1500 == pytest.approx(1500 - black.after.rating)
        assert (black.after.experience, black.after.matches, black.after.last_at) == (3, 1, white.line.at)

    def test_as_many_points_as_expected_change_no_rating(self) -> None:
        step, _ = steps([line(1, weight=1.0, results=(0.5,))], system="glicko2")
        assert (step.formula["factor"], step.formula["change"]) == (0.0, pytest.approx(0))

    def test_the_opponent_s_rating_and_deviation_count(self) -> None:
        known = {"ana": Standing(1600, 9, 80, 0.05), "bea": Standing(1400, 9, 60, 0.06)}
        white, black = steps([line(1, "black", weight=1.0, results=(0.0,))], system="glicko2", standings=known)
        assert white.after.glicko == glicko((1600, 80, 0.05), [(1400, 60, 0.0)])
        assert black.after.glicko == glicko((1400, 60, 0.06), [(1600, 80, 1.0)])
        assert white.formula["expected"] == ratings.expected_score((1600, 80, 0.05), (1400, 60, 0.06))
        assert (white.after.form, black.after.form) == ("L", "W")
        assert [white.before, black.before] == list(known.values())


def _facts(line: Line) -> dict[str, Any]:
    return {name: getattr(line, name) for name in Line.__slots__}


class TestFold:
    def test_a_player_starts_at_1500_with_nothing_played(self) -> None:
        assert Standing() == Standing(
            rating=1500.0,
            experience=0.0,
            deviation=None,
            volatility=None,
            matches=0,
            wins=0,
            form="",
            peak=1500.0,
            peak_at=None,
            last_at=None,
        )
        assert Standing().glicko == (1500.0, 350.0, 0.06)

    def test_a_step_has_the_numbers_of_its_calculation(self) -> None:
        known = {"ana": Standing(1650, 300), "bea": Standing(1500, 20)}
        match = line(1, "black", weight=7.0)
        white, black = steps([match], system="fibs", standings=known)
        gain, loss = fibs(7, (1500, 20), (1650, 300))
        upset, at = ratings.chance_against(7, 1500, 1650), match.at
        assert white == ratings.Step(
            match,
            "ana",
            known["ana"],
            Standing(1650 - loss, 307, matches=1, form="L", peak=1650 - loss, peak_at=at, last_at=at),
            {"change": -loss, "n": 7.0, "p": upset, "k": ratings.ramp(7, 300)},
        )
        assert black == ratings.Step(
            match,
            "bea",
            known["bea"],
            Standing(
                1500 + gain, 27, matches=1, wins=1, form="W", peak=1500 + gain, peak_at=match.at, last_at=match.at
            ),
            {"change": gain, "n": 7.0, "p": upset, "k": ratings.ramp(7, 20)},
        )

    def test_the_winner_s_rating_is_compared_with_the_loser_s_whoever_is_white(self) -> None:
        known = {"ana": Standing(1650, 300), "bea": Standing(1500, 20)}
        white, black = steps([line(1, "white", weight=7.0)], system="fibs", standings=known)
        gain, loss = fibs(7, (1650, 300), (1500, 20))
        assert (white.after.rating, black.after.rating) == (1650 + gain, 1500 - loss)
        assert white.formula["p"] == black.formula["p"] == ratings.chance_against(7, 1650, 1500)

    def test_the_last_ten_results_are_remembered_the_latest_first(self) -> None:
        log = [line(n, "white" if n in (1, 11) else "black") for n in range(1, 12)]
        assert fold(log, system="fibs")["ana"].form == "W" + "L" * 9

    def test_a_peak_is_the_first_of_its_height(self) -> None:
        known = {"ana": Standing(1600, peak=1600, peak_at=DAY), "bea": Standing()}
        down = fold([line(1, "black")], system="fibs", standings=known)["ana"]
        assert (down.peak, down.peak_at) == (1600, DAY)
        up = fold([line(1)], system="fibs", standings=known)["ana"]
        assert (up.peak, up.peak_at) == (up.rating, line(1).at)
        highest = Standing(9e9, peak=9e9, peak_at=DAY)
        level = fold([line(1)], system="fibs", standings={"ana": highest})["ana"]
        assert (level.rating, level.peak, level.peak_at) == (9e9, 9e9, DAY)

    def test_a_list_is_ordered_by_rating_and_then_by_name(self) -> None:
        standings = {"dora": Standing(1500), "bea": Standing(1600), "ana": Standing(1500)}
        assert [name for name, _ in ratings.ranked(standings)] == ["bea", "ana", "dora"]

    def test_a_standing_counts_matches_wins_form_and_peak(self) -> None:
        log = [line(1), line(2, "black"), line(3, "black"), line(4)]
        ana = fold(log, system="fibs")["ana"]
        assert (ana.matches, ana.wins, ana.form, ana.experience) == (4, 2, "WLLW", 20)
        assert ana.peak == fold(log[:1], system="fibs")["ana"].rating
        assert (ana.peak_at, ana.last_at) == (log[0].at, log[3].at)

    def test_an_annulled_match_changes_nothing(self) -> None:
        log = [line(1), line(2, counts=False), line(3, "black")]
        assert fold(log, system="fibs") == fold([log[0], log[2]], system="fibs")

    @pytest.mark.parametrize("system", ["fibs", "glicko2"])
    def test_one_step_at_a_time_is_the_same_as_all_at_once(self, system: Any) -> None:
        names = ["ana", "bea", "carlos", "dora"]
        log = [
            line(n, "white" if n % 3 else "black", white=names[n % 4], black=names[(n + 1 + n % 2) % 4])
            for n in range(1, 200)
        ]
        known: dict[Any, Standing] = {}
        for each in log:
            known = fold([each], system=system, standings=known)
        assert known == fold(log, system=system)

    def test_below_100_points_of_experience_or_above_110_of_deviation_a_rating_is_provisional(self) -> None:
        assert Standing(experience=99).provisional
        assert not Standing(experience=100).provisional
        assert Standing(experience=500, deviation=110.5).provisional
        assert not Standing(experience=3, deviation=110).provisional


class TestRows:
    """How a game is rated depends on its rating rules."""

    def test_a_point_counts_as_a_point_and_five_in_acey_deucey(self) -> None:
        assert [RULES["acey-deucey"].rating_weight(length) for length in (15, 30, 50, 1)] == [3, 6, 10, 0.2]
        assert [RULES["backgammon"].rating_weight(length) for length in (1, 5, 11)] == [1, 5, 11]

    def test_damas_is_rated_game_by_game(self) -> None:
        systems = {key: rules.rating for key, rules in RULES.items()}
        assert systems.pop("damas") == "glicko2"
        assert set(systems.values()) == {"fibs"}


class TestTheScript:
    def test_the_script_runs_standalone_on_a_log(self, tmp_path: Path) -> None:
        log = [line(1), line(2, "black", white="carlos"), line(3, black="carlos", counts=False)]
        path = tmp_path / "log.jsonl"
        rows = [json.dumps({"system": "fibs"})]
        rows += [json.dumps(ratings.line_json(each, f"match{each.n}")) for each in log]
        path.write_text("\n".join(rows), encoding="utf-8")
        lines = subprocess.run(
            [sys.executable, "-I", "-S", str(ratings.__file__), str(path)], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        expected = ratings.ranked(fold(log, system="fibs"))
        assert [row.split()[3] for row in lines] == [name for name, _ in expected]
        assert [float(row.split()[1]) for row in lines] == [round(standing.rating, 4) for _, standing in expected]
        assert lines == [
            f"    {rank}  {standing.rating:10.4f}  {standing.experience:8g}  {name} provisional"
            for rank, (name, standing) in enumerate(expected, 1)
        ]

    def test_only_provisional_ratings_are_marked(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "log.jsonl"
        rows = ['{"system": "fibs"}', *(json.dumps(ratings.line_json(line(n), "x")) for n in range(1, 21))]
        path.write_text("\n".join(rows), encoding="utf-8")
        ratings.main(str(path))
        assert [row.split()[2:] for row in capsys.readouterr().out.splitlines()] == [["100", "ana"], ["100", "bea"]]
        path.write_text("\n".join(rows[:-1]), encoding="utf-8")
        ratings.main(str(path))
        printed = [row.split()[2:] for row in capsys.readouterr().out.splitlines()]
        assert printed == [["95", "ana", "provisional"], ["95", "bea", "provisional"]]

    def test_a_log_is_read_as_it_was_written(self) -> None:
        log = [line(1), line(2, "black", counts=False)]
        rows = ['{"system": "glicko2"}', *(json.dumps(ratings.line_json(each, "x")) for each in log), ""]
        assert ratings.read(rows) == ("glicko2", log)
        with pytest.raises(ValueError):
            ratings.read(['{"system": "elo"}'])


class TestStakes:
    def test_they_are_what_either_result_would_change(self) -> None:
        ana, bea = Standing(rating=1612.7, experience=240), Standing(rating=1534.2, experience=120)
        gain, loss = ratings.stakes(ana, bea, weight=5, system="fibs", at=DAY)
        won = fibs(5, (1612.7, 240), (1534.2, 120))
        lost = fibs(5, (1534.2, 120), (1612.7, 240))
        assert (gain, loss) == (pytest.approx(won[0]), pytest.approx(lost[1]))

    def test_a_new_player_has_more_at_stake(self) -> None:
        new, old = Standing(), Standing(experience=500)
        assert ratings.stakes(new, old, weight=1, system="fibs", at=DAY) == (pytest.approx(9.98), pytest.approx(9.98))
        assert ratings.stakes(old, new, weight=1, system="fibs", at=DAY) == (2.0, 2.0)

    def test_in_glicko_2_they_are_those_of_one_game(self) -> None:
        gain, loss = ratings.stakes(Standing(), Standing(), weight=3, system="glicko2", at=DAY)
        assert gain == pytest.approx(162.31, abs=0.01)
        assert loss == pytest.approx(gain)
