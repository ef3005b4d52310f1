"""Sections that the analysis adds to pages of other apps: see accounts.web.page_sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.web.page_sections import section
from analysis import puzzles
from analysis.models import DailyPuzzle
from analysis.services.daily_puzzles import today
from games.database import now
from games.diagrams.picture import picture

DRAWN_FOR = 60
"""Seconds that the position of the day is kept drawn."""


@dataclass(frozen=True, slots=True)
class DrawnPuzzle:
    """The position of a day, drawn for a page without scripts of its own, and its best answer."""

    picture: SafeString
    ascii: str
    phase: str
    dice: tuple[int, ...]
    score: dict[str, Any]
    best: str


def _drawn(row: DailyPuzzle) -> DrawnPuzzle:
    found = puzzles.Puzzle.read(row.puzzle.xgid, row.puzzle.options)
    position: Any = found.position
    view = position.view(puzzles.SOLVER)
    dice = tuple(sorted(view["dice"] or (), reverse=True))
    drawn, text = picture(view, dice), position.diagram(puzzles.SOLVER)
    return DrawnPuzzle(drawn, text, view["phase"], dice, position.score.view(), found.best)


@section("offline", "analysis/_offline.html")
def last_daily_puzzle() -> Sequence[DrawnPuzzle]:
    """The position of the last day that is over: its solution may be told."""
    row = DailyPuzzle.objects.select_related("puzzle").filter(day__lt=today()).order_by("-day").first()
    return [] if row is None else [_drawn(row)]


@section("lobby-aside", "analysis/_lobby_daily.html")
def todays_puzzle() -> Sequence[DrawnPuzzle]:
    """The newest position, which `analysis.tasks.pick_daily_puzzle` picks, without the club's time zone.

    It is drawn once a minute for each language: the lobby is asked for all the time.
    """
    key = f"todays-puzzle:{get_language()}"
    drawn: list[DrawnPuzzle] | None = cache.get(key)
    if drawn is None:
        newest = DailyPuzzle.objects.select_related("puzzle").order_by("-day").first()
        drawn = [] if newest is None or newest.day < now().date() - timedelta(days=1) else [_drawn(newest)]
        cache.set(key, drawn, DRAWN_FOR)
    return drawn
