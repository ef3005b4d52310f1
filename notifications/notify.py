"""Send the number of unread notifications to open pages, after the commit. Every heartbeat repeats it."""

from __future__ import annotations

from django.db import transaction

from games.engine import Json
from games.notify import message_user
from notifications.models import Notification


def unread_count(user_id: int) -> int:
    """Return the number of a user's unread notifications."""
    return Notification.objects.filter(user=user_id, read_at=None, shown=True).count()


def bell_message(user_id: int, url: str = "") -> Json:
    """Build the message to the bell of a page: how many are unread, and where the newest leads."""
    message: Json = {"t": "notice", "unread": unread_count(user_id)}
    return {**message, "url": url} if url else message


def send_bell(user_id: int, url: str = "") -> None:
    """The bells of this person count anew; counted after the commit, when others have written, too."""
    transaction.on_commit(lambda: message_user(user_id, bell_message(user_id, url)))
