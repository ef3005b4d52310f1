"""Chat's receivers: a match ended, a user muted or blocked another."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import Relationship
from accounts.signals import relationships_changed
from chat import notify
from games.signals import match_finished


@receiver(match_finished)
def open_rooms(sender: object, match_id: str, **more: Any) -> None:
    """Open both rooms to all readers. A socket that misses this finds it with its next heartbeat."""
    notify.match_over(match_id)


@receiver(relationships_changed)
def reload_after_mute_or_block(sender: object, by_id: int, about_id: int, kind: str, **more: Any) -> None:
    """Reload the chat of users whose mutes or blocks changed: a mute changes what one reads, a block what both read."""
    if kind == Relationship.Kind.FOLLOW:
        return
    notify.person_changed(by_id)
    if kind == Relationship.Kind.BLOCK:
        notify.person_changed(about_id)
