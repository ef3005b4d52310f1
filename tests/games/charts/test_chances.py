"""The field of chances through a match."""

from __future__ import annotations

from django.utils.translation import override

from games.charts import Step, chances

STEPS = [Step(0.5, 1), Step(0.7, 1, "blunder"), Step(0.6, 2), Step(1.0, 2)]


def drawn() -> str:
    with override("en"):
        return str(chances(STEPS, name="c", white="ana", black="<bea>"))


def test_whites_part_is_drawn_from_below() -> None:
    assert 'class="chances-white" d="M0 300L0 150L333.3 90L666.7 120L1000 0L1000 300Z"' in drawn()


def test_a_rule_where_a_game_begins_and_a_mark_where_somebody_erred() -> None:
    assert 'class="chances-game" d="M666.7 0V300"' in drawn()
    assert '<path class="chances-mark mark-blunder" d="M333.3 90h.01"/>' in drawn()


def test_the_numbers_are_told_too() -> None:
    said = drawn()
    assert "ana stood between 50% and 100%." in said
    assert '<tr><th scope="row">1</th><td>70%</td><td>30%</td></tr>' in said
    assert "&lt;bea&gt;" in said
    assert "<bea>" not in said


def test_nothing_of_nothing() -> None:
    assert chances([], name="c", white="ana", black="bea") == ""
