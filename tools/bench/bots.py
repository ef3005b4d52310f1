"""Measure the strength and speed of the bots: ``make bench-bots``. docs/bots.md has the tables.

For each game: matches of many games between neighbouring strengths, each opening played twice with sides changed; the
errors of each strength on the same positions, by a deeper search; the processor time for a decision, and the time that
a player waits for it.

    python -m tools.bench.bots [--variant backgammon ...] [--weaker 4 ...] [--games 200] [--positions 300]

Each game has its own dice: a match is played on all processors at once, and may be played in parts. `--first 120` skips
the first 120 games; won games and points of the parts add up.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from games import bots
from games.bots import damas
from games.bots.engine_boards import after, board_of
from games.bots.sage import Sage, Stakes
from games.bots.seeded_random import SeededRandom
from games.bots.thinking_time import thinking_seconds
from games.engine import Position, Side
from games.registry import RULES

LENGTH = 7
"""The match at whose start the games are played, where the game has matches of that length."""
LONGEST = 600
Judge = Callable[[Position, Mapping[str, Any], Side], Mapping[str, float]]


@dataclass
class Seat:
    """One strength and what it used."""

    level: int
    won: float = 0
    points: int = 0
    thinking: list[float] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    lost: list[float] = field(default_factory=list)

    def add(self, other: Seat) -> None:
        """Add what the same strength did in another game."""
        self.won += other.won
        self.points += other.points
        self.thinking += other.thinking
        self.pauses += other.pauses


def opened(variant: str) -> tuple[Position, Mapping[str, Any]]:
    """Return the start of a game at the start of a match, and the score as pages show it."""
    rules = RULES[variant]
    standing = rules.opening_score(LENGTH if variant != "acey-deucey" else 15, {})
    return rules.start(standing, {}), standing.view()


def game(variant: str, seats: Mapping[Side, Seat], *, seed: str) -> Iterator[tuple[Position, Side]]:
    """Play one game between two strengths, with every real decision; the result is added to the seats."""
    position, score = opened(variant)
    chance, version = Random(seed), 0
    players = {side: bots.player_for(variant, seat.level) for side, seat in seats.items()}
    while (side := position.turn) != "over" and version < LONGEST:
        version += 1
        if side == "chance" or position.auto:
            position = position.after(position.auto or chance.choice(list(position.actions())))
            continue
        player = players[side]
        if player is None:
            sys.exit(f"nobody plays {variant} here: {bots.why_unavailable(variant)}")
        began = time.process_time()
        decision = player.decide(position, score, side, seed=f"{seed}:{version}")
        if decision.gap is not None:
            seats[side].thinking.append(time.process_time() - began)
            seats[side].pauses.append(thinking_seconds(decision, seeded=SeededRandom(f"{seed}:{version}"), left=None))
            yield position, side
        position = position.drawn("claim") if decision.action == "claim-draw" else position.after(decision.action)
    winner = position.outcome.winner if position.outcome else None
    for side, seat in seats.items():
        seat.won += 0.5 if winner is None else winner == side
        seat.points += position.outcome.points if position.outcome and winner == side else 0


def duel(variant: str, weaker: int, stronger: int, numbers: Sequence[int]) -> tuple[Seat, Seat]:
    """Play the games of these numbers between two strengths, every dice sequence from both sides."""
    low, high = Seat(weaker), Seat(stronger)
    with ProcessPoolExecutor() as pool:
        for weaker_seat, stronger_seat in pool.map(partial(play_game, variant, weaker, stronger), numbers):
            low.add(weaker_seat)
            high.add(stronger_seat)
    return low, high


def play_game(variant: str, weaker: int, stronger: int, number: int) -> tuple[Seat, Seat]:
    """Play one game of a match."""
    low, high = Seat(weaker), Seat(stronger)
    side: Side = "white" if number % 2 else "black"
    seats: dict[Side, Seat] = {side: low, ("black" if side == "white" else "white"): high}
    for _ in game(variant, seats, seed=f"{variant}:{number // 2}"):
        pass
    return low, high


def positions(variant: str, count: int) -> list[tuple[Position, Side]]:
    """Return so many decisions from games between two club players."""
    found: list[tuple[Position, Side]] = []
    for number in range(count):
        seats: dict[Side, Seat] = {"white": Seat(3), "black": Seat(3)}
        listed = list(game(variant, seats, seed=f"positions:{variant}:{number}"))
        found += listed[:: max(1, len(listed) // 12)]
        if len(found) >= count:
            break
    return found[:count]


def judge_of(variant: str) -> tuple[str, Judge]:
    """Return the deepest engine for a game and its name: bgsage at 3-ply, or the engine at its highest effort."""
    engine = bots.engine_for(variant)
    if engine is None:
        sys.exit(f"nobody plays {variant} here: {bots.why_unavailable(variant)}")
    if isinstance(engine, Sage):
        return "bgsage 3-ply", three_ply(engine)
    return f"{engine.name} at its last effort", lambda *arguments: dict(engine.rate_actions(*arguments, effort=5))


def three_ply(sage: Sage) -> Judge:
    """Judge plays by bgsage two rolls ahead, as long as 1-ply finds them close; cube decisions one roll ahead."""
    import bgbot_cpp
    from bgsage.weights import default_weights

    weights = default_weights()
    nets = (weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
    search = bgbot_cpp.create_multipy(*nets, n_plies=3, parallel_evaluate=False, parallel_threads=1)

    def judge(position: Position, score: Mapping[str, Any], side: Side) -> Mapping[str, float]:
        near = sage.rate_actions(position, score, side, effort=5)
        if not near[0].action[:1].isdigit() and not near[0].action.startswith("bar"):
            return dict(near)
        view = position.view(None)
        before, stakes = board_of(view, side), Stakes.of(view, score, side)
        search.clear_cache()
        deep = {}
        for rated in near[:6]:
            board = after(before, rated.action)
            deep[rated.action] = stakes.worth(list(search.evaluate_board(board, before)["probs"]), board)
        worst = min(deep.values())
        fall = near[len(deep) - 1].equity - worst
        return deep | {rated.action: min(worst, rated.equity - fall) for rated in near[len(deep) :]}

    return judge


def errors(variant: str, count: int) -> tuple[str, dict[int, Seat]]:
    """Return the errors of each strength on the same decisions, by the deepest engine."""
    name, judge = judge_of(variant)
    seats = {level: Seat(level) for level in bots.LEVELS}
    _, score = opened(variant)
    for number, (position, side) in enumerate(positions(variant, count)):
        worth = judge(position, score, side)
        best = max(worth.values())
        for level, seat in seats.items():
            player = bots.player_for(variant, level)
            assert player
            action = player.decide(position, score, side, seed=f"errors:{number}").action
            seat.lost.append(best - worth.get(action, best))
    return name, seats


def memory() -> float:
    """Return the megabytes that this process uses, where the system tells."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return float("nan")


def ms(seconds: list[float]) -> str:
    """Return mean and 99th percentile in milliseconds."""
    ordered = sorted(1000 * value for value in seconds) or [0.0]
    return f"{statistics.mean(ordered):.1f} / {ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]:.1f}"


def report(variant: str, *, weaker_levels: Sequence[int], numbers: Sequence[int], count: int) -> None:
    """Print both tables of one game, the first with each of `weaker_ones` against the next strength."""
    print(f"\n## {RULES[variant].name}\n", flush=True)
    if numbers:
        print("| weaker | stronger | games won by the stronger | points | ms a decision (mean / p99) | s waited |")
        print("|---|---|---|---|---|---|")
        for weaker in weaker_levels:
            low, high = duel(variant, weaker, weaker + 1, numbers)
            share = 100 * high.won / len(numbers)
            waited = statistics.mean(high.pauses)
            print(
                f"| {weaker} | {weaker + 1} | {high.won:g} of {len(numbers)} ({share:.0f} %) "
                f"| {high.points} to {low.points} | {ms(high.thinking)} | {waited:.1f} |",
                flush=True,
            )
    if count:
        name, seats = errors(variant, count)
        print(f"\nAgainst {name}, on the same {len(seats[1].lost)} decisions, in thousandths of a game:\n")
        print("| strength | given away a decision | of them errors (20 and more) | error rate (PR) |")
        print("|---|---|---|---|")
        for level, seat in seats.items():
            lost = statistics.mean(seat.lost)
            worse = sum(loss >= 0.02 for loss in seat.lost)
            print(f"| {level} | {1000 * lost:.1f} | {worse} | {500 * lost:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = [variant for variant in RULES if bots.engine_for(variant)]
    parser.add_argument("--variant", nargs="*", choices=known, default=known)
    parser.add_argument("--weaker", nargs="*", type=int, choices=bots.LEVELS[:-1], default=bots.LEVELS[:-1])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--positions", type=int, default=300)
    options = parser.parse_args()
    damas.SECONDS = math.inf  # its budget is counted in boards, so that a busy machine changes no game
    for variant in options.variant:
        report(
            variant, weaker_levels=options.weaker, numbers=range(options.first, options.games), count=options.positions
        )
    print(f"\n{memory():.0f} MB at the end, without the processes that played")


if __name__ == "__main__":
    main()
