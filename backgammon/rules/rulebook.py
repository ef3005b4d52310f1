"""`RULES`: the rules of each variant, with the interface that live play expects (games/engine.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from .match import Score
from .position import Position
from .terms import Term, agreed, terms_of
from .variants import VARIANTS, Variant


@dataclass(frozen=True, slots=True)
class VariantRules:
    """The rules of one variant: options, how a match and a game start, and how both are restored from JSON."""

    variant: Variant

    @property
    def key(self) -> str:
        """The name of the variant in the database and on the wire."""
        return self.variant.key

    @property
    def name(self) -> str:
        """The English name of the variant."""
        return self.variant.name

    @property
    def family(self) -> Literal["points"]:
        """The kind of board: every variant here is played on 24 points."""
        return "points"

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that a form offers, the first being the default (B13, A6)."""
        return self.variant.lengths

    @property
    def money(self) -> bool:
        """Whether there are money sessions (length 0): in variants with a cube (B16)."""
        return self.variant.cube

    def terms(self, length: int) -> dict[str, Term]:
        """The options of a match to this length by key."""
        return terms_of(self.variant, length)

    def clock_kind(self, length: int) -> Literal["match", "game"]:
        """Whether the reserve of time lasts the match, or each game as in money sessions."""
        return self.variant.clock if length else "game"

    @property
    def rating(self) -> Literal["fibs"]:
        """The rating system: the match as a whole, by the FIBS formula (R1)."""
        return "fibs"

    def rating_weight(self, length: int) -> float:
        """The match length n of the rating formula: 1 for each point, or for each five in acey-deucey (R2)."""
        return length / self.variant.points_a_game

    def opening_score(self, length: int, options: Mapping[str, Any]) -> Score:
        """The score before the first game of a match to `length` (B13); 0 is a money session (B16).

        Raises `ValueError` for a length or options that this variant does not have.
        """
        score = Score(length)
        if not length and not self.money:
            raise ValueError(f"the length of {self.key} cannot be 0: it has no money session")
        values = agreed(self.variant, length, options)
        return replace(
            score, has_crawford=self.variant.cube and values.get("cube", True) and values.get("crawford", True)
        )

    def start(self, score: Score, options: Mapping[str, Any]) -> Position:
        """The first position of a game at this score. Raises `ValueError` for wrong options."""
        return Position.start(self.variant, score, options)

    def restore(self, snapshot: Mapping[str, Any]) -> Position:
        """Restore the position of a snapshot."""
        return Position.restore(self.variant, snapshot)

    def restore_score(self, snapshot: Mapping[str, Any]) -> Score:
        """Restore the score of a snapshot."""
        return Score.restore(snapshot)


RULES: dict[str, VariantRules] = {key: VariantRules(variant) for key, variant in VARIANTS.items()}
