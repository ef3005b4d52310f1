"""The frames of one bot on their way: sent or heard twice, late (after the next one), or never.

The bytes of a frame that a client sends are masked, so what happens to whole frames happens here, on the bot's side of
the socket; what happens to bytes and connections is `weather`'s.
"""

from __future__ import annotations

import random

from tests.faults.play.told import Frame

MISCHIEF = ("duplicated", "reordered", "lost")
SHARE = 0.3  # of the frames


class Post:
    """`mischief` is what happens at present to some of the frames, in both directions; None is fair weather."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.mischief: str | None = None
        self.count = 0
        self._late: dict[str, list[Frame]] = {"out": [], "in": []}

    def through(self, frame: Frame, way: str) -> list[Frame]:
        """What really goes on when `frame` is sent (`way` "out") or comes ("in")."""
        late = self._late[way]
        if self.mischief is None or self.choose.random() > SHARE:
            passed, late[:] = [frame, *late], []
            return passed
        self.count += 1
        if self.mischief == "duplicated":
            return [frame, frame]
        if self.mischief == "reordered":
            late.append(frame)
        return []

    def forget(self) -> None:
        """The socket is gone, and what was late on it."""
        for late in self._late.values():
            late.clear()
