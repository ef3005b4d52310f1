"""`python -m tools.fuzz.tournaments --sequences 10000`."""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor

from tools.fuzz.tournaments import SHAPES, run_seeds


def main() -> None:
    parser = argparse.ArgumentParser(description="Correct tournaments at random and check them after each step.")
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    each, started_at = -(-options.sequences // len(SHAPES)), time.monotonic()
    with ProcessPoolExecutor(options.processes) as pool:
        for shape, steps in zip(SHAPES, pool.map(run_seeds, SHAPES, [range(each)] * len(SHAPES)), strict=True):
            print(f"{shape}: {each} sequences, {steps} steps", flush=True)
    print(f"{each * len(SHAPES)} sequences in {time.monotonic() - started_at:.0f} s")


if __name__ == "__main__":
    main()
