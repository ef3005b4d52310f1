"""Measure the time of a match analysis on one core: ``make bench-report``.

    python -m tools.bench.analysis_speed [--matches 5] [--length 7] [--depths quick normal deep]

Prints a line for each depth: decisions and rolls, seconds a match, the longest, and milliseconds a decision.
"""

from __future__ import annotations

import argparse
import statistics
import time

from analysis.engine import DEPTHS
from tools.bench.analyse_record import judged
from tools.bench.generated_matches import match


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=5)
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--depths", nargs="+", choices=DEPTHS, default=list(DEPTHS))
    args = parser.parse_args()
    records = [match(seed, args.length) for seed in range(args.matches)]
    judged(match(1000, 1), "quick")  # loads the nets
    print("| depth | matches | decisions a match | seconds a match | longest | ms a decision |")
    print("|---|---|---|---|---|---|")
    for depth in args.depths:
        seconds, counts = [], []
        for record in records:
            began = time.process_time()
            found, _ = judged(record, depth)
            seconds.append(time.process_time() - began)
            counts.append(sum(len(game["decisions"]) for game in found["games"]))
        print(
            f"| {depth} | {len(records)} | {statistics.mean(counts):.0f} | {statistics.mean(seconds):.1f} "
            f"| {max(seconds):.1f} | {1000 * sum(seconds) / max(sum(counts), 1):.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
