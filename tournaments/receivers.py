"""Receivers of the signals of live play. A lost signal costs nothing: the sweep finds what was missed."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from games.signals import match_director_asked, match_finished, outage_ended
from tournaments import services
from tournaments.selectors import lookups

log = logging.getLogger(__name__)


@receiver(match_finished)
def record_match_result(sender: object, match_id: str, **kwargs: Any) -> None:
    """Record the result of a finished match in its tournament, if it has one."""
    try:
        services.match_result_record(match_id=match_id)
    except Exception:  # the sweep tries again; the player's own action is committed, and must not fail
        log.exception("result of %s", match_id)


@receiver(outage_ended)
def extend_tournament_deadlines(sender: object, alive: datetime, moment: datetime, **kwargs: Any) -> None:
    """Give an outage back to the deadlines of tournaments, in the same transaction as to the clocks."""
    services.outage_ended(alive=alive, moment=moment)


@receiver(match_director_asked)
def directs_match(sender: object, match_id: str, user_id: int, **kwargs: Any) -> bool:
    """Whether the user directs the tournament of a match: a block does not keep directors from its matches."""
    return lookups.directs_match(match_id=match_id, user_id=user_id)
