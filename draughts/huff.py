"""Huffing (soplar): the opponent's rights after a quiet move where a capture was possible (D8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from draughts.state import GameState

from .moves import Move


@dataclass(frozen=True, slots=True)
class Infraction:
    """The rights after an infraction: `squares` that may be huffed, and the state to which `compel` goes back."""

    squares: tuple[int, ...]
    before: GameState

    @classmethod
    def of(cls, before: GameState, move: Move, captures: Iterable[Move]) -> Self | None:
        """The infraction of a quiet move when `captures` could be played instead, or None.

        Each piece that could have captured may be huffed where it stands now. If a king could capture, `captures`
        holds only those of kings (D3).
        """
        if move.captured:
            return None
        squares = {move.target if each.source == move.source else each.source for each in captures}
        return cls(tuple(sorted(squares)), before) if squares else None

    def snapshot(self) -> dict[str, Any]:
        """The infraction as JSON; `Infraction.restore` reads it back."""
        return {"squares": list(self.squares), "before": self.before.snapshot()}

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """Restore the infraction of a snapshot."""
        return cls(tuple(snapshot["squares"]), GameState.restore(snapshot["before"]))
