"""When a puzzle comes again: boxes with growing intervals, after Sebastian Leitner (So lernt man lernen, 1972). Pure.

A right answer takes a card to the next box, and the card comes again after that box's days; a wrong one takes it back
to the first box and asks again at the end of the same day's cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

DAYS = (1, 3, 7, 16, 35, 80)
"""Days until a card that has reached box 1, 2 ... comes again."""
LEARNED = len(DAYS)
"""The last box: from here on a card is known, and only looked at again now and then."""
NEW_A_DAY = 10
"""Cards never seen before that a day begins with at most."""
AS_GOOD = 0.005
"""An answer that loses so little is as good as the best (points at the cube's value)."""
NEARLY = 0.02
"""An answer that loses no more than this is right, though another is better."""

Verdict = Literal["best", "good", "wrong"]


@dataclass(frozen=True, slots=True)
class CardProgress:
    """How well a card is known: its box (0: not yet, or forgotten), its next day, how often asked and known."""

    box: int
    due: date
    seen: int = 0
    right: int = 0


def verdict_of(loss: float | None) -> Verdict:
    """What an answer was, by what it loses; None: it is not among the plays that were judged."""
    if loss is None or loss > NEARLY:
        return "wrong"
    return "best" if loss <= AS_GOOD else "good"


def next_progress(card: CardProgress, *, right: bool, today: date) -> CardProgress:
    """The card after an answer. A right one stays in its box when it was not due yet: looking early proves little."""
    answered = replace(card, seen=card.seen + 1, right=card.right + right)
    if not right:
        return replace(answered, box=0, due=today)
    if card.due > today:
        return answered
    box = min(card.box + 1, LEARNED)
    return replace(answered, box=box, due=today + timedelta(days=DAYS[box - 1]))


def cards_per_box(cards: Sequence[CardProgress]) -> list[int]:
    """How many cards are in each box, from 0 to the last."""
    return [sum(card.box == box for card in cards) for box in range(LEARNED + 1)]
