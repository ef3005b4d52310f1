"""The tables of the analysis."""

from analysis.models.reports import AnalysisPreferences, PositionCache, Report
from analysis.models.training import (
    DailyPuzzle,
    DailyVote,
    FairPlayView,
    MatchTally,
    PositionQuestion,
    Puzzle,
    TalliedReport,
    TrainerCard,
)

__all__ = [
    "AnalysisPreferences",
    "DailyPuzzle",
    "DailyVote",
    "FairPlayView",
    "MatchTally",
    "PositionCache",
    "PositionQuestion",
    "Puzzle",
    "Report",
    "TalliedReport",
    "TrainerCard",
]
