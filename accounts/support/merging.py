"""Merge two accounts of one person: all data of the source becomes the target's, and the source is closed.

What happens to each table is registered by its app (accounts.support.merge_registry). All of it is one transaction.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from accounts.errors import Refused
from accounts.models import FormerName, MergedAccount, User
from accounts.names.validation import fold
from accounts.privacy.registry import DeletionBlocker
from accounts.support import merge_registry
from accounts.support.merge_registry import Merge, MergeCount


@dataclass(frozen=True, slots=True)
class Preview:
    """What a merge would move, and what prevents it."""

    blockers: list[DeletionBlocker]
    counts: list[MergeCount]


def merge_preview(*, source: User, target: User) -> Preview:
    """Preview a merge. Raises Refused as `accounts_merge` does, except for blockers, which are listed."""
    merge = Merge(source, target)
    _check(merge)
    return Preview(merge_registry.merge_blockers(merge), merge_registry.merge_counts(merge))


def accounts_merge(*, source: User, target: User) -> list[MergeCount]:
    """Give everything of `source` to `target` and close `source`, in one transaction. Returns what was moved.

    Raises Refused: ``merge_same``, ``merge_closed``, ``merge_kind`` (bots, staff, or a guest as the target), and
    ``merge_hindered`` while there are blockers (`merge_registry.merge_blockers`).
    """
    with transaction.atomic():
        for lock in merge_registry.locks():
            lock(Merge(source, target))
        locked = User.objects.select_for_update().filter(pk__in=(source.pk, target.pk)).order_by("pk")
        users = {user.pk: user for user in locked}
        merge = Merge(users[source.pk], users[target.pk])
        _check(merge)
        if merge_registry.merge_blockers(merge):
            raise Refused("merge_hindered")
        counts = merge_registry.merge_counts(merge)
        for step in merge_registry.steps():
            step(merge)
        _close_source(merge)
    return counts


def _check(merge: Merge) -> None:
    source, target = merge.source, merge.target
    if source.pk == target.pk:
        raise Refused("merge_same")
    if not source.is_active or not target.is_active:
        raise Refused("merge_closed")
    if any(user.is_bot or user.is_staff or user.is_superuser for user in (source, target)) or target.is_guest:
        raise Refused("merge_kind")


def _close_source(merge: Merge) -> None:
    """Close the source, which keeps its name and password: whoever signs in there is told where the account is now."""
    source = User.objects.get(pk=merge.source.pk)
    source.is_active = False
    source.save(update_fields=["is_active"])
    MergedAccount.objects.create(source=source, target=merge.target)
    if not source.is_guest:
        FormerName.objects.get_or_create(
            user=merge.target, key=fold(source.username), defaults={"name": source.username}
        )
    merge.source.is_active = False
