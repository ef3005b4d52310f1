"""The trainer: an answer to a card, and when the card comes again."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from analysis import trainer
from analysis.errors import Refused
from analysis.models import TrainerCard
from analysis.puzzles import Puzzle, UnplayablePuzzle
from analysis.services.daily_puzzles import today
from games.database import now
from games.errors import NotFound


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """What somebody answered to a card, what it gave away (None: worse than all that is listed), and the card since."""

    card: TrainerCard
    answer: str
    loss: float | None
    verdict: trainer.Verdict


def card_answer(*, user: User, card_id: int, answer: str) -> AnswerResult:
    """Take an answer, and put the card in its box. Raises NotFound, Refused("puzzle_answer")."""
    moment, day = now(), today()
    with transaction.atomic():
        locked = TrainerCard.objects.select_for_update(of=("self",)).select_related("puzzle")
        card = locked.filter(pk=card_id, user=user).first()
        if card is None:
            raise NotFound
        puzzle = Puzzle.read(card.puzzle.xgid, card.puzzle.options)
        try:
            text, loss = puzzle.judged(answer)
        except UnplayablePuzzle as error:
            raise Refused("puzzle_answer") from error
        verdict = trainer.verdict_of(loss)
        after = trainer.next_progress(progress(card), right=verdict != "wrong", today=day)
        card.box, card.due, card.seen, card.right = after.box, after.due, after.seen, after.right
        card.begun, card.answered_at = card.begun or day, moment
        card.save(update_fields=["box", "due", "seen", "right", "begun", "answered_at"])
    return AnswerResult(card, text, loss, verdict)


def progress(card: TrainerCard) -> trainer.CardProgress:
    """What the trainer knows of a card."""
    return trainer.CardProgress(card.box, card.due, card.seen, card.right)
