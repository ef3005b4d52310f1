"""The tables of the analysis."""

from analysis.models.reports import PositionCache, Report, Wishes
from analysis.models.training import Card, Counted, Daily, FairPlayLook, Puzzle, Question, Tally, Vote

__all__ = [
    "Card",
    "Counted",
    "Daily",
    "FairPlayLook",
    "PositionCache",
    "Puzzle",
    "Question",
    "Report",
    "Tally",
    "Vote",
    "Wishes",
]
