"""What a message looks like to one reader. Pure: from the stored message to a part of a frame."""

from __future__ import annotations

from typing import Any

from chat.phrases import phrase_text
from games.engine import Json


def message_event(message: Any) -> Json:
    """Return a message as it travels between processes; a removed one has no text. Its author is fetched."""
    gone = message.removed_at is not None
    return {
        "id": message.pk,
        "room": str(message.room),
        "by_id": message.by_id,
        "by": message.by.username if message.by else "",
        "at": message.at.isoformat(timespec="seconds"),
        "text": "" if gone else message.text,
        "phrase": "" if gone else message.phrase,
        "gone": gone,
    }


def message_line(said: Json, user_id: int | None) -> Json:
    """Return a message for one reader, in the active language. It holds no user ids."""
    return {
        "id": said["id"],
        "room": said["room"],
        "by": said["by"],
        "mine": said["by_id"] is not None and said["by_id"] == user_id,
        "at": said["at"],
        "text": phrase_text(said["phrase"]) if said["phrase"] else said["text"],
        "gone": said["gone"],
    }
