"""Merging two accounts in tournaments: see accounts.support.merge_registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.privacy.registry import DeletionBlocker
from accounts.support import merge_registry
from accounts.support.merge_registry import Merge, MergeCount
from tournaments.models import Entrant, Official, Tournament, TournamentEvent
from tournaments.roles import Role

MOST_NAMED = 5
EVENTS_WITH_USERS = ("linked", "substituted")
"""The kinds of events with ids of accounts; all others have numbers of entrants."""

merge_registry.reassign_columns("tournaments.Official.user", "tournaments.Official.appointed_by")


@merge_registry.counts
def merge_counts(merge: Merge) -> Iterable[MergeCount]:
    yield MergeCount(_("Tournaments played"), Entrant.objects.filter(user=merge.source).count())
    yield MergeCount(_("Tournaments directed"), Official.objects.filter(user=merge.source, role=Role.DIRECTOR).count())


@merge_registry.blocker
def shared_tournaments(merge: Merge) -> Iterable[DeletionBlocker]:
    """Block the merge of two accounts that are registered in the same tournament."""
    both = Tournament.objects.filter(entrants__user=merge.source).filter(entrants__user=merge.target).distinct()
    for tournament in both.order_by("created_at", "pk")[:MOST_NAMED]:
        text = _("Both accounts are registered in %(name)s.") % {"name": tournament.name}
        yield DeletionBlocker(text, reverse("tournament", args=[tournament.pk]))


@merge_registry.mover("tournaments.TournamentEvent.data")
def replace_users_in_events(merge: Merge) -> None:
    """Replace the ids of accounts in the data of events. Names stay as they were recorded."""
    with_user = Q(data__user=merge.source.pk) | Q(data__first__user=merge.source.pk)
    for event in (
        TournamentEvent.objects.filter(with_user, kind__in=EVENTS_WITH_USERS)
        .only("pk", "data")
        .iterator(chunk_size=500)
    ):
        data = _with_target(event.data, merge)
        if isinstance(data.get("first"), dict):
            data = {**data, "first": _with_target(data["first"], merge)}
        if data != event.data:
            TournamentEvent.objects.filter(pk=event.pk).update(data=data)


def _with_target(person: dict[str, Any], merge: Merge) -> dict[str, Any]:
    """The same data with the target's account in place of the source's."""
    return {**person, "user": merge.target.pk} if person.get("user") == merge.source.pk else person
