"""What `ladders` does when two accounts become one: see accounts.support.merge_registry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.privacy.registry import DeletionBlocker
from accounts.support import merge_registry
from accounts.support.merge_registry import Merge, MergeCount
from ladders.models import Ladder, LadderEvent, LadderPlayer, LadderSeason

MOST_NAMED = 5
PLAYERS = ("player", "challenger", "defender", "winner", "loser")
"""The keys at which an event names a player by number (ladders.rules.fold)."""


@merge_registry.counts
def merge_counts(merge: Merge) -> Iterable[MergeCount]:
    yield MergeCount(_("Ladder places"), LadderPlayer.objects.filter(user=merge.source).count())


@merge_registry.blocker
def on_one_ladder(merge: Merge) -> Iterable[DeletionBlocker]:
    """Nobody can have held two places on one ladder."""
    both = Ladder.objects.filter(players__user=merge.source).filter(players__user=merge.target).distinct()
    for ladder in both.order_by("name", "pk")[:MOST_NAMED]:
        text = _("Both accounts were on the ladder %(name)s.") % {"name": ladder.name}
        yield DeletionBlocker(text, reverse("ladder", args=[ladder.pk]))


@merge_registry.mover("ladders.LadderEvent.payload", "ladders.Ladder.state", "ladders.LadderSeason.table")
def move_places(merge: Merge) -> None:
    """Replace the account's number in the events of its ladders, their folded states and the tables of their seasons.

    The other account was never on these ladders, so the fold stays the same with the other player in it.
    """
    ids = {merge.source.pk: merge.target.pk}
    ladders = Ladder.objects.filter(Q(players__user=merge.source) | Q(challenges__challenger=merge.source)).distinct()
    for ladder in Ladder.objects.select_for_update().filter(pk__in=list(ladders.values_list("pk", flat=True))):
        for event in LadderEvent.objects.filter(ladder=ladder).only("pk", "payload").iterator(chunk_size=500):
            payload = _replace_in_payload(event.payload, ids)
            if payload != event.payload:
                LadderEvent.objects.filter(pk=event.pk).update(payload=payload)
        Ladder.objects.filter(pk=ladder.pk).update(state=_replace_in_state(ladder.state, ids))
        for season in LadderSeason.objects.filter(ladder=ladder):
            season.table = [{**row, "user": ids.get(row.get("user"), row.get("user"))} for row in season.table]
            season.save(update_fields=["table"])


def _replace_in_payload(payload: dict[str, Any], ids: dict[int, int]) -> dict[str, Any]:
    """The payload of an event with numbers replaced; the keys of `moves` and `points` are numbers as text."""
    found = {key: ids.get(value, value) if key in PLAYERS else value for key, value in payload.items()}
    for key in ("moves", "points"):
        if isinstance(found.get(key), dict):
            keys = {str(from_id): str(into_id) for from_id, into_id in ids.items()}
            found[key] = {keys.get(player, player): value for player, value in found[key].items()}
    return found


def _replace_in_state(state: dict[str, Any], ids: dict[int, int]) -> dict[str, Any]:
    """A dumped state (ladders.rules.snapshot) with numbers replaced."""

    def player(number: Any) -> Any:
        return ids.get(number, number)

    found = dict(state)
    if "order" in state:
        found["order"] = [player(number) for number in state["order"]]
    if "rows" in state:
        found["rows"] = [
            {
                **row,
                "player": player(row["player"]),
                "results": [[player(opponent), points] for opponent, points in row["results"]],
                "met": [[player(opponent), met_at] for opponent, met_at in row["met"]],
            }
            for row in state["rows"]
        ]
    if "challenges" in state:
        found["challenges"] = [
            [number, player(challenger), player(defender)] for number, challenger, defender in state["challenges"]
        ]
    return found
