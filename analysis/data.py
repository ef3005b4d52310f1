"""The personal data that `analysis` keeps: see accounts.privacy.registry. What engines say stays with the match."""

from __future__ import annotations

from accounts.privacy import registry as data_registry
from accounts.privacy.registry import OTHERS, OWNED, SHARED, Table

data_registry.register_tables(
    Table("analysis.Report", {"asked_by": SHARED}, plain=("engine", "data"), withheld=("data",)),
    Table("analysis.PositionCache", {}, plain=("key", "answer")),
    Table("analysis.AnalysisPreferences", {"user": OWNED}),
    Table("analysis.MatchTally", {"user": SHARED}, plain=("parts", "pace")),
    Table("analysis.TalliedReport", {}),
    Table("analysis.Puzzle", {"user": SHARED}, plain=("phase", "xgid", "played", "options", "words", "engine")),
    Table("analysis.TrainerCard", {"user": OWNED}),
    Table("analysis.DailyPuzzle", {}),
    Table("analysis.DailyVote", {"user": OWNED}),
    Table("analysis.PositionQuestion", {"user": OWNED}),
    Table("analysis.FairPlayView", {"by": SHARED, "about": OTHERS}),
)
