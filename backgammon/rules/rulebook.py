"""The rules of each variant as live play asks for them: `RULES`, keyed by variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .match import Score
from .position import Position
from .variants import VARIANTS, Variant


@dataclass(frozen=True, slots=True)
class VariantRules:
    """One variant: how a match and a game of it begin, and how both are read back from JSON."""

    variant: Variant

    @property
    def key(self) -> str:
        """The name of the variant in the database and on the wire."""
        return self.variant.key

    @property
    def family(self) -> Literal["points"]:
        """Which board a browser draws: every variant here is played on 24 points."""
        return "points"

    def opening_score(self, length: int, options: Mapping[str, Any]) -> Score:
        """The score before the first game of a match to `length` (B13). Raises `ValueError`; 0 is a money session."""
        return Score(length)

    def start(self, score: Score, options: Mapping[str, Any]) -> Position:
        """The first position of a game at this score. Raises `ValueError` for wrong options."""
        return Position.start(self.variant, score, options)

    def restore(self, snapshot: Mapping[str, Any]) -> Position:
        """The position that made a snapshot."""
        return Position.restore(self.variant, snapshot)

    def restore_score(self, snapshot: Mapping[str, Any]) -> Score:
        """The score that made a snapshot."""
        return Score.restore(snapshot)


RULES: dict[str, VariantRules] = {key: VariantRules(variant) for key, variant in VARIANTS.items()}
