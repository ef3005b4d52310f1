"""What the talk of a match is for one reader, as a frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max

from games.engine import Json
from talk import frames
from talk.hearing import Hearer, heard, hearer_of
from talk.limits import HISTORY
from talk.models import Message


@dataclass(frozen=True, slots=True)
class Talk:
    """A reader at a match, and some of what he may read, the earliest first; `more`: there is earlier than that."""

    hearer: Hearer
    said: list[Json]
    gone: list[int]
    more: bool

    def frame(self, *, known: Iterable[int] = ()) -> Json:
        """The frame `talk`, without what the reader has already, in the active language."""
        hearer, have = self.hearer, set(known)
        return {
            "t": "talk",
            "room": hearer.room.value,
            "rooms": sorted(room.value for room in hearer.rooms),
            "over": hearer.over,
            "may": list(hearer.may),
            "why": hearer.refusal.as_json() if hearer.refusal else None,
            "messages": [frames.line(said, hearer.user_id) for said in self.said if said["id"] not in have],
            "gone": self.gone,
            "more": self.more,
        }


def talk_of(*, match_id: str, user_id: int | None, after: int = 0, before: int | None = None) -> Talk:
    """What was said after a message, or before one: at most `HISTORY`, the latest of them. Raises NotFound.

    `gone` are the messages that were removed from the rooms which he reads, whenever: he may have them on his page.
    """
    hearer = hearer_of(match_id=match_id, user_id=user_id)
    found = heard(hearer).filter(pk__gt=after)
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found.order_by("-pk")[: HISTORY + 1])
    gone = list(heard(hearer).filter(removed_at__isnull=False).order_by("pk").values_list("pk", flat=True))
    said = [frames.said_of(row) for row in reversed(rows[:HISTORY])]
    return Talk(hearer, said, gone, len(rows) > HISTORY)


def pulse_of(*, match_id: str) -> tuple[int, int]:
    """The last message at a match, in whichever room, and how many were removed: it changes when there is news."""
    found = Message.objects.filter(match=match_id).aggregate(last=Max("pk"), removed=Count("removed_at"))
    return found["last"] or 0, found["removed"]
