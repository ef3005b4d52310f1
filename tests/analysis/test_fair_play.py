"""Fair-play figures: too few errors for a rating, and thinking time unrelated to difficulty."""

from __future__ import annotations

import pytest

from analysis.fair_play import DecisionTime, PlayerFigures, difficulty, findings

HUMAN = DecisionTime.of([(n % 5 / 4, 3 + 10 * (n % 5)) for n in range(200)])
EVEN = DecisionTime.of([(n % 5 / 4, 8.0 + n % 3) for n in range(200)])


def player(name: str, rating: float, rate: float, pace: DecisionTime = HUMAN) -> PlayerFigures:
    return PlayerFigures(name, rating, rate, 500, pace)


CLUB = [player(f"member {n}", 1400 + 50 * n, 20 - 1.5 * n + (0.4 if n % 2 else -0.4)) for n in range(9)]


def test_thinking_time_that_grows_with_difficulty_correlates() -> None:
    assert HUMAN.correlation == pytest.approx(0.95, abs=0.03)
    assert EVEN.correlation == pytest.approx(0, abs=0.02)
    assert DecisionTime.of([(0.5, 4.0)] * 200).correlation is None
    assert DecisionTime.of([(n / 50, n) for n in range(50)]).correlation is None


def test_paces_of_matches_are_added() -> None:
    half = [(n % 5 / 4, 3.0 + 10 * (n % 5)) for n in range(100)]
    both = DecisionTime.of(half) + DecisionTime.read(DecisionTime.of(half).as_json())
    assert both.count == 200
    assert both.correlation == pytest.approx(HUMAN.correlation)
    assert DecisionTime.of([(0.5, 9.0), (0.1, 9.0)]).seconds == pytest.approx(9.0)


def test_the_closer_the_second_best_the_harder() -> None:
    assert difficulty(0.0, obvious=False) == 1.0
    assert difficulty(0.05, obvious=False) == 0.5
    assert difficulty(0.0, obvious=True) == 0.0


def test_a_player_with_far_fewer_errors_than_their_rating_suggests_is_flagged_first() -> None:
    found = findings([*CLUB, player("ana", 1450, 4.0)])
    first = found[0]
    assert first.numbers.player == "ana"
    assert first.few_errors
    assert first.expected == pytest.approx(18.5, abs=0.5)
    assert [finding.numbers.player for finding in found if finding.stands_out] == ["ana"]


def test_an_even_pace_is_flagged_too() -> None:
    found = findings([*CLUB, player("bea", 1600, 14.0, EVEN)])
    assert [finding.numbers.player for finding in found if finding.flat_pace] == ["bea"]
    assert not found[0].few_errors


def test_few_players_are_not_compared() -> None:
    assert {(finding.expected, finding.distance, finding.stands_out) for finding in findings(CLUB[:7])} == {
        (None, None, False)
    }
