"""Statistics of a million rolls through the code of live play: ``python -m tools.bench.dice_report [--rolls N]``.

Hash chains, hand-overs and dice are those of live play; only the database is left out. Half of the matches have two
players with a chain, a quarter one held seat and a quarter two; all processors roll. A million takes about 200 s of one
processor. The report has, with bounds that chance exceeds once in 10,000 times:

- the 36 pairs (chi-square, 35 degrees of freedom), each die, and the share of doubles;
- the serial test: which pair follows which (1,296 cells, 1,295 degrees of freedom), over all rolls of a match;
- the same pairs for openings, for White's and Black's rolls, and for rolls of held seats.

The exit status is 1 if a bound is exceeded. Run it again then, since chance does it, too; twice is an error.
"""

from __future__ import annotations

import argparse
import math
import secrets
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import reduce

from games.dice import proof
from games.dice.chain import PLAYER_ELEMENTS, Chain, link
from games.dice.match_dice import MatchDice
from games.engine import SIDES, Side

ROLLS = 1_000_000
OF_A_MATCH = 8_000
GAME = 50
"""Rolls of a game: after so many comes an opening."""
KINDS: tuple[tuple[Side, ...], ...] = ((), ("white",), (), SIDES)
"""Who is held, match after match."""

Counts = dict[str, Counter[tuple[int, ...]]]
SORTS = ("all", "serial", "opening", "white", "black", "held")


def main() -> int:
    """Roll, count and print; 1 if something is outside its bounds."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rolls", type=int, default=ROLLS)
    wanted = arguments.parse_args().rolls
    matches = max(1, wanted // OF_A_MATCH)
    started = time.perf_counter()
    with ProcessPoolExecutor() as pool:
        counts = reduce(_added, pool.map(rolled, range(matches), [min(wanted, OF_A_MATCH)] * matches))
    seconds = time.perf_counter() - started
    total = counts["all"].total()
    print(f"{total:,} rolls of {matches} matches in {seconds:.0f} s ({1e6 * seconds / total:.0f} us a roll)")
    return report(counts)


def rolled(number: int, rolls: int) -> Counts:
    """Roll one match of so many rolls with the functions of live play."""
    held = KINDS[number % len(KINDS)]
    match_id = secrets.token_hex(5)
    server = Chain.of(secrets.token_bytes(32), rolls)
    chains = {side: _elements(2 * PLAYER_ELEMENTS) for side in SIDES}
    hands = _locked(server, chains, held)
    counts: Counts = {sort: Counter() for sort in SORTS}
    before: tuple[int, int] | None = None
    for i in range(1, rolls + 1):
        rollers = SIDES if i % GAME == 1 else (SIDES[i % 2],)
        for side in rollers:
            element = "" if side in held else chains[side][hands.of(side).used + 1]
            if len(rollers) == 1:
                hands = hands.rolled(side, element)
            else:
                hands = (hands.deposit(side, element) if element else hands).opened(side)
        thrown = hands.roll(match_id, server, i=i, rollers=rollers)
        hands, dice = thrown.match_dice, thrown.dice
        sorts = ["all", "opening" if len(rollers) == 2 else rollers[0]]
        sorts += ["held"] if "held" in thrown.proof else []
        for sort in sorts:
            counts[sort][dice] += 1
        if before is not None:
            counts["serial"][(*before, *dice)] += 1
        before = dice
    return counts


def _locked(server: Chain, chains: dict[Side, list[str]], held: tuple[Side, ...]) -> MatchDice:
    """Do the handshake of a match."""
    hands = MatchDice(server.element(0).hex())
    nonces = {side: secrets.token_bytes(32) for side in SIDES}
    for side in SIDES:
        promised = proof.commitment(nonces[side]).hex()
        hands = hands.hold(side) if side in held else hands.commit(side, chains[side][0], promised)
    for side in SIDES:
        if side not in held:
            hands = hands.reveal(side, nonces[side].hex(), chains[side][1])
    return hands


def _elements(count: int) -> list[str]:
    """Yield a player's chain elements in the order in which they are revealed."""
    made = [secrets.token_bytes(32)]
    for _ in range(count):
        made.append(link(made[-1]))
    return [element.hex() for element in reversed(made)]


def _added(first: Counts, second: Counts) -> Counts:
    return {sort: first[sort] + second[sort] for sort in SORTS}


def report(counts: Counts) -> int:
    """Print each figure with its bound, and return those outside it."""
    out = 0
    for sort in SORTS:
        cells, faces = (1296, 4) if sort == "serial" else (36, 2)
        if counts[sort].total() >= 5 * cells:
            out += chi_line(f"pairs after pairs ({sort})" if faces == 4 else f"pairs ({sort})", counts[sort], cells)
    pairs = counts["all"]
    for place in (0, 1):
        faces_of: Counter[tuple[int, ...]] = Counter()
        for pair, count in pairs.items():
            faces_of[(pair[place],)] += count
        out += chi_line(f"die {place + 1}", faces_of, 6)
    total, doubles = pairs.total(), sum(count for (first, second), count in pairs.items() if first == second)
    band = 3.89 * math.sqrt(total * 1 / 6 * 5 / 6)
    wrong = abs(doubles - total / 6) > band
    print(f"{'doubles':28} {doubles / total:9.5f}  1/6 +- {band / total:.5f}{'  OUT OF ITS BOUND' if wrong else ''}")
    print("within the bounds of chance" if not out + wrong else "NOT as chance would have it: run it once more")
    return int(bool(out + wrong))


def chi_line(name: str, counts: Counter[tuple[int, ...]], cells: int) -> bool:
    """Print one line of the report; whether chi-square is beyond either bound."""
    total, freedom = counts.total(), cells - 1
    expected = total / cells
    chi = sum(count * count for count in counts.values()) / expected - total
    low, high = (quantile(freedom, z) for z in (-3.89, 3.89))
    wrong = not low <= chi <= high
    print(
        f"{name:28} {chi:9.1f}  {low:.1f} to {high:.1f} ({total:,} in {cells} cells)"
        f"{'  OUT OF ITS BOUND' if wrong else ''}"
    )
    return wrong


def quantile(freedom: int, z: float) -> float:
    """Return chi-square at `z` standard deviations of the normal distribution, by Wilson and Hilferty."""
    spread = 2 / (9 * freedom)
    return float(freedom * max(0.0, 1 - spread + z * math.sqrt(spread)) ** 3)


if __name__ == "__main__":
    sys.exit(main())
