"""A computer player of some strength: an engine rates the actions, and the player chooses among them like a person.

Pure and deterministic: the seed names the match and its version, so a task that runs twice decides the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.bots.beginner_habits import habit_bonus
from games.bots.engine import Engine, RatedAction
from games.bots.seeded_random import SeededRandom
from games.bots.strength import Strength
from games.engine import Position, Side

CHOICES = frozenset({"roll", "double", "take", "drop", "beaver", "compel"})
"""Actions that move no checkers; naming a double and huffing begin with a word of their own."""

ALIKE = 0.002
"""If all equities differ by less than this the game is decided, and the engine's order holds."""
DRAWISH = 0.5
"""When moves repeat, a lead up to this is given up for a draw."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The action of a bot, the equity of the best action over the second (None: there was only one), and the equity
    that the choice gave away.
    """

    action: str
    gap: float | None = None
    loss: float = 0.0


@dataclass(frozen=True, slots=True)
class Player:
    """An engine, played at a strength."""

    engine: Engine
    strength: Strength

    def decide(self, position: Position, score_view: Mapping[str, Any], side: Side, *, seed: str) -> Decision:
        """Decide the action of `side`, which is to act. Raises as `Engine.rate_actions`."""
        if position.turn == "chance" and side in position.rollers:
            return Decision("roll")
        actions = list(position.actions()) if position.turn == side else []
        if len(actions) == 1:
            return Decision(actions[0])
        rated = self.engine.rate_actions(position, score_view, side, effort=self.strength.effort)
        if rated[0].equity <= DRAWISH and "claim-draw" in position.draws(side):
            return Decision("claim-draw")
        action = choose_action(rated, self.strength, SeededRandom(seed))
        equities = dict(rated)
        return Decision(action, rated[0].equity - rated[1].equity, rated[0].equity - equities[action])

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Whether to accept a resignation at `level`, or a draw; decided by the engine at any strength."""
        return self.engine.accepts(position, score_view, side, level)


def choose_action(rated: Sequence[RatedAction], strength: Strength, seeded: SeededRandom) -> str:
    """Choose an action as a player of this strength would; `rated` is sorted, the best first.

    Sampled at a temperature among the actions that the player notices; never one that gives away too much.
    """
    best = rated[0]
    if best.equity - rated[-1].equity < ALIKE:
        return best.action
    choice = all(each.action in CHOICES or each.action.startswith(("name", "huff")) for each in rated)
    temperature = strength.cube_temperature if choice else strength.temperature
    max_loss = strength.max_cube_loss if choice else strength.max_loss

    def appeal(each: RatedAction) -> float:
        bonus = 0.0 if choice else strength.habit_weight * habit_bonus(each.action)
        return each.equity + bonus + temperature * seeded.gumbel("taste", each.action)

    acceptable = [each for each in rated if best.equity - each.equity <= max_loss] or [best]
    noticed = [each for each in acceptable if choice or seeded.uniform("seen", each.action) >= strength.blind]
    return max(noticed or [best], key=appeal).action if max_loss else best.action
