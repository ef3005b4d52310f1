"""Soplar: what the rival may do about a quiet move that was played though a capture was possible (D8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from .moment import Moment
from .moves import Move


@dataclass(frozen=True, slots=True)
class Infraction:
    """The rights that a quiet move gave: `squares` that may be huffed, and the moment to which `compel` goes back."""

    squares: tuple[int, ...]
    before: Moment

    @classmethod
    def of(cls, before: Moment, move: Move, captures: Iterable[Move]) -> Self | None:
        """The infraction that a move is when `captures` could be played instead, or None.

        Each piece that had one of them may be huffed where it stands now. `captures` holds those of kings only, if a
        king could take (D3).
        """
        if move.taken:
            return None
        squares = {move.target if each.source == move.source else each.source for each in captures}
        return cls(tuple(sorted(squares)), before) if squares else None

    def snapshot(self) -> dict[str, Any]:
        """The infraction as JSON; `Infraction.restore` reads it back."""
        return {"squares": list(self.squares), "before": self.before.snapshot()}

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """The infraction that made this snapshot."""
        return cls(tuple(snapshot["squares"]), Moment.restore(snapshot["before"]))
