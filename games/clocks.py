"""The match clock as a value that is stepped by hand, in milliseconds.

Ruling "Match clock": each turn begins with a delay that costs nothing; what is used beyond it comes off the reserve,
which lasts the whole match, or a game where the game's rules ask for that. A clock may add a bonus for every turn that
ends (Fischer), and keep an overtime for each side, once a match. By correspondence there is no reserve: the delay is
days. Time is passed in, never read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from games.engine import SIDES, Side
from games.lag_compensation import LagQuota


@dataclass(frozen=True, slots=True)
class Clock:
    """Two reserves, the delay of a turn, the side whose time runs and the rest of its delay.

    `bonus` is added to a reserve when its turn ends, the overtimes are what a side has left when its reserve is used
    up. `stopped` is the side whose time ran when the clock was paused, `quota` the lag that may be given back.
    """

    white: int
    black: int
    delay: int
    running: Side | None = None
    delay_left: int = 0
    flag: Side | None = None
    bonus: int = 0
    white_overtime: int = 0
    black_overtime: int = 0
    stopped: Side | None = None
    quota: LagQuota = field(default_factory=LagQuota)

    def reserve(self, side: Side) -> int:
        return self.white if side == "white" else self.black

    def overtime(self, side: Side) -> int:
        return self.white_overtime if side == "white" else self.black_overtime

    @property
    def left(self) -> int | None:
        """Milliseconds until the running side's flag falls; None while nobody's time runs."""
        if self.running is None:
            return None
        return self.delay_left + self.reserve(self.running) + self.overtime(self.running)

    def turn(self, side: Side | None, *, fresh: bool = True) -> Clock:
        """Run `side`'s time (None stops both), with a fresh delay unless the same turn goes on.

        The side whose turn ends gets the bonus.
        """
        if side is None:
            return replace(self, running=None, delay_left=0)
        if side == self.running and not fresh:
            return self
        if self.running in (None, side) or not self.bonus:
            return replace(self, running=side, delay_left=self.delay)
        return self._add(self.running, self.bonus, running=side, delay_left=self.delay)

    def spend(self, side: Side, ms: int, *, rtt_ms: int = 0) -> Clock:
        """`side` used `ms`: first its delay, then its reserve, then its overtime; reaching exactly zero is a flag.

        When another side (or nobody) was running, this is a new turn with a fresh delay. `rtt_ms` is the measured round
        trip (games.lag_compensation): the time that it cost is not counted.
        """
        clock = self.turn(side, fresh=False)
        ms, quota = max(0, ms), clock.quota
        if rtt_ms:
            credit, quota = quota.credit(side, rtt_ms=rtt_ms, used=ms)
            ms -= credit
        free = min(ms, clock.delay_left)
        off = min(ms - free, clock.reserve(side))
        over = min(ms - free - off, clock.overtime(side))
        clock = clock._add(side, -off, overtime=-over, delay_left=clock.delay_left - free, quota=quota)
        return replace(clock, flag=side) if clock.left == 0 else clock

    def pause(self) -> Clock:
        """Stop both as they are."""
        return replace(self, running=None, stopped=self.running)

    def resume(self) -> Clock:
        """Resume where `pause` stopped."""
        return replace(self, running=self.stopped, stopped=None)

    def next_game(self, full: Clock) -> Clock:
        """The clock of the next game, where every game has its own: overtimes and quota last the match."""
        return replace(full, white_overtime=self.white_overtime, black_overtime=self.black_overtime, quota=self.quota)

    def _add(self, side: Side, reserve: int, *, overtime: int = 0, **changes: Any) -> Clock:
        """With so many milliseconds more for a side, and what else changes: a copy is made once."""
        if side == "white":
            return replace(self, white=self.white + reserve, white_overtime=self.white_overtime + overtime, **changes)
        return replace(self, black=self.black + reserve, black_overtime=self.black_overtime + overtime, **changes)

    def view(self) -> dict[str, Any]:
        """The clock as everybody sees it (docs/protocol.md): `bonus` and `overtime` only if there are any."""
        view: dict[str, Any] = {
            "white": self.white,
            "black": self.black,
            "delay": self.delay,
            "delay_left": self.delay_left,
            "running": self.running,
        }
        if self.bonus:
            view["bonus"] = self.bonus
        if self.white_overtime or self.black_overtime:
            view["overtime"] = {side: self.overtime(side) for side in SIDES}
        return view

    def snapshot(self) -> dict[str, Any]:
        """JSON from which `restore` makes an equal clock, but for a flag."""
        snapshot = self.view()
        if self.stopped is not None:
            snapshot["stopped"] = self.stopped
        if self.quota != LagQuota():
            snapshot["quota"] = {side: self.quota.of(side) for side in SIDES}
        return snapshot


def start(reserve_ms: int, delay_ms: int, *, bonus_ms: int = 0, overtime_ms: int = 0) -> Clock:
    """Both reserves full, nobody's time running."""
    return Clock(
        white=reserve_ms,
        black=reserve_ms,
        delay=delay_ms,
        bonus=bonus_ms,
        white_overtime=overtime_ms,
        black_overtime=overtime_ms,
    )


def restore(snapshot: Mapping[str, Any]) -> Clock:
    """The clock that `snapshot` was taken of."""
    facts = dict(snapshot)
    overtime = {f"{side}_overtime": ms for side, ms in facts.pop("overtime", {}).items()}
    return Clock(**{**facts, **overtime, "quota": LagQuota(**facts.get("quota", {}))})


Kind = Literal["match", "game", "sudden", "turn"]
Pace = Literal["live", "correspondence"]


@dataclass(frozen=True, slots=True)
class ClockPreset:
    """A clock that a club offers: milliseconds of reserve (a point, or a game), of delay and of bonus a turn.

    `kind` is what the rules of a game ask for (`engine.Rules.clock_kind`); None fits every game and is no clock at all,
    and so does ``turn``: all the time that there is for a turn is its delay. `overtime` is what each side has left once
    in the match when its reserve is gone. `pace` tells matches played in one sitting from those by correspondence: they
    are rated apart.
    """

    key: str
    kind: Kind | None
    reserve: int
    delay: int
    pace: Pace = "live"
    bonus: int = 0
    overtime: int = 0

    def fits(self, kind: str) -> bool:
        """Whether a game whose rules ask for this kind of clock can be played with it."""
        return self.kind in (None, "turn", kind)

    @property
    def each_game(self) -> bool:
        """Whether every game begins with the full reserve again."""
        return self.kind in ("game", "sudden")

    @property
    def slow(self) -> bool:
        """Whether a turn lasts days: nobody sits at the table and waits."""
        return self.pace == "correspondence"

    def clock(self, length: int) -> Clock | None:
        """The clock of a match to `length`, or of one game of it; None for a match without clock."""
        if self.kind is None:
            return None
        reserve = self.reserve * length if self.kind == "match" else self.reserve
        return start(reserve, self.delay, bonus_ms=self.bonus, overtime_ms=self.overtime)


SECOND = 1_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE

# The first preset of a kind is the usual one.
PRESETS: dict[str, ClockPreset] = {
    preset.key: preset
    for preset in (
        ClockPreset("club", "match", 2 * MINUTE, 12 * SECOND),
        ClockPreset("blitz", "match", MINUTE, 8 * SECOND),
        ClockPreset("slow", "match", 3 * MINUTE, 20 * SECOND),
        ClockPreset("overtime", "match", 2 * MINUTE, 12 * SECOND, overtime=MINUTE),
        ClockPreset("game5", "game", 5 * MINUTE, 12 * SECOND),
        ClockPreset("min10", "sudden", 10 * MINUTE, 0),
        ClockPreset("min5", "sudden", 5 * MINUTE, 0),
        ClockPreset("min15", "sudden", 15 * MINUTE, 0),
        ClockPreset("fischer5", "sudden", 5 * MINUTE, 0, bonus=5 * SECOND),
        ClockPreset("fischer10", "sudden", 10 * MINUTE, 0, bonus=10 * SECOND),
        ClockPreset("days1", "turn", 0, DAY, "correspondence"),
        ClockPreset("days3", "turn", 0, 3 * DAY, "correspondence"),
        ClockPreset("days7", "turn", 0, 7 * DAY, "correspondence"),
        ClockPreset("none", None, 0, 0),
    )
}


def fitting(kind: str) -> list[ClockPreset]:
    """The presets for a game whose rules ask for this kind of clock, the usual one first."""
    return [preset for preset in PRESETS.values() if preset.fits(kind)]


def pace_of(key: str) -> Pace:
    """The pace of a match with this clock; a match out of a file, whose clock we do not know, was played live."""
    return PRESETS[key].pace if key in PRESETS else "live"
