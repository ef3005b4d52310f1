"""Tell open pages how many notices wait, after the commit. A lost message costs nothing: every heartbeat says it."""

from __future__ import annotations

from django.db import transaction

from games.engine import Json
from games.notify import user_heard
from notices.models import Notice


def unread(user_id: int) -> int:
    """How many notices a person has still to read."""
    return Notice.objects.filter(user=user_id, read_at=None, shown=True).count()


def word(user_id: int, url: str = "") -> Json:
    """What the bell of a page is told: how many there are, and where the newest leads."""
    told: Json = {"t": "notice", "unread": unread(user_id)}
    return {**told, "url": url} if url else told


def bell(user_id: int, url: str = "") -> None:
    """The bells of this person count anew; counted after the commit, when others have written, too."""
    transaction.on_commit(lambda: user_heard(user_id, word(user_id, url)))
