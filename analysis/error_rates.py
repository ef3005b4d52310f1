"""Error rates: what decisions gave away, added over matches, phases and kinds. Pure.

The performance rating (PR) is 500 times the equity lost a decision that was not obvious (docs/analysis.md); the lower,
the better. Sums are kept, never rates, so that matches can be added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from analysis.phases import PHASES, Phase

Kind = Literal["play", "double", "take"]
KINDS: tuple[Kind, ...] = ("play", "double", "take")
SCALE = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of one player: what it gave away, in points at the cube then, and where in the game it stood."""

    kind: Kind
    phase: Phase
    loss: float
    obvious: bool = False


@dataclass(frozen=True, slots=True)
class ErrorSum:
    """So many decisions that were not obvious, and what all decisions together gave away."""

    decisions: int = 0
    lost: float = 0.0

    def __add__(self, other: ErrorSum) -> ErrorSum:
        return ErrorSum(self.decisions + other.decisions, self.lost + other.lost)

    @property
    def rate(self) -> float | None:
        """The PR; None of no decision."""
        return SCALE * self.lost / self.decisions if self.decisions else None

    @classmethod
    def of(cls, decisions: Iterable[Decision]) -> ErrorSum:
        counted = list(decisions)
        return cls(sum(not decision.obvious for decision in counted), sum(decision.loss for decision in counted))


def error_parts(decisions: Iterable[Decision]) -> dict[str, list[float]]:
    """The sums of every phase and kind that occurs, as a `MatchTally` keeps them: ``{"contact": [41, 0.93], ...}``."""
    counted = list(decisions)
    found = {
        name: ErrorSum.of(decision for decision in counted if name in (decision.phase, decision.kind))
        for name in (*PHASES, *KINDS)
    }
    return {name: [sums.decisions, round(sums.lost, 6)] for name, sums in found.items() if sums.decisions or sums.lost}


def add_parts(rows: Iterable[Mapping[str, list[float]]]) -> dict[str, ErrorSum]:
    """The parts of many matches together."""
    total: dict[str, ErrorSum] = {}
    for row in rows:
        for name, (decisions, lost) in row.items():
            total[name] = total.get(name, ErrorSum()) + ErrorSum(int(decisions), lost)
    return total
