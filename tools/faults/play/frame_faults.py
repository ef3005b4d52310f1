"""Faults of whole frames between a bot and its socket: duplicated, reordered, or lost.

Clients mask the bytes of their frames, so faults of whole frames happen here, on the bot's side of the socket;
`network` causes those of bytes and connections.
"""

from __future__ import annotations

import random

from tools.faults.play.record import Frame

FRAME_FAULTS = ("duplicated", "reordered", "lost")
SHARE = 0.3  # of the frames


class FrameFaults:
    """`kind` is the fault that affects some frames in both directions at present; None is none."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.kind: str | None = None
        self.count = 0
        self._late: dict[str, list[Frame]] = {"out": [], "in": []}

    def through(self, frame: Frame, direction: str) -> list[Frame]:
        """Return the frames that really pass when `frame` is sent (`direction` "out") or received ("in")."""
        late = self._late[direction]
        if self.kind is None or self.choose.random() > SHARE:
            passed, late[:] = [frame, *late], []
            return passed
        self.count += 1
        if self.kind == "duplicated":
            return [frame, frame]
        if self.kind == "reordered":
            late.append(frame)
        return []

    def forget(self) -> None:
        """Drop the delayed frames of a closed socket."""
        for late in self._late.values():
            late.clear()
