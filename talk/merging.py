"""What `talk` does when two accounts become one: see accounts.merging. What somebody has to bear, he bears on."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from accounts import merging
from accounts.merging import Count, Merge
from talk.models import Case, Message, Report

merging.moves("talk.Wishes.user", "talk.Sanction.user")


@merging.counted
def told(merge: Merge) -> Iterable[Count]:
    yield Count(_("Messages"), Message.objects.filter(by=merge.gone).count())
    yield Count(_("Reports made"), Report.objects.filter(by=merge.gone).count())
    yield Count(_("Cases about the person"), Case.objects.filter(about=merge.gone).count())
