"""What the clerk finds when it looks through the tables: who listens, what is new, and how far it has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from hooks.kinds import USER, by_kind, topic

SLACK = timedelta(seconds=60)
"""How long after its own moment a row may still be committed and is found all the same."""


@dataclass(frozen=True)
class Watch:
    """What is listened to, each topic with the moment since when. `looked` is when the tables were looked at before."""

    topics: Mapping[str, datetime]
    looked: datetime

    @cached_property
    def ids(self) -> dict[str, set[str]]:
        return by_kind(self.topics)

    @cached_property
    def users(self) -> set[int]:
        return {int(one) for one in self.ids[USER]}

    def heard(self, candidates: Iterable[str]) -> frozenset[str]:
        """Of these topics those that anybody listens to."""
        return frozenset(one for one in candidates if one in self.topics)

    def of_users(self, ids: Iterable[int | None]) -> frozenset[str]:
        return self.heard(topic(USER, one) for one in ids if one is not None)

    def since(self, topics: Iterable[str]) -> datetime:
        """Since when the first of those who hear these topics listens."""
        return min(self.topics[one] for one in topics)


@dataclass(frozen=True)
class Found:
    """An event before it has a number; see `hooks.models.Event`."""

    key: str
    kind: str
    subject: str
    at: datetime
    topics: frozenset[str]
    data: dict[str, Any] = field(default_factory=dict)
    by_id: int | None = None


@dataclass(frozen=True)
class Come:
    """How far the log has come with a subject."""

    version: int
    status: str


@dataclass
class Look:
    """All that a look has found: events in the order in which they happened, and the marks to be set."""

    found: list[Found] = field(default_factory=list)
    marks: dict[str, Come] = field(default_factory=dict)
    unheard: set[str] = field(default_factory=set)
    """Marks of what nobody listens to any more: who listens later begins there and then."""

    def add(self, other: Look) -> None:
        self.found += other.found
        self.marks |= other.marks
        self.unheard |= other.unheard

    @property
    def empty(self) -> bool:
        return not (self.found or self.marks or self.unheard)
