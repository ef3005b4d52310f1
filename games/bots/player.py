"""A player of some strength: an engine judges, and he chooses among what it judged as a person would.

Pure, and deterministic in its inputs: the seed names the match and the version, so a task that runs twice says the
same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.bots.engine import Engine, Judged
from games.bots.habits import lure
from games.bots.strength import Strength
from games.bots.whim import Whim
from games.engine import Position, Side

CHOICES = frozenset({"roll", "double", "take", "drop", "beaver", "compel"})
"""Actions that move no men; naming a double and huffing begin with a word of their own."""

ALIKE = 0.002
"""Equities that differ by less all round mean that the game is decided: then the engine's own order holds."""
DRAWISH = 0.5
"""Where moves repeat themselves, a lead up to this is let go for a draw: it has not grown for long enough."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot does, how much the best action was worth over the second (None: there was only one), and how much
    of that its own choice gave away."""

    action: str
    gap: float | None = None
    loss: float = 0.0


@dataclass(frozen=True, slots=True)
class Player:
    """An engine, played at a strength."""

    engine: Engine
    strength: Strength

    def decide(self, position: Position, score_view: Mapping[str, Any], side: Side, *, seed: str) -> Decision:
        """The action of `side`, who is to act. Raises as `Engine.judged`."""
        if position.turn == "chance" and side in position.rollers:
            return Decision("roll")
        actions = list(position.actions()) if position.turn == side else []
        if len(actions) == 1:
            return Decision(actions[0])
        judged = self.engine.judged(position, score_view, side, effort=self.strength.effort)
        if judged[0].equity <= DRAWISH and "claim-draw" in position.draws(side):
            return Decision("claim-draw")
        action = chosen(judged, self.strength, Whim(seed))
        equities = dict(judged)
        return Decision(action, judged[0].equity - judged[1].equity, judged[0].equity - equities[action])

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Whether he lets his rival give up at `level`, or draw; as the engine judges, whatever his strength."""
        return self.engine.accepts(position, score_view, side, level)


def chosen(judged: Sequence[Judged], strength: Strength, whim: Whim) -> str:
    """The action that a player of this strength takes out of what was judged, the best first.

    Sampled at a temperature among what he sees; never one that gives away more than he would notice.
    """
    best = judged[0]
    if best.equity - judged[-1].equity < ALIKE:
        return best.action
    choice = all(one.action in CHOICES or one.action.startswith(("name", "huff")) for one in judged)
    heat, most = (strength.cube_heat, strength.window) if choice else (strength.heat, strength.worst)

    def appeal(one: Judged) -> float:
        liked = 0.0 if choice else strength.lure * lure(one.action)
        return one.equity + liked + heat * whim.taste("taste", one.action)

    bearable = [one for one in judged if best.equity - one.equity <= most] or [best]
    seen = [one for one in bearable if choice or whim.share("seen", one.action) >= strength.blind]
    return max(seen or [best], key=appeal).action if most else best.action
