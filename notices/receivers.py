"""What notices hear from play: every word to a person, and the ends of matches."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from accounts.ties import unheard_by
from games.clocks import PRESETS
from games.engine import Json
from games.models import Match
from games.signals import caught_up, match_finished, person_told
from notices import services
from notices.selectors import notices
from notices.told import TABLE, Draft, draft_of, settled_by
from talk.rooms import Room
from talk.signals import said

log = logging.getLogger(__name__)


@receiver(person_told)
def write(sender: object, user_id: int, message: Json, **more: Any) -> None:
    """Somebody was told something: it becomes a notice in the same transaction, or takes one back."""
    settled = settled_by(message)
    if settled is not None:
        reader = None if settled.everybody else user_id
        services.notice_settle(kinds=settled.kinds, key=settled.key, user_id=reader)
    draft = _begun(message["id"], user_id) if message["t"] == "go" else draft_of(message)
    if draft is not None:
        services.notice_write(user_id=user_id, draft=draft)


@receiver(match_finished)
def take_back(sender: object, match_id: str, **more: Any) -> None:
    """A match is over: nobody needs to come to its table any more."""
    try:
        services.notice_settle(kinds=TABLE, key=match_id)
    except Exception:  # the player's own act has been committed and is not to fail; the sweep takes them back
        log.exception("notices of %s", match_id)


@receiver(caught_up)
def count_again(sender: object, user_id: int, since: datetime, **more: Any) -> Json | None:
    """A page asks what it missed: perhaps the bell counts otherwise by now."""
    return notices.missed(user_id=user_id, since=since)


@receiver(said)
def somebody_wrote(sender: object, match_id: str, room: str, by_id: int | None, **more: Any) -> None:
    """A player by correspondence wrote to the other one, who is elsewhere. Nobody is told of the watchers' room."""
    if room != Room.PLAYERS:
        return
    match = Match.objects.filter(pk=match_id).prefetch_related("seats__user").first()
    if match is None or not PRESETS[match.clock_preset].slow:
        return
    seats = list(match.seats.all())
    by = next((seat for seat in seats if seat.user_id == by_id), None)
    other = next((seat for seat in seats if seat is not by), None)
    if by is None or other is None or other.user_id is None or by_id in unheard_by(other.user_id):
        return
    services.notice_write(
        user_id=other.user_id, draft=Draft("talk", match_id, f"/match/{match_id}/", {"from": by.name})
    )


def _begun(match_id: str, user_id: int) -> Draft | None:
    """A match has begun without this player, against a person: by correspondence "your move" says it already."""
    match = Match.objects.filter(pk=match_id).prefetch_related("seats__user").first()
    if match is None or PRESETS[match.clock_preset].slow:
        return None
    rival = next((seat for seat in match.seats.all() if seat.user_id != user_id), None)
    if rival is None or rival.user is None or rival.user.is_bot:
        return None
    return Draft("begun", match_id, f"/match/{match_id}/", {"from": rival.name})
