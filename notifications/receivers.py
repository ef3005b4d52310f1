"""Notifications about play: every message to a user, and the ends of matches."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from accounts.relationships.selectors import silenced_for
from chat.rooms import Room
from chat.signals import message_posted
from games.clocks import PRESETS
from games.engine import Json
from games.models import Match
from games.signals import match_finished, missed_events_asked, user_notified
from notifications import services
from notifications.build import TABLE, Draft, build_draft, expired_by
from notifications.selectors import notifications

log = logging.getLogger(__name__)


@receiver(user_notified)
def write(sender: object, user_id: int, message: Json, **more: Any) -> None:
    """Turn a message to a user into a notification in the same transaction, or expire others."""
    settled = expired_by(message)
    if settled is not None:
        reader = None if settled.for_all_users else user_id
        services.notification_settle(kinds=settled.kinds, key=settled.key, user_id=reader)
    draft = _match_begun(message["id"], user_id) if message["t"] == "go" else build_draft(message)
    if draft is not None:
        services.notification_write(user_id=user_id, draft=draft)


@receiver(match_finished)
def expire_when_match_ends(sender: object, match_id: str, **more: Any) -> None:
    """A match is over: nobody needs to come to its table any more."""
    try:
        services.notification_settle(kinds=TABLE, key=match_id)
    except Exception:  # the player's own act has been committed and is not to fail; the sweep takes them back
        log.exception("notices of %s", match_id)


@receiver(missed_events_asked)
def missed_unread_count(sender: object, user_id: int, since: datetime, **more: Any) -> list[Json]:
    """A page asks what it missed: perhaps the bell counts otherwise by now."""
    event = notifications.missed_since(user_id=user_id, since=since)
    return [] if event is None else [event]


@receiver(message_posted)
def notify_opponent_of_chat(sender: object, match_id: str, room: str, by_id: int | None, **more: Any) -> None:
    """Notify a correspondence player of a chat message by the opponent. Spectators' chat notifies nobody."""
    if room != Room.PLAYERS:
        return
    match = Match.objects.filter(pk=match_id).prefetch_related("seats__user").first()
    if match is None or not PRESETS[match.clock_preset].slow:
        return
    seats = list(match.seats.all())
    by = next((seat for seat in seats if seat.user_id == by_id), None)
    other = next((seat for seat in seats if seat is not by), None)
    if by is None or other is None or other.user_id is None or by_id in silenced_for(other.user_id):
        return
    services.notification_write(
        user_id=other.user_id, draft=Draft("talk", match_id, f"/match/{match_id}/", {"from": by.name})
    )


def _match_begun(match_id: str, user_id: int) -> Draft | None:
    """Build the notification that a match has begun without this player; "your move" says it in correspondence."""
    match = Match.objects.filter(pk=match_id).prefetch_related("seats__user").first()
    if match is None or PRESETS[match.clock_preset].slow:
        return None
    opponent = next((seat for seat in match.seats.all() if seat.user_id != user_id), None)
    if opponent is None or opponent.user is None or opponent.user.is_bot:
        return None
    return Draft("begun", match_id, f"/match/{match_id}/", {"from": opponent.name})
