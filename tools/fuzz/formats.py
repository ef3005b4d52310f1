"""``python -m tools.fuzz.formats --seconds 300``: damaged match files against the readers.

Every input must give a match, errors or a coded refusal, within `LIMIT` seconds of processor time (more on a slower
machine) and without leaking memory. The first input that does not is written to `--keep` (var/fuzz), and the exit
status is 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from games.formats import FormatError, read
from games.formats.decoding import MOST_BYTES
from games.formats.record import verify
from tools.fuzz.huge_files import HUGE

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "data" / "matches"
LIMIT = 1.0
USUAL = 0.5
MOST_MEMORY = 600 * 1024
"""Kilobytes that the whole process may come to hold."""
HANG = 60
"""After so many seconds of real time an input is a hang: the stack is printed and the process ends."""

HAND_MADE = [
    b'; [Jacoby "On"]\n 0 point match\n\n Game 1\n ana : 0   bea : 0\n 1) 31: 8/5 6/5  Doubles => 2\n'
    b" 2) Takes  64: 24/14\n"
    b"      Wins 4 points\n\n Game 2\n ana : 4   bea : 0\n 1) 51: ????\n                 Wins 2 points\n",
    b'[White "ana"]\n[Black "bea"]\n[Result "0-1"]\n\n1. 11-16 40-35 2. 12-17 {huff 3} 0-1\n',
    b'{"format": "tablero-match/1", "variant": "backgammon", "length": 1, "options": {}, "players": {"white": "a", '
    b'"black": "b"}, "headers": {}, "games": [{"number": 1, "score": [0, 0], "actions": [["white", "roll"]], '
    b'"winner": "", "points": 0, "kind": "", "resigned": false}], "by": "", "winner": ""}',
]
WORDS = [
    *(
        b"Doubles => 2",
        b"Takes",
        b"Drops",
        b"Beavers => 4",
        b"????",
        b"Concedes",
        b"Wins 9999999 points",
        b"Cannot Move",
    ),
    *(b" Game 1\n", b"0 point match\n", b"31:", b"66: ", b"bar/", b"/off", b"(2)", b"24/18*/13", b"6/5(4)", b" : "),
    *(b"(;", b")", b"[", b"]", b"\\", b"W[31hefe]", b"B[double]", b"MI[length:99999999]", b"RE[W+T]", b"AE[a:z]"),
    *(
        b"{",
        b"}",
        b'"',
        b"0",
        b"-1",
        b"1e999",
        b"null",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\r",
        b"\0",
        b"11x22x33",
        b"compel",
    ),
]


def flip(dice: random.Random, data: bytearray) -> None:
    for _ in range(dice.randint(1, 8)):
        data[dice.randrange(len(data))] = dice.randrange(256)


def insert(dice: random.Random, data: bytearray) -> None:
    at = dice.randrange(len(data))
    data[at:at] = dice.choice(WORDS)


def overwrite(dice: random.Random, data: bytearray) -> None:
    at, word = dice.randrange(len(data)), dice.choice(WORDS)
    data[at : at + len(word)] = word


def cut(dice: random.Random, data: bytearray) -> None:
    at = dice.randrange(len(data))
    del data[at : at + dice.randint(1, 200)]


def truncate(dice: random.Random, data: bytearray) -> None:
    del data[dice.randrange(1, len(data) + 1) :]


def repeat(dice: random.Random, data: bytearray) -> None:
    at = dice.randrange(len(data))
    piece = data[at : at + dice.randint(1, 400)]
    data[at:at] = piece * min(dice.choice([2, 10, 1000, 100_000]), (MOST_BYTES - len(data)) // max(len(piece), 1))


def shuffle(dice: random.Random, data: bytearray) -> None:
    lines = data.split(b"\n")
    first = dice.randrange(len(lines))
    block = lines[first : first + 20]
    dice.shuffle(block)
    lines[first : first + 20] = block
    data[:] = b"\n".join(lines)


def duplicate(dice: random.Random, data: bytearray) -> None:
    lines = data.split(b"\n")
    first, last = sorted((dice.randrange(len(lines)), dice.randrange(len(lines))))
    lines[last:last] = lines[first:last]
    data[:] = b"\n".join(lines)


def number(dice: random.Random, data: bytearray) -> None:
    places = [at for at in range(min(len(data), 20_000)) if 48 <= data[at] < 58]
    if places:
        data[dice.choice(places)] = 48 + dice.randrange(10)


DAMAGES: Sequence[Callable[[random.Random, bytearray], None]] = (
    *(flip, insert, overwrite, cut, truncate, repeat, shuffle, duplicate),
    *(number, number, number),
)


def mutated(dice: random.Random, samples: Sequence[bytes]) -> bytes:
    """Return one of the samples, damaged once or a few times."""
    data = bytearray(dice.choice(samples))
    for _ in range(dice.choice([1, 1, 1, 2, 3, 6])):
        if data:
            dice.choice(DAMAGES)(dice, data)
    return bytes(data[:MOST_BYTES])


def tried(data: bytes, name: str) -> tuple[str, float]:
    """Read a file; the result in a word, and its processor seconds. Raises whatever is a bug."""
    began = time.process_time()
    try:
        reading = read(data, name)
    except FormatError as refused:
        if not refused.text:
            raise AssertionError(f"no sentence for {refused.code}") from refused
        return refused.code, time.process_time() - began
    spent = time.process_time() - began
    if (reading.record is None) != bool(reading.faults):
        raise AssertionError("half a match")
    if reading.record is not None:
        verify(reading.record)
    return "match" if reading.record is not None else "faults", spent


def cost(data: bytes, name: str) -> float:
    """Return the processor seconds of reading."""
    began = time.process_time()
    with suppress(FormatError):
        read(data, name)
    return time.process_time() - began


def slowness(sample: bytes) -> float:
    """Return how much slower this machine is than one that reads the longest sample in `USUAL` seconds; 1 or more."""
    return max(1.0, cost(sample, "x.mat") / USUAL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz for a while; 1 if an input crashed, hung or was too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", type=Path, default=ROOT / "var" / "fuzz")
    options = parser.parse_args(arguments)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    dice = random.Random(seed)
    samples = [*HAND_MADE, *(path.read_bytes() for path in sorted(SAMPLES.iterdir()))]
    seen: Counter[str] = Counter()
    slowest, ends = 0.0, time.monotonic() + options.seconds
    longest = (SAMPLES / "m22.mat").read_bytes()
    fixed = [*HUGE.values(), *samples]
    while fixed or time.monotonic() < ends:
        data = fixed.pop() if fixed else mutated(dice, samples)
        name = dice.choice(["", "", "x.mat", "x.sgf", "x.pdn", "x.json"])
        options.keep.mkdir(parents=True, exist_ok=True)
        running = options.keep / "running"
        running.write_bytes(data)  # so that it still exists after a hang
        faulthandler.dump_traceback_later(HANG, exit=True)
        problem = ""
        try:
            word, spent = tried(data, name)
            seen[word] += 1
            if spent > LIMIT:  # the machine may have been busy: measure it and the input again
                spent = cost(data, name) / slowness(longest)
        except Exception:
            problem, spent = traceback.format_exc(), 0.0
        faulthandler.cancel_dump_traceback_later()
        slowest = max(slowest, spent)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if not problem and spent > LIMIT:
            problem = f"too slow: {spent:.2f} s"
        if not problem and memory > MOST_MEMORY:
            problem = f"too much memory: {memory} kB"
        if problem:
            saved_to = options.keep / f"{hashlib.sha256(data).hexdigest()[:12]}{Path(name).suffix}"
            running.rename(saved_to)
            print(f"{problem}\nseed {seed}; the input is {saved_to}", file=sys.stderr)
            return 1
        running.unlink()
    outcomes = ", ".join(f"{word} {count}" for word, count in seen.most_common())
    print(f"{seen.total()} inputs, slowest {slowest:.2f} s, memory {memory // 1024} MB, seed {seed}: {outcomes}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
