"""What `analysis` does when two accounts become one: see accounts.merging."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from accounts import merging
from accounts.merging import Count, Merge
from analysis.models import Card, Tally

merging.moves("analysis.Wishes.user", "analysis.Card.user", "analysis.Vote.user", "analysis.Question.user")


@merging.counted
def told(merge: Merge) -> Iterable[Count]:
    yield Count(_("Matches with error rates"), Tally.objects.filter(user=merge.gone).count())
    yield Count(_("Positions in the trainer"), Card.objects.filter(user=merge.gone).count())
