"""The kinds of events, and the topics under which they are published. Pure.

A topic is a kind of thing and its id: ``user:7`` (what concerns that user), ``match:k3Yp...``, ``tournament:...``,
``desk:...`` (a tournament as its directors see it), ``ladder:...``. A user's own topic is always included; the others
are requested one by one, as *subjects*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

KINDS = (
    "match.created",
    "match.started",
    "match.acted",
    "match.finished",
    "match.cancelled",
    "challenge",
    "tournament.opened",
    "tournament.started",
    "tournament.round",
    "tournament.result",
    "tournament.finished",
    "tournament.cancelled",
    "tournament.changed",
    "desk.entry",
    "desk.report",
    "desk.alert",
    "ladder.challenge",
    "ladder.changed",
    "notice",
)
PING = "ping"
"""The kind of a webhook's test event; nothing else receives it."""

USER, MATCH, TOURNAMENT, DESK, LADDER = "user", "match", "tournament", "desk", "ladder"
SUBJECTS = (MATCH, TOURNAMENT, DESK, LADDER)
SUBJECT = re.compile(rf"({'|'.join(SUBJECTS)}):[A-Za-z0-9]{{1,16}}", re.ASCII)
MOST_SUBJECTS = 20
"""Of one stream or webhook."""


def topic(kind: str, about: str | int) -> str:
    return f"{kind}:{about}"


def split_topic(name: str) -> tuple[str, str]:
    """The kind of thing that a topic is about, and its id."""
    kind, _, about = name.partition(":")
    return kind, about


def by_kind(topics: Iterable[str]) -> dict[str, set[str]]:
    """The ids of topics by the kind of thing that they are about, all kinds present."""
    found: dict[str, set[str]] = {kind: set() for kind in (USER, *SUBJECTS)}
    for name in topics:
        kind, about = split_topic(name)
        found.setdefault(kind, set()).add(about)
    return found
