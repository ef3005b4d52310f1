"""Random corrections of tournaments without a database, in every format; `CheckedTournament.check` has what must hold.

`python -m tools.fuzz.tournaments --sequences 10000` runs many (`make fuzz-tournaments`); the tests run a few hundred.
"""

from __future__ import annotations

import random

from tools.fuzz.tournaments.checked_tournament import SHAPES
from tools.fuzz.tournaments.corrected_tournament import CorrectedTournament

__all__ = ["SHAPES", "run_seeds", "sequence"]


def sequence(shape: str, seed: int, steps: int = 30) -> int:
    """Run one tournament with so many corrections, checked after each; how many steps it had."""
    chance = random.Random(f"{shape} {seed}")
    least = SHAPES[shape][2]
    tournament = CorrectedTournament(shape, chance.randint(least, max(9, least + 3)), chance)
    if chance.random() < 0.7:
        tournament.draw()
        tournament.start()
    for step in range(steps):
        name = tournament.move()
        try:
            tournament.check()
        except AssertionError as error:
            raise AssertionError(f"{shape} {seed}, step {step}: {name}") from error
    if chance.random() < 0.5:
        tournament.take_all_back()
    else:
        tournament.play_out()
    return steps


def run_seeds(shape: str, seeds: range) -> int:
    """Run these seeds of a shape; how many steps they had."""
    return sum(sequence(shape, seed) for seed in seeds)
