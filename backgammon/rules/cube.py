"""The doubling cube: who may offer it, what it is worth, when it is dead (B12-B14)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .illegal import Illegal
from .match import Score
from .sides import SIDES, Side

DEFAULT_CAP = 64
CAPS = range(2, 4097)
"""The cube caps that two players may agree on (B12)."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube of one game: its value, who owns it (None: centred), its cap, and whether the game has one at all."""

    value: int = 1
    owner: Side | None = None
    cap: int = DEFAULT_CAP
    in_play: bool = True

    def accessible(self, side: Side) -> bool:
        """Whether the cube is centred or his (B12)."""
        return self.in_play and self.owner in (None, side)

    def gains_nothing(self, side: Side, score: Score) -> bool:
        """Whether doubling is dead for a side: the points he needs are covered by the cube as it is (B14)."""
        needed = score.needed(side)
        return needed is not None and self.value >= needed

    def refusal(self, side: Side, score: Score) -> Illegal | None:
        """Why this side may not double before his roll, or None if he may (B12, B13, B14)."""
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

    def dead(self, score: Score) -> bool:
        """Whether nobody with access can gain by doubling, the Crawford game included (B14)."""
        return score.crawford or all(self.gains_nothing(side, score) for side in SIDES if self.accessible(side))

    def taken(self, by: Side) -> Cube:
        """The cube after a take: doubled, and owned by the taker (B12)."""
        return replace(self, value=self.value * 2, owner=by)
