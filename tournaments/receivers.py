"""What tournaments hear from play. Not hearing it costs nothing: the sweep finds what was missed."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from games.signals import duty_asked, match_finished, outage_ended
from tournaments import services
from tournaments.selectors import entries

log = logging.getLogger(__name__)


@receiver(match_finished)
def take_result(sender: object, match_id: str, **more: Any) -> None:
    """A match has ended: if it is of a tournament, its result goes there."""
    try:
        services.match_over(match_id=match_id)
    except Exception:  # the sweep tries again; the player's own act has been committed and is not to fail
        log.exception("result of %s", match_id)


@receiver(outage_ended)
def give_back(sender: object, alive: datetime, moment: datetime, **more: Any) -> None:
    """The site was away: the deadlines of tournaments move in the same transaction as the clocks."""
    services.outage_ended(alive=alive, moment=moment)


@receiver(duty_asked)
def has_duty(sender: object, match_id: str, user_id: int, **more: Any) -> bool:
    """A block keeps nobody from the matches of the tournament that he directs."""
    return entries.directs_match(match_id=match_id, user_id=user_id)
