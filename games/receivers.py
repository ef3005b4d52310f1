"""What ladders and statistics hear from play. Not hearing it costs nothing: the sweeps find what was missed."""

from __future__ import annotations

import logging
from typing import Any

from django.dispatch import receiver

from games import notify
from games.services import ladders
from games.signals import match_finished

log = logging.getLogger(__name__)


@receiver(match_finished)
def take_result(sender: object, match_id: str, **more: Any) -> None:
    """A match has ended: if it counts on a ladder, its result goes there."""
    try:
        ladders.match_over(match_id=match_id)
    except Exception:  # the sweep tries again; the player's own act has been committed and is not to fail
        log.exception("ladder of %s", match_id)


@receiver(match_finished)
def count(sender: object, match_id: str, **more: Any) -> None:
    """A match has ended: a worker counts it, because replaying it takes longer than a player should wait."""
    notify.facts_wanted(match_id)
