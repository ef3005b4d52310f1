"""Features of a board after a play."""

from __future__ import annotations

from analysis.features import Features
from tests.analysis.boards import START, board


def test_the_starting_position_has_no_exposed_blots() -> None:
    seen = Features.of(START)
    assert (seen.blots, seen.shots, seen.points, seen.anchors) == (frozenset(), 0, {6, 8, 13}, frozenset())
    assert (seen.prime, seen.behind, seen.stack, seen.pips, seen.off, seen.hit) == (1, 2, 5, 167, 0, 0)


def test_a_direct_shot_six_away_is_hit_by_seventeen_rolls() -> None:
    six_away = board({7: 1}, {24: 1})
    assert Features.of(six_away).blots == {7}
    assert Features.of(six_away).shots == 17


def test_a_blocked_path_is_no_shot() -> None:
    """Twelve away 6-6, 4-4 and 3-3 hit; a point half way stops all but 4-4."""
    assert Features.of(board({13: 1}, {24: 1})).shots == 3
    assert Features.of(board({13: 1, 7: 2}, {24: 1})).shots == 1


def test_a_checker_on_the_bar_enters_first() -> None:
    closed = board({1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 11: 1}, {13: 1}, opponent_bar=1)
    assert Features.of(closed).shots == 0


def test_blots_in_the_opponents_home_count_little() -> None:
    assert Features.of(board({24: 1, 20: 1}, {6: 5})).shots == 0


def test_points_anchors_and_primes() -> None:
    seen = Features.of(board({20: 2, 24: 2, 8: 2, 7: 2, 6: 2, 5: 2, 4: 1}, {}))
    assert seen.points == {20, 8, 7, 6, 5}
    assert seen.anchors == {20}
    assert (seen.prime, seen.behind, seen.single) == (4, 4, {4})
