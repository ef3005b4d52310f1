"""What ladders receive from play. Missing a signal costs nothing: the sweep finds the results that were missed."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from accounts.models import Club, User
from games.engine import Json
from games.signals import correcting_club_asked, match_director_asked, match_finished, missed_events_asked, pair_blocked
from ladders import events, services
from ladders.selectors import entries

log = logging.getLogger(__name__)


@receiver(match_finished)
def count_result(sender: object, match_id: str, **more: Any) -> None:
    """Count the result of a finished match on the ladders that it was played for."""
    try:
        services.match_over(match_id=match_id)
    except Exception:  # the sweep tries again; the player's own action has been committed and must not fail
        log.exception("ladder of %s", match_id)


@receiver(pair_blocked)
def end_challenges(sender: object, by: User, other: User, **more: Any) -> None:
    """End the unanswered challenges between two players of whom one has blocked the other, in the same transaction."""
    services.challenges_end(by=by, other=other)


@receiver(match_director_asked)
def directs_match(sender: object, match_id: str, user_id: int, **more: Any) -> bool:
    """Let the directors of a ladder watch its matches even when a block stands between them and a player."""
    return entries.directs_match(match_id=match_id, user_id=user_id)


@receiver(correcting_club_asked)
def club_of_match(sender: object, match_id: str, **more: Any) -> Club | None:
    """Answer whose directors correct the match of a challenge: those of the ladder's club."""
    return entries.club_of_match(match_id)


@receiver(missed_events_asked)
def missed_challenges(sender: object, user_id: int, since: datetime, **more: Any) -> list[Json]:
    """Send again the challenges that a page may have missed."""
    return [events.challenged(challenge) for challenge in entries.challenges_since(user_id=user_id, since=since)]
