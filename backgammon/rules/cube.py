"""The doubling cube: who may offer it, what it is worth, when it is dead (B12-B14), and beavers (B16)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .house import Money
from .illegal import Illegal
from .match import Score
from .sides import SIDES, Side

DEFAULT_CAP = 64
CAPS = tuple(1 << power for power in range(1, 13))
"""The cube caps that two players may agree on: 2, 4, 8 ... 4096 (B12)."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube of one game: its value, who owns it (None: centred), its cap, and whether the game has one at all.

    `beavered`: the double that is offered has been answered by a beaver, and the doubler is to take or drop it (B16).
    """

    value: int = 1
    owner: Side | None = None
    cap: int = DEFAULT_CAP
    in_play: bool = True
    beavered: bool = False

    def accessible(self, side: Side) -> bool:
        """Whether the cube is centred or his (B12)."""
        return self.in_play and self.owner in (None, side)

    @property
    def offered(self) -> int:
        """What a take would make of it: twice the value, and twice that again after a beaver (B12, B16)."""
        return self.stake * 2

    @property
    def stake(self) -> int:
        """What a drop loses: the value as it stands; after a beaver what a plain take would have made it (B16)."""
        return self.value * 2 if self.beavered else self.value

    @property
    def turned(self) -> bool:
        """Whether a player has doubled and it stood, as Jacoby asks; automatic doubles are no doubling (B16)."""
        return self.owner is not None or self.beavered

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

    def beaver_refusal(self, money: Money) -> Illegal | None:
        """Why the double that is offered may not be answered by a beaver, or None if it may (B16)."""
        if not money.beavers:
            return Illegal("no_beaver", "B16")
        if self.beavered:
            return Illegal("no_raccoon", "B16")
        if self.offered * 2 > self.cap:
            return Illegal("cube_cap", "B12", cap=self.cap)
        return None

    def dead(self, score: Score) -> bool:
        """Whether nobody with access can gain by doubling, the Crawford game included (B14)."""
        return score.crawford or all(self.gains_nothing(side, score) for side in SIDES if self.accessible(side))

    def taken(self, by: Side) -> Cube:
        """The cube after a take: doubled, and owned by who was doubled (B12), a beaver included (B16)."""
        return replace(self, value=self.offered, owner=by, beavered=False)

    def tied(self) -> Cube:
        """The cube after a tie at the opening where it doubles: once a game, within the cap, in the middle (B16)."""
        return replace(self, value=2) if self.in_play and self.value == 1 else self
