"""Cards come again later and later while they are known, and at once when they are not."""

from __future__ import annotations

from datetime import date, timedelta

from analysis.trainer import DAYS, LEARNED, Progress, answered, boxes, verdict

MONDAY = date(2026, 11, 23)


def test_a_card_that_is_known_climbs_a_box_each_time() -> None:
    card, waits = Progress(0, MONDAY), []
    for _ in range(LEARNED + 1):
        today = card.due
        card = answered(card, right=True, today=today)
        waits.append((card.due - today).days)
    assert waits == [1, 3, 7, 16, 35, 80, 80]
    assert (card.box, card.seen, card.right) == (LEARNED, 7, 7)


def test_a_card_that_is_missed_falls_to_the_start_and_comes_again_today() -> None:
    card = answered(Progress(4, MONDAY, seen=5, right=5), right=False, today=MONDAY)
    assert card == Progress(0, MONDAY, seen=6, right=5)


def test_a_card_answered_before_its_day_stays_where_it_is() -> None:
    card = Progress(2, MONDAY + timedelta(days=2), seen=3, right=3)
    assert answered(card, right=True, today=MONDAY) == Progress(2, card.due, seen=4, right=4)
    assert answered(card, right=False, today=MONDAY).box == 0


def test_what_loses_next_to_nothing_is_right() -> None:
    assert [verdict(loss) for loss in (0.0, 0.005, 0.02, 0.021, None)] == ["best", "best", "good", "wrong", "wrong"]


def test_boxes_are_counted_from_new_to_learned() -> None:
    assert boxes([Progress(0, MONDAY), Progress(0, MONDAY), Progress(6, MONDAY)]) == [2, 0, 0, 0, 0, 0, 1]
    assert len(DAYS) == LEARNED
