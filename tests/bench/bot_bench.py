"""What a computer opponent costs: ``python -m tests.bench.bot_bench``. Prints milliseconds and megabytes."""

from __future__ import annotations

import os
import statistics
import sys
import time
from random import Random

from games import bots
from games.registry import RULES


def memory() -> float:
    """The megabytes that this process holds now, where the system tells."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return float("nan")


def main(games: int = 60) -> None:
    print(f"process: {memory():.0f} MB")
    began = time.perf_counter()
    engine = bots.engine_for("backgammon")
    if engine is None:
        sys.exit(f"no engine: {bots.ENGINES[0].reason()}")
    print(f"library loaded: {1000 * (time.perf_counter() - began):.0f} ms, {memory():.0f} MB")

    chance, rules = Random(1), RULES["backgammon"]
    standing = rules.opening_score(7, {})
    shown = standing.view()
    took: dict[str, list[float]] = {"first decision": [], "play": [], "double or roll": [], "take or drop": []}
    listing, resigning = [], []
    for _ in range(games):
        position = rules.start(standing, {})
        while (side := position.turn) != "over":
            if side == "chance":
                position = position.after(chance.choice(list(position.actions())))
                continue
            if position.auto:
                position = position.after(position.auto)
                continue
            began = time.perf_counter()
            choices = list(position.actions())
            listing.append(time.perf_counter() - began)
            began = time.perf_counter()
            action = engine.choose(position, shown, side)
            kind = "take or drop" if "take" in choices else "double or roll" if "double" in choices else "play"
            if len(choices) > 1:
                took[kind if took["first decision"] else "first decision"].append(time.perf_counter() - began)
            if chance.random() < 0.05:
                began = time.perf_counter()
                engine.accepts(position, shown, side, 1)
                resigning.append(time.perf_counter() - began)
            position = position.after(action)
    took |= {"resignation": resigning, "(of it, the rules' list)": listing}
    print(f"after {games} games: {memory():.0f} MB")
    print(f"{'decision':<26}{'count':>7}{'mean ms':>10}{'median':>10}{'p99':>10}{'max':>10}")
    for kind, seconds in took.items():
        ms = sorted(1000 * one for one in seconds)
        p99 = ms[min(len(ms) - 1, len(ms) * 99 // 100)]
        print(
            f"{kind:<26}{len(ms):>7}{statistics.mean(ms):>10.3f}{statistics.median(ms):>10.3f}{p99:>10.3f}{ms[-1]:>10.3f}"
        )


if __name__ == "__main__":
    main()
