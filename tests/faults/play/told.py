"""What one bot sent and was told, written down as it happened; and what it was told of each version, in short.

A `Record` takes frames as they leave and come on the wire, before the bot's own mischief with frames. What can be wrong
with the order of versions is noticed here at once, because it needs that order: `wrong`.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Frame = dict[str, Any]
Act = tuple[str, int, str]  # what was asked, after which version, with which element


def picture(board: Any, cube: Any, dice: Any, score: Mapping[str, Any], game: int) -> str:
    """A position and its score in a few letters, the same for what a bot was shown and for what the rows say."""
    text = json.dumps([board, cube, dice, dict(score), game], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def picture_of(frame: Frame) -> str | None:
    """The picture of a frame that tells the state; None before a match has begun."""
    position, match = frame.get("position"), frame.get("match")
    if position is None or match is None or match["score"] is None:
        return None
    return picture(position["board"], position["cube"], position["dice"], match["score"], match["game"])


@dataclass
class Record:
    """The history of one seat of one match, as its bot lived it over all its sockets."""

    match_id: str
    name: str
    side: str = ""
    asked: dict[str, Act] = field(default_factory=dict)
    acked: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    actions: dict[int, tuple[str, str]] = field(default_factory=dict)  # by version: actor, text
    rolls: dict[int, str] = field(default_factory=dict)  # the dice of each index
    pictures: dict[int, str] = field(default_factory=dict)
    highest: int = 0
    wrong: list[str] = field(default_factory=list)
    count: Counter[str] = field(default_factory=Counter)
    _floors: dict[str, list[int]] = field(default_factory=dict)

    def connecting(self) -> None:
        """A new socket: its first state, and every answer on it, is read from the rows after this moment."""
        self._floors = {"state": [self.highest]}

    def sends(self, frame: Frame) -> None:
        """A frame that really leaves."""
        if answer := {"ping": "pong", "sync": "actions"}.get(frame["t"]):
            self._floors.setdefault(answer, []).append(self.highest)
        if frame["t"] == "act":
            self.asked.setdefault(frame["id"], (frame["action"], frame["after"], frame.get("c", "")))

    def hears(self, frame: Frame) -> None:
        """A frame that really came."""
        kind, version = frame["t"], frame["version"]
        if (floors := self._floors.get(kind)) and version < (floor := floors.pop(0)):
            self.wrong.append(f"version {floor} was seen, and {kind} says {version}")
        self.highest = max(self.highest, version)
        if kind == "ack" and frame["id"] in self.asked:
            self._same("ack of " + frame["id"], self.acked.setdefault(frame["id"], version), version)
        elif kind == "refused" and frame.get("id") in self.asked:
            self.refused.setdefault(frame["id"], frame["code"])
        if kind in ("state", "event", "actions"):
            self._told(frame, version)

    def _told(self, frame: Frame, version: int) -> None:
        self.side = frame["you"] or self.side
        if (seen := picture_of(frame)) is not None:
            self._same(f"the state at {version}", self.pictures.setdefault(version, seen), seen)
        for action in frame.get("actions", ()):
            n, told = action["n"], (action["seat"], action["text"])
            self._same(f"action {n}", self.actions.setdefault(n, told), told)
            if proof := action.get("proof"):
                i, dice = proof["i"], action["text"]
                self._same(f"roll {i}", self.rolls.setdefault(i, dice), dice)

    def _same(self, what: str, before: object, now: object) -> None:
        if before != now:
            self.wrong.append(f"{what} was {before}, and is now {now}")
