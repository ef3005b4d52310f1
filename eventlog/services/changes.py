"""What a comparison of the tables finds: who is subscribed, what is new, and the checkpoints to set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from eventlog.kinds import USER, by_kind, topic

SLACK = timedelta(seconds=60)
"""How long after its own moment a row may still be committed and is found all the same."""


@dataclass(frozen=True)
class Watch:
    """What is listened to, each topic with the moment since when. `compared_at`: of the comparison before."""

    topics: Mapping[str, datetime]
    compared_at: datetime

    @cached_property
    def ids(self) -> dict[str, set[str]]:
        return by_kind(self.topics)

    @cached_property
    def users(self) -> set[int]:
        return {int(user_id) for user_id in self.ids[USER]}

    def subscribed(self, candidates: Iterable[str]) -> frozenset[str]:
        """Of these topics those that anybody listens to."""
        return frozenset(candidate for candidate in candidates if candidate in self.topics)

    def of_users(self, ids: Iterable[int | None]) -> frozenset[str]:
        return self.subscribed(topic(USER, user_id) for user_id in ids if user_id is not None)

    def since(self, topics: Iterable[str]) -> datetime:
        """Return the start of the earliest subscription to these topics."""
        return min(self.topics[name] for name in topics)


@dataclass(frozen=True)
class NewEvent:
    """An event before it has a number; see `eventlog.models.Event`."""

    key: str
    kind: str
    subject: str
    at: datetime
    topics: frozenset[str]
    data: dict[str, Any] = field(default_factory=dict)
    by_id: int | None = None


@dataclass(frozen=True)
class Cursor:
    """How far the log has come with a subject."""

    version: int
    status: str


@dataclass
class ChangeSet:
    """All that a comparison has found: events in the order in which they happened, and checkpoints to set."""

    found: list[NewEvent] = field(default_factory=list)
    checkpoints: dict[str, Cursor] = field(default_factory=dict)
    unsubscribed: set[str] = field(default_factory=set)
    """Checkpoints without subscription: a later subscription starts anew."""

    def add(self, other: ChangeSet) -> None:
        self.found += other.found
        self.checkpoints |= other.checkpoints
        self.unsubscribed |= other.unsubscribed

    @property
    def empty(self) -> bool:
        return not (self.found or self.checkpoints or self.unsubscribed)
