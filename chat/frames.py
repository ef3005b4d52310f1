"""What a message looks like to one reader. Pure: from the stored message to a part of a frame."""

from __future__ import annotations

from typing import Any

from chat.phrases import phrase_text
from games.engine import Json


def message_event(message: Any) -> Json:
    """Return a message as it travels between processes; a removed one has no text. Its author is fetched."""
    removed = message.removed_at is not None
    return {
        "id": message.pk,
        "room": str(message.room),
        "by_id": message.by_id,
        "by": message.by.username if message.by else "",
        "at": message.at.isoformat(timespec="seconds"),
        "text": "" if removed else message.text,
        "phrase": "" if removed else message.phrase,
        "gone": removed,
    }


def message_line(message: Json, user_id: int | None) -> Json:
    """Return a message for one reader, in the active language. It holds no user ids."""
    return {
        "id": message["id"],
        "room": message["room"],
        "by": message["by"],
        "mine": message["by_id"] is not None and message["by_id"] == user_id,
        "at": message["at"],
        "text": phrase_text(message["phrase"]) if message["phrase"] else message["text"],
        "gone": message["gone"],
    }
