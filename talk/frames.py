"""What a message looks like to one reader. Pure: a dict of what was said in, a part of a frame out."""

from __future__ import annotations

from typing import Any

from games.engine import Json
from talk.phrases import phrase_text


def said_of(message: Any) -> Json:
    """A message as it travels between processes; one that was removed without its words. Its author is fetched."""
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


def line(said: Json, user_id: int | None) -> Json:
    """What was said, for one reader, in the active language: nobody is told the ids of people."""
    return {
        "id": said["id"],
        "room": said["room"],
        "by": said["by"],
        "mine": said["by_id"] is not None and said["by_id"] == user_id,
        "at": said["at"],
        "text": phrase_text(said["phrase"]) if said["phrase"] else said["text"],
        "gone": said["gone"],
    }
