"""Merging two accounts in `chat`: see accounts.support.merge_registry. Sanctions move to the account that stays."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from accounts.support import merge_registry
from accounts.support.merge_registry import Merge, MergeCount
from chat.models import Case, Message, Report

merge_registry.reassign_columns("chat.ChatPreferences.user", "chat.Sanction.user")


@merge_registry.counts
def merge_counts(merge: Merge) -> Iterable[MergeCount]:
    yield MergeCount(_("Messages"), Message.objects.filter(by=merge.source).count())
    yield MergeCount(_("Reports sent"), Report.objects.filter(by=merge.source).count())
    yield MergeCount(_("Cases about the person"), Case.objects.filter(about=merge.source).count())
