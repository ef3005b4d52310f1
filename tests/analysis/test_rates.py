"""Error rates add up over matches, phases and kinds."""

from __future__ import annotations

from analysis.rates import Decision, Sum, added, parts

MATCH = [
    Decision("play", "opening", 0.02),
    Decision("play", "contact", 0.1),
    Decision("play", "contact", 0.0, obvious=True),
    Decision("double", "cube", 0.05),
]


def test_obvious_decisions_do_not_count() -> None:
    assert Sum.of(MATCH) == Sum(3, 0.17)
    assert round(Sum.of(MATCH).rate or 0, 2) == 28.33
    assert Sum().rate is None


def test_parts_are_phases_and_kinds() -> None:
    assert parts(MATCH) == {
        "opening": [1, 0.02],
        "contact": [1, 0.1],
        "cube": [1, 0.05],
        "play": [2, 0.12],
        "double": [1, 0.05],
    }


def test_the_parts_of_matches_are_added() -> None:
    total = added([{"race": [2, 0.1]}, {"race": [3, 0.2], "cube": [1, 0.0]}])
    assert (total["race"].decisions, round(total["race"].lost, 6)) == (5, 0.3)
    assert total["cube"] == Sum(1, 0.0)
