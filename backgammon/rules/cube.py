"""The doubling cube: who may double, its value, when doubling is useless (B12-B14), and beavers (B16)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .house import Money
from .illegal import Illegal
from .match import Score
from .sides import SIDES, Side

DEFAULT_CAP = 64
CAPS = tuple(1 << power for power in range(1, 13))
"""The cube caps that two players may agree on: 2, 4, 8 ... 4096 (B12)."""
NO_CAP = 1024
"""The limit that programs without one write into their files: no cube gets there."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube of one game: its value, its owner (None: centred), its cap, and whether the game has one at all.

    `beavered`: the double on offer was answered with a beaver, and the doubler has to take or drop it (B16).
    """

    value: int = 1
    owner: Side | None = None
    cap: int = DEFAULT_CAP
    in_play: bool = True
    beavered: bool = False

    def accessible(self, side: Side) -> bool:
        """Whether a side may turn the cube: it is centred or theirs (B12)."""
        return self.in_play and self.owner in (None, side)

    @property
    def offered(self) -> int:
        """The value after a take: twice the value, and twice that again after a beaver (B12, B16)."""
        return self.stake * 2

    @property
    def stake(self) -> int:
        """The points that a drop loses: the present value; after a beaver the value after a plain take (B16)."""
        return self.value * 2 if self.beavered else self.value

    @property
    def turned(self) -> bool:
        """Whether a player has doubled and was taken, as the Jacoby rule requires; not by automatic doubles (B16)."""
        return self.owner is not None or self.beavered

    def gains_nothing(self, side: Side, score: Score) -> bool:
        """Whether doubling is dead for a side: the present cube value covers the points they need (B14)."""
        needed = score.needed(side)
        return needed is not None and self.value >= needed

    def refusal(self, side: Side, score: Score) -> Illegal | None:
        """Why a side may not double before their roll, or None if they may (B12, B13, B14)."""
        if not self.in_play:
            return Illegal("no_cube", "B13" if score.length == 1 else "B12")
        if score.crawford:
            return Illegal("crawford", "B14")
        if not self.accessible(side):
            return Illegal("cube_not_yours", "B12", owner=self.owner)
        if self.value * 2 > self.cap:
            return Illegal("cube_cap", "B12", cap=self.cap)
        if self.gains_nothing(side, score):
            return Illegal("dead_cube", "B14", value=self.value)
        return None

    def beaver_refusal(self, money: Money) -> Illegal | None:
        """Why the double on offer may not be answered with a beaver, or None if it may (B16)."""
        if not money.beavers:
            return Illegal("no_beaver", "B16")
        if self.beavered:
            return Illegal("no_raccoon", "B16")
        if self.offered * 2 > self.cap:
            return Illegal("cube_cap", "B12", cap=self.cap)
        return None

    def dead(self, score: Score) -> bool:
        """Whether no side with access to the cube can gain by doubling, the Crawford game included (B14)."""
        return score.crawford or all(self.gains_nothing(side, score) for side in SIDES if self.accessible(side))

    def after_take(self, owner: Side) -> Cube:
        """The cube after a take or a beaver was settled: doubled, and owned by the side that took (B12, B16)."""
        return replace(self, value=self.offered, owner=owner, beavered=False)

    def after_opening_tie(self) -> Cube:
        """The cube after an automatic double for a tied opening roll: once a game, within the cap, centred (B16)."""
        return replace(self, value=2) if self.in_play and self.value == 1 else self
