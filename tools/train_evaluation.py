"""Train the small nets of `games/bots/small_net.py`: ``python -m tools.train_evaluation --out FILE``.

The teacher is bgsage (MPL-2.0; `games.bots.sage`): it plays games against itself, with more or less noise so that odd
positions occur too, and says how likely each kind of result is in those that it met or rejected.
Two nets of one hidden layer learn these chances: one where the sides are in contact, and one for races. Needs bgsage
and numpy, a quarter of an hour on one processor; the same seed gives the same positions.

    python -m tools.train_evaluation [--positions 1000000] [--epochs 30] [--seed 1] --out games/bots/small_net.json
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import os
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from games.bots.engine_boards import flipped
from games.bots.sage import _nets
from games.bots.small_net import PLACES, SLOTS, counts_of, is_race

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
NACK = [0, -2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2, 0]
HIDDEN = {"contact": 96, "race": 24}
NOISES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Temperatures of the plays in equity, one for each game."""
OTHERS = 3
"""Positions a decision that are kept besides the chosen one."""
BATCH = 2048
STAKES = np.array([1.0, 1.0, 0.5, 1.0, 0.5], dtype=np.float32)
"""The weight of each chance: won, gammon, backgammon, lost gammon, lost backgammon."""


def labelled(count: int, chance: Random) -> tuple[np.ndarray, np.ndarray]:
    """Return positions after a play (`games.bots.engine_boards`), and their five chances."""
    import bgbot_cpp

    nets = _nets(os.getpid())
    boards, chances = np.zeros((count, 26), dtype=np.int8), np.zeros((count, 5), dtype=np.float32)
    found = 0
    while found < count:
        board, noise = list(chance.choice((START, START, START, NACK))), chance.choice(NOISES)
        while found < count:
            dice = chance.randint(1, 6), chance.randint(1, 6)
            plays = bgbot_cpp.possible_moves(board, *dice)
            answers = [nets.evaluate_board(each, board) for each in plays]
            worth = [answer["equity"] - noise * math.log(-math.log(chance.random() or 0.5)) for answer in answers]
            best = max(range(len(plays)), key=worth.__getitem__)
            kept = {best, *(chance.randrange(len(plays)) for _ in range(OTHERS))}
            for index in kept:
                if found < count and sum(each for each in plays[index][1:] if each > 0) > 0:
                    boards[found], chances[found] = plays[index], answers[index]["probs"]
                    found += 1
            board = flipped(plays[best])
            if not any(each < 0 for each in board[1:25]) and not board[0]:
                break
    return boards, chances


def inputs(counts: np.ndarray) -> np.ndarray:
    """Return the inputs of the net: which places have 1, 2, 3, 4, 5 or more checkers, and how many more than 5."""
    blocks = [counts == n for n in range(1, 5)] + [counts >= 5, np.maximum(counts, 5) - 5]
    return np.stack(blocks, axis=2).reshape(len(counts), PLACES * SLOTS).astype(np.float32)


def trained(counts: np.ndarray, chances: np.ndarray, hidden: int, epochs: int, seed: int) -> dict[str, Any]:
    """Return the weights of a net that learned these positions (Adam, cross entropy)."""
    random = np.random.default_rng(seed)
    held = len(counts) // 50
    w1 = random.normal(0, 0.1, (PLACES * SLOTS, hidden)).astype(np.float32)
    w2 = random.normal(0, 0.1, (hidden, 5)).astype(np.float32)
    net = [w1, np.zeros(hidden, dtype=np.float32), w2, np.zeros(5, dtype=np.float32)]
    first, second = [np.zeros_like(part) for part in net], [np.zeros_like(part) for part in net]
    step, steps = 0, epochs * max(1, (len(counts) - held) // BATCH)
    for epoch in range(epochs):
        order = random.permutation(len(counts) - held) + held
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            rows = order[begin : begin + BATCH]
            x = inputs(counts[rows])
            h = np.maximum(x @ net[0] + net[1], 0)
            wrong = (sigmoid(h @ net[2] + net[3]) - chances[rows]) * STAKES / BATCH
            back = (wrong @ net[2].T) * (h > 0)
            step += 1
            rate = 0.003 * (0.5 * (1 + math.cos(math.pi * step / steps)) + 0.002)
            for part, slope, m, v in zip(
                net, (x.T @ back, back.sum(0), h.T @ wrong, wrong.sum(0)), first, second, strict=True
            ):
                m += 0.1 * (slope - m)
                v += 0.001 * (slope * slope - v)
                part -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
        said = sigmoid(np.maximum(inputs(counts[:held]) @ net[0] + net[1], 0) @ net[2] + net[3])
        error = np.abs(equities(said) - equities(chances[:held]))
        print(f"epoch {epoch + 1}: equities differ by {error.mean():.4f} on average", flush=True)
    return {name: packed(part) for name, part in zip(("w1", "b1", "w2", "b2"), net, strict=True)} | {"hidden": hidden}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-x)), dtype=np.float32)


def equities(chances: np.ndarray) -> np.ndarray:
    """Return equities without the cube."""
    return np.asarray(2 * chances[:, 0] - 1 + chances[:, 1] + chances[:, 2] - chances[:, 3] - chances[:, 4])


def packed(part: np.ndarray) -> dict[str, Any]:
    """Return numbers as 16-bit integers in base64, and what one of them is worth."""
    scale = float(np.abs(part).max()) / 32767 or 1.0
    return {"scale": scale, "data": base64.b64encode(np.round(part / scale).astype("<i2").tobytes()).decode()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    began = time.monotonic()
    boards, chances = labelled(options.positions, Random(options.seed))
    print(f"{len(boards)} positions in {time.monotonic() - began:.0f} s", flush=True)
    counts = np.array([counts_of(board) for board in boards.tolist()], dtype=np.int8)
    races = np.array([is_race(board) for board in boards.tolist()])
    nets = {}
    for name, rows in (("contact", ~races), ("race", races)):
        print(f"{name}: {rows.sum()} positions", flush=True)
        nets[name] = trained(counts[rows], chances[rows], HIDDEN[name], options.epochs, options.seed)
    options.out.write_text(json.dumps({"teacher": "bgsage", "nets": nets}, indent=1) + "\n")
    print(f"{options.out}: {options.out.stat().st_size} bytes, {time.monotonic() - began:.0f} s in all")


if __name__ == "__main__":
    main()
