"""Measure the speed of the rules: ``python -m tools.bench.rules [--others SITE_PACKAGES]``.

Measured on 10,000 positions with dice from seeded random play, with checkers on the bar, races and bearing off:

- rolls a second: all legal plays of a roll as packed boards, and as lists of 30 numbers;
- the tree of half-moves, and a whole act (`Position.after`) without caches;
- two rolls deep from the start: 202,782 plays after the 447 of the 21 first rolls.

With ``--others`` other pure-Python generators (`tools/bench/other_generators.py`) get the same positions in the same
run, in turns of a few hundred. Two ratios are printed: each in its own form (ours packed boards, most others lists of
moves), and ours with every board written out as 30 numbers while the other stops at its own form.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from backgammon.rules import RULES, VARIANTS, Board, Plays, Score, plays_of, whole_plays
from backgammon.rules.board import wires_of
from tests.rules.positions import Dice, played
from tools.bench.other_generators import Generator, found_in

POSITIONS = 10_000
SEED = 1
AT_MOST = 20.0
"""Seconds that one generator may take; the ratio then counts the positions that it got through."""

TURN = 250
"""How many positions a generator and we answer in turns."""

Case = tuple[Board, Dice]


def main() -> None:
    """Measure and print one figure a line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--others", type=Path, help="the site-packages that has the generators")
    arguments.add_argument("--positions", type=int, default=POSITIONS)
    chosen = arguments.parse_args()
    cases = list(islice(played(SEED), chosen.positions))
    print(f"Python {platform.python_version()}, {len(cases):,} positions of seeded random play")
    packed = best(lambda: [whole_plays(board.code, dice) for board, dice in cases])
    print(f"plays as packed boards    {len(cases) / packed:10,.0f} rolls/s  {1e6 * packed / len(cases):7.1f} us a roll")
    wires = best(lambda: [as_wires(board, dice) for board, dice in cases])
    print(f"plays as 30 numbers each  {len(cases) / wires:10,.0f} rolls/s  {1e6 * wires / len(cases):7.1f} us a roll")
    trees = best(lambda: [Plays(board.code, dice).tree for board, dice in cases], times=1)
    print(f"tree of half-moves        {len(cases) / trees:10,.0f} rolls/s  {1e6 * trees / len(cases):7.1f} us a roll")
    acts(cases[:2000])
    perft()
    if chosen.others:
        for generator in found_in(chosen.others):
            against(generator, cases)


def as_wires(board: Board, dice: Dice) -> list[tuple[int, ...]]:
    """Return the boards after each legal play as 30 numbers each."""
    return wires_of(whole_plays(board.code, dice)[0])


def best(work: Callable[[], Any], *, times: int = 3) -> float:
    """Return the seconds of the fastest of some runs."""
    return min(timed(work) for _ in range(times))


def timed(work: Callable[[], Any]) -> float:
    """Return the processor seconds of one run, which do not count what other programs do meanwhile."""
    began = time.process_time()
    work()
    return time.process_time() - began


def acts(cases: Sequence[Case]) -> None:
    """Measure one play as live play makes it: parse it, check it, write the canonical form, and turn the board."""
    rules = RULES["backgammon"]
    opening = rules.start(Score(5), {}).after("dice 31").snapshot()
    seconds = []
    for board, dice in cases:
        position = rules.restore(opening | {"board": board.to_wire(), "dice": list(dice)})
        action = position.actions()[len(seconds) % len(position.actions())]
        plays_of.cache_clear()
        seconds.append(timed(lambda position=position, action=action: position.after(action)))
    seconds.sort()
    mean, late = sum(seconds) / len(seconds), seconds[int(0.99 * len(seconds))]
    print(f"Position.after of a play  {1e6 * mean:10.0f} us on average, {1e6 * late:.0f} us at the 99th percentile")


def perft() -> None:
    """Count the plays two rolls deep: after every distinct play of the 21 rolls, the distinct plays of 21 rolls."""
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    began = time.process_time()
    count = 0
    for roll in rolls:
        for code in whole_plays(VARIANTS["backgammon"].board.code, roll)[0]:
            reply = Board(code).flipped().code
            count += sum(len(whole_plays(reply, answer)[0]) or 1 for answer in rolls)
    print(f"two rolls deep            {count:10,} plays in {time.process_time() - began:.2f} s")


def against(generator: Generator, cases: Sequence[Case]) -> None:
    """Give a generator the same positions in turns with ours, within its time; compare time and results."""
    other_seconds = packed = wires = 0.0
    done = wrong = failed = 0
    for first in range(0, len(cases), TURN):
        turn = cases[first : first + TURN]
        answers: list[Any] = []
        questions = [generator.question(board, dice) for board, dice in turn]
        other_seconds += timed(
            lambda answers=answers, questions=questions: answers.extend(map(generator.asked, questions))
        )
        packed += timed(lambda turn=turn: [whole_plays(board.code, dice) for board, dice in turn])
        wires += timed(lambda turn=turn: [as_wires(board, dice) for board, dice in turn])
        for (board, dice), answer in zip(turn, answers, strict=True):
            if isinstance(answer, Exception):
                failed += 1
            else:
                wrong += generator.results(board, answer) != (set(as_wires(board, dice)) or {board.wire})
        done += len(turn)
        if other_seconds > AT_MOST:
            break
    right = "all answers right" if not wrong + failed else f"{wrong:,} answers wrong, {failed:,} errors"
    as_packed, as_numbers = other_seconds / packed, other_seconds / wires
    print(
        f"{generator.name} {generator.version}: {done / other_seconds:,.0f} rolls/s on {done:,} positions, {right}; "
        f"we are {as_packed:.1f} times as fast, {as_numbers:.1f} times with every board written out"
    )


if __name__ == "__main__":
    main()
