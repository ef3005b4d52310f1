"""What the trainer shows: the card that is to be asked now, and how far its player has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from django.db.models import F, Q, QuerySet

from accounts.models import User
from analysis import trainer
from analysis.models import Report, TalliedReport, TrainerCard
from analysis.services.tallies import TRAINED
from analysis.services.training import progress
from games.engine import Json
from games.models import seat_of


@dataclass(frozen=True, slots=True)
class TrainerStanding:
    """A player's cards: how many are in each box, how many are left for today, when the next one comes after that."""

    boxes: list[int]
    due: int
    next_due: date | None

    @property
    def cards(self) -> int:
        return sum(self.boxes)

    @property
    def learned(self) -> int:
        return self.boxes[trainer.LEARNED]

    @property
    def under_way(self) -> int:
        return sum(self.boxes[1 : trainer.LEARNED])

    @property
    def fresh(self) -> int:
        return self.boxes[0]


def trainer_standing(user: User, today: date) -> TrainerStanding:
    """How far a player has come."""
    cards = [progress(card) for card in TrainerCard.objects.filter(user=user).only("box", "due", "seen", "right")]
    old = sum(card.due <= today for card in cards if card.seen)
    new = sum(card.due <= today for card in cards if not card.seen)
    later = min((card.due for card in cards if card.due > today), default=None)
    return TrainerStanding(trainer.cards_per_box(cards), old + min(new, _new_left(user, today)), later)


def cards_added(report: Report, errors: Sequence[Json], user: User) -> bool:
    """Whether the trainer has errors that this player made in the match of a report, or gets them in a moment.

    `errors` are the graded decisions of the report, which is counted just after it is ready.
    """
    if TrainerCard.objects.filter(user=user, puzzle__match=report.match_id).exists():
        return True
    side = seat_of(report.match, user.pk)
    return any(each["side"] == side and each["grade"] in TRAINED for each in errors) and not _counted(report)


def _counted(report: Report) -> bool:
    return TalliedReport.objects.filter(report=report, made_at=F("report__made_at")).exists()


def next_card(user: User, today: date) -> TrainerCard | None:
    """The next card: repetitions first, the longest due first, then new ones, the worst errors first.

    What was missed today comes after all others.
    """
    cards = TrainerCard.objects.filter(user=user, due__lte=today).select_related("puzzle__match")
    repetitions = cards.filter(seen__gt=0).order_by("due", "answered_at")
    missed = Q(box=0, due=today)
    fresh: QuerySet[TrainerCard] = cards.filter(seen=0).order_by("-puzzle__loss", "pk")[
        : min(1, _new_left(user, today))
    ]
    return next(chain(repetitions.exclude(missed)[:1], fresh, repetitions.filter(missed)[:1]), None)


def _new_left(user: User, today: date) -> int:
    """How many new cards may still be asked today."""
    return max(0, trainer.NEW_A_DAY - TrainerCard.objects.filter(user=user, begun=today).count())
