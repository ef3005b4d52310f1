"""The position of the day: picked once, voted on until the day is over."""

from __future__ import annotations

from datetime import date

from django.db import IntegrityError, transaction

from accounts.models import Club, User
from analysis import daily_puzzle
from analysis.errors import Refused
from analysis.models import DailyPuzzle, DailyVote, Puzzle
from analysis.phases import OPENING
from analysis.puzzles import Puzzle as Position
from analysis.puzzles import UnplayablePuzzle
from games.database import now

MOST_CONSIDERED = 5000


def today() -> date:
    """The day that it is for the club of the site."""
    return Club.objects.get(is_default=True).today()


def daily_pick(*, day: date) -> DailyPuzzle | None:
    """The position of a day, picked now if it was not yet; None while there is none to pick from.

    It comes from the reports of finished matches: an error or a close decision that no other day has shown, and
    that can be seen on the board alone.
    """
    if found := DailyPuzzle.objects.select_related("puzzle").filter(day=day).first():
        return found
    free = Puzzle.objects.filter(daily=None).exclude(phase=OPENING).order_by("-pk")
    rows = free.values_list("pk", "loss", "gap", "options")[:MOST_CONSIDERED]
    worth = [
        pk for pk, loss, gap, options in rows if daily_puzzle.is_interesting(loss=loss, gap=gap, choices=len(options))
    ]
    chosen = daily_puzzle.pick_puzzle(day, worth)
    if chosen is None:
        return None
    try:
        with transaction.atomic():
            return DailyPuzzle.objects.create(day=day, puzzle_id=chosen)
    except IntegrityError:  # somebody else looked at the same moment
        return DailyPuzzle.objects.select_related("puzzle").filter(day=day).first()


def daily_vote(*, user: User, row: DailyPuzzle, answer: str) -> DailyVote:
    """A vote on the position of today, once. Raises Refused: daily_over, daily_voted, puzzle_answer."""
    if row.day != today():
        raise Refused("daily_over")
    try:
        text, loss = Position.read(row.puzzle.xgid, row.puzzle.options).judged(answer)
    except UnplayablePuzzle as error:
        raise Refused("puzzle_answer") from error
    vote, new = DailyVote.objects.get_or_create(
        daily=row, user=user, defaults={"answer": text, "loss": loss, "at": now()}
    )
    if not new:
        raise Refused("daily_voted")
    return vote
