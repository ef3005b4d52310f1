"""What the talk hears from below: a match is over, somebody muted or blocked another."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import Tie
from accounts.signals import ties_changed
from games.signals import match_finished
from talk import notify


@receiver(match_finished)
def rooms_open(sender: object, match_id: str, **more: Any) -> None:
    """Both rooms can be read now. Who does not hear of it finds it with his next heartbeat."""
    notify.match_over(match_id)


@receiver(ties_changed)
def hears_otherwise(sender: object, by_id: int, about_id: int, kind: str, **more: Any) -> None:
    """A mute changes what one hears, a block what both do."""
    if kind == Tie.Kind.FOLLOW:
        return
    notify.person_changed(by_id)
    if kind == Tie.Kind.BLOCK:
        notify.person_changed(about_id)
