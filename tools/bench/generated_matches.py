"""Matches of two players who make human errors, for benchmarks: the same seed gives the same match."""

from __future__ import annotations

import math
from random import Random

from games import replay
from games.bots.sage import Sage
from games.engine import SIDES, Side
from games.formats.record import Record, record_from_actions
from games.registry import RULES

PLAYERS = {"white": "ana", "black": "bea"}
SAGE = Sage()


def match(seed: int, length: int, *, errs: tuple[float, float] = (0.04, 0.02)) -> Record:
    """Play a match to `length`: each side chooses plays with odds that fall by a factor e each `errs` points."""
    chance = Random(seed)
    rules = RULES["backgammon"]
    options = {key: term.default for key, term in rules.terms(length).items()}
    state = replay.start(rules, length, options)
    actions: list[tuple[str, str, tuple[int | None, int | None]]] = []
    while state.result is None:
        actor, text = _next(state, chance, dict(zip(SIDES, errs, strict=True)))
        state = state.after(actor, text)
        actions.append((actor, text, (None, None)))
    return record_from_actions(variant="backgammon", length=length, options=options, players=PLAYERS, actions=actions)


def _next(state: replay.State, chance: Random, errs: dict[Side, float]) -> tuple[str, str]:
    if state.needs_dice:
        return "chance", f"dice {chance.randint(1, 6)}{chance.randint(1, 6)}"
    if state.position.auto:
        return "server", state.position.auto
    if state.opening:
        return next(side for side in SIDES if side not in state.ready), "roll"
    position, score = state.position, state.score.view()
    side: Side = position.turn  # type: ignore[assignment] # somebody's, for all else was answered above
    actions = list(position.actions())
    if "roll" in actions or "take" in actions:
        wise = SAGE.choose(position, score, side) if len(actions) > 1 else actions[0]
        return side, chance.choice(sorted(actions)) if chance.random() < errs[side] else wise
    ranked = SAGE.ranked(position, score, side)
    weights = [math.exp((equity - ranked[0][1]) / errs[side]) for _, equity in ranked]
    return side, chance.choices([play for play, _ in ranked], weights)[0]
