"""The match clock as a value that is stepped by hand: simple (US) delay and a reserve, in milliseconds.

Ruling "Match clock": each turn begins with a delay that costs nothing; what is used beyond it comes off the reserve,
which lasts the whole match. Time is passed in, never read here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.engine import Side


@dataclass(frozen=True, slots=True)
class Clock:
    """Two reserves, the delay of a turn, whose time runs and what is left of his delay."""

    white: int
    black: int
    delay: int
    running: Side | None = None
    delay_left: int = 0
    flag: Side | None = None

    def reserve(self, side: Side) -> int:
        return self.white if side == "white" else self.black

    @property
    def left(self) -> int | None:
        """Milliseconds until the running side's flag falls; None while nobody's time runs."""
        return None if self.running is None else self.delay_left + self.reserve(self.running)

    def turn(self, side: Side | None, *, fresh: bool = True) -> Clock:
        """Run `side`'s time (None stops both), with a fresh delay unless the same turn goes on."""
        if side is None:
            return replace(self, running=None, delay_left=0)
        if side == self.running and not fresh:
            return self
        return replace(self, running=side, delay_left=self.delay)

    def spend(self, side: Side, ms: int) -> Clock:
        """`side` used `ms`: first his delay, then his reserve; reaching exactly zero is a flag.

        When another side (or nobody) was running, this is a new turn with a fresh delay.
        """
        clock = self.turn(side, fresh=self.running != side)
        ms = max(0, ms)
        free = min(ms, clock.delay_left)
        reserve = max(0, clock.reserve(side) - (ms - free))
        delay_left = clock.delay_left - free
        flag = side if reserve == 0 and delay_left == 0 else clock.flag
        clock = replace(clock, delay_left=delay_left, flag=flag)
        return replace(clock, white=reserve) if side == "white" else replace(clock, black=reserve)

    def snapshot(self) -> dict[str, Any]:
        return {
            "white": self.white,
            "black": self.black,
            "delay": self.delay,
            "delay_left": self.delay_left,
            "running": self.running,
        }


def start(reserve_ms: int, delay_ms: int) -> Clock:
    """Both reserves full, nobody's time running."""
    return Clock(white=reserve_ms, black=reserve_ms, delay=delay_ms)


def restore(snapshot: dict[str, Any]) -> Clock:
    """The clock that `snapshot` was taken of."""
    return Clock(**snapshot)


@dataclass(frozen=True, slots=True)
class ClockPreset:
    """A clock that a club offers: milliseconds of reserve a point, and of delay a turn. Zero reserve: no clock."""

    key: str
    reserve_a_point: int
    delay: int

    def clock(self, length: int) -> Clock | None:
        """The clock of a match to `length`, or None for a match without clock."""
        if not self.reserve_a_point:
            return None
        return start(self.reserve_a_point * length, self.delay)


PRESETS: dict[str, ClockPreset] = {
    preset.key: preset
    for preset in (
        ClockPreset("club", 120_000, 12_000),
        ClockPreset("blitz", 60_000, 8_000),
        ClockPreset("slow", 180_000, 20_000),
        ClockPreset("none", 0, 0),
    )
}
