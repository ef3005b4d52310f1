"""Whole matches of random plays, and samples to read: what the tests of the formats share."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games import replay
from games.engine import SIDES
from games.formats import Reading, Record, mat
from games.formats.record import record_from_actions
from games.registry import RULES

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "matches"
PLAYERS = {"white": "ana", "black": "bea"}


def play_match(
    seed: int,
    length: int,
    *,
    variant: str = "backgammon",
    options: Mapping[str, Any] | None = None,
    games: int = 1000,
    doubles: float = 0.1,
    resigns: float = 0.004,
) -> Record:
    """A match of random legal plays; a session (length 0) ends after so many games."""
    dice = random.Random(seed)
    rules = RULES[variant]
    chosen = {key: term.default for key, term in rules.terms(length).items()} | dict(options or {})
    state = replay.start(rules, length, chosen)
    actions: list[tuple[str, str, tuple[int | None, int | None]]] = []
    while state.result is None and state.game <= games:
        actor, text = _next(state, dice, doubles, resigns)
        state = state.after(actor, text)
        actions.append((actor, text, (None, None)))
    return record_from_actions(variant=variant, length=length, options=chosen, players=PLAYERS, actions=actions)


def _next(state: replay.State, dice: random.Random, doubles: float, resigns: float) -> tuple[str, str]:
    if state.offer is not None:
        return next(side for side in SIDES if side != state.offer.seat), dice.choice(["accept", "reject"])
    if state.needs_dice:
        return "chance", f"dice {dice.randint(1, 6)}{dice.randint(1, 6)}"
    if state.position.auto:
        return "server", state.position.auto
    if state.opening:
        return next(side for side in SIDES if side not in state.ready), "roll"
    side = state.position.turn
    if dice.random() < resigns and (levels := [name for name in state.may(side) if name.startswith("resign ")]):  # type: ignore[arg-type]
        level = dice.choice([name for name in levels if name != "resign match"] or ["resign match"])
        return side, level
    choices = sorted(state.position.actions())
    if "roll" in choices:
        return side, "double" if "double" in choices and dice.random() < doubles else "roll"
    if "take" in choices:
        return side, "take" if dice.random() < 0.7 else dice.choice(choices)
    return side, dice.choice(choices)


def mat_text(*lines: str, length: int = 3, headings: tuple[str, ...] = ()) -> str:
    """A .mat text of one game to `length` between ana and bea."""
    return "\n".join(
        [*headings, f" {length} point match", "", " Game 1", " ana : 0" + " " * 25 + "bea : 0", *lines, ""]
    )


def read(*lines: str, length: int = 3, headings: tuple[str, ...] = ()) -> Reading:
    """Read such a text."""
    return mat.read(mat_text(*lines, length=length, headings=headings))


def plays(reading: Reading, game: int = 1) -> list[str]:
    """The actions of a game except rolls, as `actor: text`, after it was read without errors."""
    assert reading.faults == ()
    assert reading.record is not None
    return [
        f"{actor}: {text}"
        for actor, text in reading.record.games[game - 1].actions
        if text != "roll" and not text.startswith("dice")
    ]


def analysed_sgf(size: int) -> bytes:
    """GNU Backgammon's analysis of m11.sgf, with more and more plays analysed at each node, until it has this size."""
    data = (SAMPLES / "m11.sgf").read_bytes()
    lists = re.compile(rb"(?<=\]A\[)(\d+\])((?:\[[^\]]*\])+)")
    times = 1 + (size - len(data)) // sum(len(found[2]) for found in lists.finditer(data))
    return lists.sub(lambda found: found[1] + found[2] * times, data)


def codes(reading: Reading) -> tuple[list[str], list[str]]:
    """The codes of the errors and of the warnings."""
    return [error.code for error in reading.faults], [note.code for note in reading.warnings]
