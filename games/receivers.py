"""Receivers of signals: finished matches are counted, and blocks end challenges and watching.

Missing the end of a match costs nothing: the sweeps find what was missed.
"""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import Relationship, User
from accounts.signals import relationships_changed
from games import notify
from games.models import Match
from games.services import challenges_end
from games.signals import match_finished, pair_blocked

WATCHED = (Match.Status.OPEN, Match.Status.LIVE)


@receiver(match_finished)
def count_match(sender: object, match_id: str, **more: Any) -> None:
    """Have a worker count a finished match: replaying it takes longer than a player should wait."""
    notify.enqueue_facts(match_id)


@receiver(relationships_changed)
def separate_blocked_users(sender: object, by_id: int, about_id: int, kind: str, active: bool, **more: Any) -> None:
    """End the challenges between two users after a block, and their watching of each other. In its transaction.

    The apps above first: they lock their own rows before those of matches.
    """
    if kind != Relationship.Kind.BLOCK or not active:
        return
    users = User.objects.in_bulk((by_id, about_id))
    pair_blocked.send(sender=Relationship, by=users[by_id], other=users[about_id])
    challenges_end(by=users[by_id], other=users[about_id])
    for player, viewer in ((by_id, about_id), (about_id, by_id)):
        matches = Match.objects.filter(seats__user=player, seats__ended_at=None, status__in=WATCHED)
        for match_id in matches.values_list("pk", flat=True):
            notify.recheck_viewer(match_id, viewer)
        notify.message_user(viewer, {"t": "lobby"})  # the offers of either leave the other's lists
