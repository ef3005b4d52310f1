"""The match clock as a value that is stepped by hand: simple (US) delay and a reserve, in milliseconds.

Ruling "Match clock": each turn begins with a delay that costs nothing; what is used beyond it comes off the reserve,
which lasts the whole match, or a game where the game's rules ask for that. Time is passed in, never read here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

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


Kind = Literal["match", "game", "sudden"]
Pace = Literal["live", "correspondence"]


@dataclass(frozen=True, slots=True)
class ClockPreset:
    """A clock that a club offers: milliseconds of reserve (a point, or a game) and of delay a turn.

    `kind` is what the rules of a game ask for (`engine.Rules.clock_kind`); None fits every game and is no clock at all.
    `pace` tells matches played in one sitting from those by correspondence: they are rated apart.
    """

    key: str
    kind: Kind | None
    reserve: int
    delay: int
    pace: Pace = "live"

    def fits(self, kind: str) -> bool:
        """Whether a game whose rules ask for this kind of clock can be played with it."""
        return self.kind in (None, kind)

    @property
    def each_game(self) -> bool:
        """Whether every game begins with the full reserve again."""
        return self.kind in ("game", "sudden")

    def clock(self, length: int) -> Clock | None:
        """The clock of a match to `length`, or of one game of it; None for a match without clock."""
        if self.kind is None:
            return None
        return start(self.reserve if self.each_game else self.reserve * length, self.delay)


MINUTE = 60_000

# The first preset of a kind is the usual one.
PRESETS: dict[str, ClockPreset] = {
    preset.key: preset
    for preset in (
        ClockPreset("club", "match", 2 * MINUTE, 12_000),
        ClockPreset("blitz", "match", MINUTE, 8_000),
        ClockPreset("slow", "match", 3 * MINUTE, 20_000),
        ClockPreset("game5", "game", 5 * MINUTE, 12_000),
        ClockPreset("min10", "sudden", 10 * MINUTE, 0),
        ClockPreset("min5", "sudden", 5 * MINUTE, 0),
        ClockPreset("min15", "sudden", 15 * MINUTE, 0),
        ClockPreset("none", None, 0, 0),
    )
}


def fitting(kind: str) -> list[ClockPreset]:
    """The presets for a game whose rules ask for this kind of clock, the usual one first."""
    return [preset for preset in PRESETS.values() if preset.fits(kind)]


def pace_of(key: str) -> Pace:
    """The pace of a match with this clock; a match out of a file, whose clock we do not know, was played live."""
    return PRESETS[key].pace if key in PRESETS else "live"
