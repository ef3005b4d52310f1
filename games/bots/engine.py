"""The interface of engines, the computer opponents.

An engine sees what a player sees: `position` through the contract of `games.engine` and the score as pages show it.
It has no access to clock, database or dice, keeps no state between decisions, and returns legal actions only. It rates
actions as well as it can; `games.bots.player` chooses among them like a player of a given strength.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from games.engine import Position, Side

DRAW = 0
"""The level at which `Engine.accepts` is asked about a draw."""


class EngineMissing(RuntimeError):
    """An engine that is not `available()` was asked to play; the text is its `reason()`."""


class RatedAction(NamedTuple):
    """A legal action and its equity for the acting side: 1.0 is one game at the present cube."""

    action: str
    equity: float


class Evaluator(Protocol):
    """Rates positions of some variants, if it can run on this machine. One object serves all threads and processes."""

    @property
    def name(self) -> str:
        """The display name."""

    @property
    def variants(self) -> frozenset[str]:
        """The keys of the variants that it supports."""

    @property
    def options(self) -> frozenset[str]:
        """The match options that it supports; it would misjudge a game with any other option."""

    def available(self) -> bool:
        """Whether it can run on this machine. Never raises, and loads nothing heavy."""

    def reason(self) -> str | None:
        """Why it is not available, in plain English for a log or an admin; None when it is."""


class Engine(Evaluator, Protocol):
    """A computer opponent for some variants."""

    def rate_actions(
        self, position: Position, score_view: Mapping[str, Any], side: Side, *, effort: int = 1
    ) -> list[RatedAction]:
        """Each of ``position.actions()``, which `side` may play now, with its equity, the best first.

        `effort` says how deep it looks, from 1 to 5; what that costs is the engine's own. The same arguments give the
        same answer. Raises `ValueError` when `side` has nothing to decide, `EngineMissing` when not `available()`.
        """

    def choose(self, position: Position, score_view: Mapping[str, Any], side: Side) -> str:
        """The best action of `side`, which is to act, or ``roll`` before its roll. Raises as `rate_actions`."""

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Whether `side` accepts a resignation at `level` (1 single, 2 gammon, 3 backgammon).

        At level `DRAW` the opponent offers a draw. Raises `ValueError` when that resignation is not possible,
        `EngineMissing` when not `available()`.
        """


_Evaluator = TypeVar("_Evaluator", bound=Evaluator)


def first_available(engines: Iterable[_Evaluator], variant: str) -> _Evaluator | None:
    """The first that supports `variant` on this machine, or None; see `unavailable_reason`."""
    return next((engine for engine in engines if variant in engine.variants and engine.available()), None)


def unavailable_reason(
    engines: Iterable[Evaluator], variant: str, options: Mapping[str, Any] | None = None
) -> str | None:
    """None exactly when one of them can play this game with these options; else an error code.

    ``engine_variant``: none supports the game. ``engine_options``: none supports the options.
    ``engine_missing``: one would, but it cannot run on this machine.
    """
    supporting = [engine for engine in engines if variant in engine.variants]
    if not supporting:
        return "engine_variant"
    selected = {key for key, value in (options or {}).items() if value}
    if not any(selected <= engine.options for engine in supporting):
        return "engine_options"
    return None if first_available(supporting, variant) else "engine_missing"
