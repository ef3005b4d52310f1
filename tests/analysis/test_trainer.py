"""Training cards repeat at growing intervals while known, and at once when missed."""

from __future__ import annotations

from datetime import date, timedelta

from analysis.trainer import DAYS, LEARNED, CardProgress, cards_per_box, next_progress, verdict_of

MONDAY = date(2026, 11, 23)


def test_a_known_card_moves_up_a_box_each_time() -> None:
    card, waits = CardProgress(0, MONDAY), []
    for _ in range(LEARNED + 1):
        today = card.due
        card = next_progress(card, right=True, today=today)
        waits.append((card.due - today).days)
    assert waits == [1, 3, 7, 16, 35, 80, 80]
    assert (card.box, card.seen, card.right) == (LEARNED, 7, 7)


def test_a_missed_card_returns_to_the_first_box_and_repeats_today() -> None:
    card = next_progress(CardProgress(4, MONDAY, seen=5, right=5), right=False, today=MONDAY)
    assert card == CardProgress(0, MONDAY, seen=6, right=5)


def test_a_card_answered_before_its_day_stays_where_it_is() -> None:
    card = CardProgress(2, MONDAY + timedelta(days=2), seen=3, right=3)
    assert next_progress(card, right=True, today=MONDAY) == CardProgress(2, card.due, seen=4, right=4)
    assert next_progress(card, right=False, today=MONDAY).box == 0


def test_a_negligible_loss_counts_as_correct() -> None:
    assert [verdict_of(loss) for loss in (0.0, 0.005, 0.02, 0.021, None)] == ["best", "best", "good", "wrong", "wrong"]


def test_boxes_are_counted_from_new_to_learned() -> None:
    assert cards_per_box([CardProgress(0, MONDAY), CardProgress(0, MONDAY), CardProgress(6, MONDAY)]) == [
        2,
        0,
        0,
        0,
        0,
        0,
        1,
    ]
    assert len(DAYS) == LEARNED
