"""What live play asks of a computer opponent.

An engine sees what a player sees: `position` through the contract of `games.engine` and the score as pages show it.
It knows no colour, clock, database or dice, keeps nothing between two decisions, and answers with one of the texts
that the rules call legal. How well it plays is not its business: it judges, and `games.bots.player` chooses among what
it judged as a player of some strength would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from games.engine import Position, Side

DRAW = 0
"""The level at which `Engine.accepts` is asked about a draw."""


class EngineMissing(RuntimeError):
    """An engine that is not `available()` was asked to play; the text is its `reason()`."""


class Judged(NamedTuple):
    """A legal action and what it is worth to who plays it: 1.0 is one game at the cube as it stands."""

    action: str
    equity: float


class Able(Protocol):
    """What judges some variants, if it can run on this machine. One object serves all threads and processes."""

    @property
    def name(self) -> str:
        """What people may call it."""

    @property
    def variants(self) -> frozenset[str]:
        """The keys of the variants that it judges honestly."""

    @property
    def options(self) -> frozenset[str]:
        """The options of a match that it understands; with another one chosen it would misjudge the game."""

    def available(self) -> bool:
        """Whether it can play on this machine. Never raises, and loads nothing heavy."""

    def reason(self) -> str | None:
        """Why it is not available, in plain English for a log or an admin; None when it is."""


class Engine(Able, Protocol):
    """A computer opponent for some variants."""

    def judged(self, position: Position, score_view: Mapping[str, Any], side: Side, *, effort: int = 1) -> list[Judged]:
        """Each of ``position.actions()``, which `side` may play now, with its equity, the best first.

        `effort` says how deep it looks, from 1 to 5; what that costs is the engine's own. The same arguments give the
        same answer. Raises `ValueError` when `side` has nothing to decide, `EngineMissing` when not `available()`.
        """

    def choose(self, position: Position, score_view: Mapping[str, Any], side: Side) -> str:
        """The best action of `side`, who is to act, or ``roll`` while the dice wait for `side`. Raises as `judged`."""

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Whether `side` lets his rival give up at `level` (1 single, 2 gammon, 3 backgammon) rather than play on.

        At level `DRAW` the rival offers a draw. Raises `ValueError` when that resignation is not possible,
        `EngineMissing` when not `available()`.
        """


_Able = TypeVar("_Able", bound=Able)


def first_able(engines: Iterable[_Able], variant: str) -> _Able | None:
    """The first that judges `variant` on this machine, or None: `why_none` has the reason."""
    return next((engine for engine in engines if variant in engine.variants and engine.available()), None)


def why_none(engines: Iterable[Able], variant: str, options: Mapping[str, Any] | None = None) -> str | None:
    """None exactly when one of them can judge this game under these options; else the code of an error.

    ``engine_variant``: none knows this game. ``engine_options``: none plays by these house rules.
    ``engine_missing``: one would, but it cannot run on this machine.
    """
    known = [engine for engine in engines if variant in engine.variants]
    if not known:
        return "engine_variant"
    chosen = {key for key, value in (options or {}).items() if value}
    if not any(chosen <= engine.options for engine in known):
        return "engine_options"
    return None if first_able(known, variant) else "engine_missing"
