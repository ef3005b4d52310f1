"""What `tournaments` does when two accounts become one: see accounts.merging."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import merging
from accounts.data import Hindrance
from accounts.merging import Count, Merge
from tournaments.models import Director, Entrant, Tournament, TournamentEvent

MOST_NAMED = 5
NAMING = ("linked", "substituted")
"""The events that say by number who somebody is; all others speak of places of the tournament."""

merging.moves("tournaments.Director.user")


@merging.counted
def told(merge: Merge) -> Iterable[Count]:
    yield Count(_("Tournaments played"), Entrant.objects.filter(user=merge.gone).count())
    yield Count(_("Tournaments directed"), Director.objects.filter(user=merge.gone).count())


@merging.hindrance
def in_one_tournament(merge: Merge) -> Iterable[Hindrance]:
    """Nobody can have been two in a tournament."""
    both = Tournament.objects.filter(entrants__user=merge.gone).filter(entrants__user=merge.into).distinct()
    for one in both.order_by("created_at", "pk")[:MOST_NAMED]:
        text = _("Both entered %(name)s.") % {"name": one.name}
        yield Hindrance(text, reverse("tournament", args=[one.pk]))


@merging.mover("tournaments.TournamentEvent.data")
def move_places(merge: Merge) -> None:
    """Who a place belongs to, where the log says it by number. Names stay as they were told then."""
    his = Q(data__user=merge.gone.pk) | Q(data__first__user=merge.gone.pk)
    for event in TournamentEvent.objects.filter(his, kind__in=NAMING).only("pk", "data").iterator(chunk_size=500):
        found = _named(event.data, merge)
        if "first" in found and isinstance(found["first"], dict):
            found = {**found, "first": _named(found["first"], merge)}
        if found != event.data:
            TournamentEvent.objects.filter(pk=event.pk).update(data=found)


def _named(said: dict[str, Any], merge: Merge) -> dict[str, Any]:
    return {**said, "user": merge.into.pk} if said.get("user") == merge.gone.pk else said
