"""The record of what one bot sent and received, with a fingerprint of the state at each version.

A `Record` takes frames as they are on the wire, outside the bot's own frame faults. Errors in the order of versions are
noticed here at once, since they need that order: `wrong`.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Frame = dict[str, Any]
Act = tuple[str, int, str]  # action, after which version, with which chain element


def fingerprint(board: Any, cube: Any, dice: Any, score: Mapping[str, Any], game: int) -> str:
    """Return a short hash of a position and its score, the same from a bot's frame and from the database."""
    text = json.dumps([board, cube, dice, dict(score), game], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def fingerprint_of(frame: Frame) -> str | None:
    """Return the fingerprint of a frame that shows the state; None before the match has begun."""
    position, match = frame.get("position"), frame.get("match")
    if position is None or match is None or match["score"] is None:
        return None
    return fingerprint(position["board"], position["cube"], position["dice"], match["score"], match["game"])


@dataclass
class Record:
    """The history of one seat of one match over all sockets of its bot."""

    match_id: str
    name: str
    side: str = ""
    asked: dict[str, Act] = field(default_factory=dict)
    acked: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    actions: dict[int, tuple[str, str]] = field(default_factory=dict)  # by version: actor, text
    rolls: dict[int, str] = field(default_factory=dict)  # the dice of each index
    fingerprints: dict[int, str] = field(default_factory=dict)
    highest: int = 0
    wrong: list[str] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)
    _floors: dict[str, list[int]] = field(default_factory=dict)

    def begin_connection(self) -> None:
        """Start a new socket: its first state and all its answers are read from the database after this moment."""
        self._floors = {"state": [self.highest]}

    def record_sent(self, frame: Frame) -> None:
        """Record a frame that is really sent."""
        if answer := {"ping": "pong", "sync": "actions"}.get(frame["t"]):
            self._floors.setdefault(answer, []).append(self.highest)
        if frame["t"] == "act":
            self.asked.setdefault(frame["id"], (frame["action"], frame["after"], frame.get("c", "")))

    def record_received(self, frame: Frame) -> None:
        """Record a frame that was really received."""
        kind, version = frame["t"], frame["version"]
        if (floors := self._floors.get(kind)) and version < (floor := floors.pop(0)):
            self.wrong.append(f"version {floor} was seen, and {kind} says {version}")
        self.highest = max(self.highest, version)
        if kind == "ack" and frame["id"] in self.asked:
            self._same("ack of " + frame["id"], self.acked.setdefault(frame["id"], version), version)
        elif kind == "refused" and frame.get("id") in self.asked:
            self.refused.setdefault(frame["id"], frame["code"])
        if kind in ("state", "event", "actions"):
            self._record_state(frame, version)

    def _record_state(self, frame: Frame, version: int) -> None:
        self.side = frame["you"] or self.side
        if (seen := fingerprint_of(frame)) is not None:
            self._same(f"the state at {version}", self.fingerprints.setdefault(version, seen), seen)
        for action in frame.get("actions", ()):
            n, entry = action["n"], (action["seat"], action["text"])
            self._same(f"action {n}", self.actions.setdefault(n, entry), entry)
            if proof := action.get("proof"):
                i, dice = proof["i"], action["text"]
                self._same(f"roll {i}", self.rolls.setdefault(i, dice), dice)

    def _same(self, label: str, before: object, now: object) -> None:
        if before != now:
            self.wrong.append(f"{label} was {before}, and is now {now}")
