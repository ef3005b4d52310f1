"""What `analysis` keeps about a person: see accounts.data. What engines say of a match stays with the match."""

from __future__ import annotations

from accounts import data
from accounts.data import OTHERS, OWNED, SHARED, Table

data.keep(
    Table("analysis.Report", {"asked_by": SHARED}, plain=("engine", "data"), withheld=("data",)),
    Table("analysis.PositionCache", {}, plain=("key", "answer")),
    Table("analysis.Wishes", {"user": OWNED}),
    Table("analysis.Tally", {"user": SHARED}, plain=("parts", "pace")),
    Table("analysis.Counted", {}),
    Table("analysis.Puzzle", {"user": SHARED}, plain=("phase", "xgid", "played", "options", "words", "engine")),
    Table("analysis.Card", {"user": OWNED}),
    Table("analysis.Daily", {}),
    Table("analysis.Vote", {"user": OWNED}),
    Table("analysis.Question", {"user": OWNED}),
    Table("analysis.FairPlayLook", {"by": SHARED, "about": OTHERS}),
)
