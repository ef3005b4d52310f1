"""What live play asks of a computer opponent.

An engine sees what a player sees: `position` through the contract of `games.engine` and the score as pages show it.
It knows no colour, clock, database or dice, keeps nothing between two decisions, and answers with one of the texts
that the rules call legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from games.engine import Position, Side


class EngineMissing(RuntimeError):
    """An engine that is not `available()` was asked to play; the text is its `reason()`."""


class Engine(Protocol):
    """A computer opponent for some variants. One object serves any number of matches, threads and processes."""

    @property
    def name(self) -> str:
        """What people may call it."""

    @property
    def variants(self) -> frozenset[str]:
        """The keys of the variants that it judges honestly."""

    def available(self) -> bool:
        """Whether it can play on this machine. Never raises, and loads nothing heavy."""

    def reason(self) -> str | None:
        """Why it is not available, in plain English for a log or an admin; None when it is."""

    def choose(self, position: Position, score_view: Mapping[str, Any], side: Side) -> str:
        """The action of `side`, who is to act: a roll or a double, a take or a drop, or a whole play.

        The answer is one of ``position.actions()``, or ``roll`` while the dice wait for `side`. The same arguments give
        the same answer. Raises `ValueError` when `side` has nothing to decide, `EngineMissing` when not `available()`.
        """

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Whether `side` lets his rival give up at `level` (1 single, 2 gammon, 3 backgammon) rather than play on.

        Raises `ValueError` when that resignation is not possible, `EngineMissing` when not `available()`.
        """
