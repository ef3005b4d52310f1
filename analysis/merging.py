"""What `analysis` does when two accounts become one: see accounts.support.merge_registry."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from accounts.support import merge_registry
from accounts.support.merge_registry import Merge, MergeCount
from analysis.models import MatchTally, TrainerCard

merge_registry.reassign_columns(
    "analysis.AnalysisPreferences.user",
    "analysis.TrainerCard.user",
    "analysis.DailyVote.user",
    "analysis.PositionQuestion.user",
)


@merge_registry.counts
def merge_counts(merge: Merge) -> Iterable[MergeCount]:
    yield MergeCount(_("Analysed matches"), MatchTally.objects.filter(user=merge.source).count())
    yield MergeCount(_("Trainer positions"), TrainerCard.objects.filter(user=merge.source).count())
