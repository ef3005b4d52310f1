"""The rules of each variant as live play asks for them: `RULES`, keyed by variant."""

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
    """One variant: what is agreed on, how a match and a game of it begin, and how both are read back from JSON."""

    variant: Variant

    @property
    def key(self) -> str:
        """The name of the variant in the database and on the wire."""
        return self.variant.key

    @property
    def name(self) -> str:
        """What people call the variant, in English."""
        return self.variant.name

    @property
    def family(self) -> Literal["points"]:
        """Which board a browser draws: every variant here is played on 24 points."""
        return "points"

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that a form offers, the first being usual (B13, A6)."""
        return self.variant.lengths

    @property
    def money(self) -> bool:
        """Whether a session without end (length 0) exists: where there is a cube (B16)."""
        return self.variant.cube

    def terms(self, length: int) -> dict[str, Term]:
        """The options of a match to this length by key."""
        return terms_of(self.variant, length)

    def clock_kind(self, length: int) -> Literal["match", "game"]:
        """Whether the reserve of time lasts the match or each game, as it does in money sessions."""
        return self.variant.clock if length else "game"

    @property
    def rating(self) -> Literal["fibs"]:
        """How matches are rated: whole, by the formula of FIBS (R1)."""
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
        chosen = agreed(self.variant, length, options)
        return replace(
            score, has_crawford=self.variant.cube and chosen.get("cube", True) and chosen.get("crawford", True)
        )

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
