"""The chat of a match for one reader, as a frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max

from chat import frames
from chat.limits import HISTORY
from chat.models import Message
from chat.visibility import ChatViewer, chat_viewer, visible_messages
from games.engine import Json


@dataclass(frozen=True, slots=True)
class ChatHistory:
    """A reader at a match and messages that they may read, earliest first; `more`: there are earlier messages."""

    viewer: ChatViewer
    messages: list[Json]
    removed_ids: list[int]
    more: bool

    def frame(self, *, known: Iterable[int] = ()) -> Json:
        """Build the frame `talk` without the messages that the reader already has, in the active language."""
        viewer, have = self.viewer, set(known)
        return {
            "t": "talk",
            "room": viewer.room.value,
            "rooms": sorted(room.value for room in viewer.rooms),
            "over": viewer.over,
            "may": list(viewer.may),
            "why": viewer.refusal.as_json() if viewer.refusal else None,
            "messages": [
                frames.message_line(message, viewer.user_id) for message in self.messages if message["id"] not in have
            ],
            "gone": self.removed_ids,
            "more": self.more,
        }


def chat_history(*, match_id: str, user_id: int | None, after: int = 0, before: int | None = None) -> ChatHistory:
    """Return the messages after or before a given one: at most `HISTORY`, the latest of them. Raises NotFound.

    `removed_ids` lists all removed messages of the reader's rooms: the page may still show them.
    """
    viewer = chat_viewer(match_id=match_id, user_id=user_id)
    found = visible_messages(viewer).filter(pk__gt=after)
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found.order_by("-pk")[: HISTORY + 1])
    removed_ids = list(
        visible_messages(viewer).filter(removed_at__isnull=False).order_by("pk").values_list("pk", flat=True)
    )
    messages = [frames.message_event(row) for row in reversed(rows[:HISTORY])]
    return ChatHistory(viewer, messages, removed_ids, len(rows) > HISTORY)


def latest_change(*, match_id: str) -> tuple[int, int]:
    """The last message at a match, in whichever room, and how many were removed: it changes when there is news."""
    found = Message.objects.filter(match=match_id).aggregate(last=Max("pk"), removed=Count("removed_at"))
    return found["last"] or 0, found["removed"]
