"""Compare our analysis with GNU Backgammon's of the same matches: ``make bench-gnubg``.

    python -m tools.bench.gnubg [--matches 10] [--length 7] [--depth quick] [--plies 2] [--positions 200]

gnubg is a separate program (Debian: ``apt install gnubg``); it reads our .mat files and analyses them with its own nets
and match equity table. Two tables come out: error rate, luck and luck-adjusted result of each player, with the
correlations; and the plays of up to so many positions, with those on which the two differ most.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.engine import DEPTHS
from analysis.report import is_play
from games.bots.engine_boards import Board, after, board_of
from games.engine import SIDES, Json, Side
from games.formats import mat
from tools.bench.analyse_record import judged
from tools.bench.generated_matches import match

GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"
SCRIPT = """
import gnubg, json
for word in ("automatic game off", "automatic roll off", "automatic move off", "automatic bearoff off",
             "confirm new off", "display off", "analysis chequerplay evaluation plies {plies}",
             "analysis cubedecision evaluation plies {plies}"):
    gnubg.command("set " + word)
for number in range({matches}):
    gnubg.command('import mat "{folder}/%d.mat"' % number)
    gnubg.command("analyse match")
    match = gnubg.match(analysis=1, boards=0, statistics=1)
    open("{folder}/%d.json" % number, "w").write(json.dumps(match, default=str))
"""
NAMES = {"white": "X", "black": "O"}
Play = tuple[Board, Json, Json]
"""The board before a play as who plays sees it, our decision, and gnubg's analysis of it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One player of one match: our figures and gnubg's."""

    player: str
    rate: tuple[float, float]
    luck: tuple[float, float]
    without: tuple[float, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--depth", choices=DEPTHS, default="quick")
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--positions", type=int, default=200)
    args = parser.parse_args()
    if not os.access(GNUBG, os.X_OK):
        sys.exit("GNU Backgammon is missing: apt install gnubg")
    records = [match(seed, args.length, errs=(0.01 + 0.008 * seed, 0.02)) for seed in range(args.matches)]
    with tempfile.TemporaryDirectory(prefix="gnubg-") as folder:
        analyses = analysed(Path(folder), [mat.write(record) for record in records], plies=args.plies)
    lines: list[Line] = []
    plays: list[Play] = []
    for number, (record, analysis) in enumerate(zip(records, analyses, strict=True)):
        our_report, seen = judged(record, args.depth)
        lines += [line(f"{number} {side}", our_report["sides"][side], analysis["stats"][NAMES[side]]) for side in SIDES]
        plays += paired(our_report, seen, analysis)
    table(lines)
    differences(plays[:: max(1, len(plays) // args.positions)][: args.positions])


def analysed(folder: Path, texts: Sequence[str], *, plies: int) -> list[Json]:
    """Return gnubg's analysis of matches in .mat."""
    for number, text in enumerate(texts):
        (folder / f"{number}.mat").write_text(text)
    script = folder / "analyse.py"
    script.write_text(SCRIPT.format(plies=plies, matches=len(texts), folder=folder))
    subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-p", str(script)],
        env={**os.environ, "HOME": str(folder)},
        cwd=folder,
        capture_output=True,
        check=True,
    )
    return [json.loads((folder / f"{number}.json").read_text()) for number in range(len(texts))]


def line(player: str, our_stats: Json, gnubg_stats: Json) -> Line:
    cube = sum(value for key, value in gnubg_stats["cube"].items() if key.startswith("err-") and key.endswith("-skill"))
    counted = gnubg_stats["moves"]["unforced-moves"] + gnubg_stats["cube"]["close-cube"]
    rate = 500 * (gnubg_stats["moves"]["error-skill"] + cube) / max(counted, 1)
    dice = gnubg_stats["dice"]
    return Line(
        player,
        (our_stats["all"]["pr"] or 0.0, rate),
        (100 * (our_stats["luck"]["mwc"] or 0.0), 100 * dice["luck-cost"]),
        (100 * (our_stats["adjusted"] or 0.0), 100 * (dice["luck-adjusted-result"] + 0.5)),
    )


def table(lines: Sequence[Line]) -> None:
    """Print both sets of figures and their correlations."""
    print("| match, player | PR ours | PR gnubg | luck ours, % | luck gnubg, % | without luck ours, % | gnubg, % |")
    print("|---|---|---|---|---|---|---|")
    for each in lines:
        numbers = [*each.rate, *each.luck, *each.without]
        print(f"| {each.player} | " + " | ".join(f"{number:.1f}" for number in numbers) + " |")
    for name in ("rate", "luck", "without"):
        pairs = [getattr(each, name) for each in lines]
        our_values, gnubg_values = zip(*pairs, strict=True)
        apart = statistics.mean(abs(a - b) for a, b in pairs)
        correlation = statistics.correlation(our_values, gnubg_values)
        print(f"{name}: correlation {correlation:.4f}, mean difference {apart:.2f}")


def paired(our_report: Json, seen: Sequence[Any], analysis: Json) -> Iterator[Play]:
    """Return each play that both have judged. Forced passes are left out on both sides, so the orders agree."""
    boards: dict[int, Board] = {}
    for moment in seen:
        if moment.action.actor in SIDES and is_play(moment.action.text):
            side: Side = moment.action.actor
            boards[moment.action.n] = board_of(moment.before.position.view(None), side)
    our_plays = [each for game in our_report["games"] for each in game["decisions"] if each["kind"] == "play"]
    gnubg_actions = [each for game in analysis["games"] for each in game["game"]]
    gnubg_plays = [each for each in gnubg_actions if each["action"] == "move" and each.get("move")]
    if len(our_plays) != len(gnubg_plays):
        print(f"(the two count {len(our_plays)} and {len(gnubg_plays)} plays: a match is left out)", file=sys.stderr)
        return
    for decision, move in zip(our_plays, gnubg_plays, strict=True):
        found = move.get("analysis", {}).get("moves", [])
        if not decision["obvious"] and len(found) > 1:
            yield boards[decision["n"]], decision, move["analysis"]


def moved(board: Board, steps: Sequence[Sequence[int]]) -> Board:
    """Return the board after a play of gnubg: steps from point to point, 25 the bar and 0 off."""
    return after(board, " ".join(f"{_place(a)}/{_place(b)}" for a, b in sorted(steps, reverse=True)))


def _place(n: int) -> str:
    return {25: "bar", 0: "off"}.get(n, str(n))


def differences(plays: Sequence[Play], *, most: int = 20) -> None:
    """Print how often the best plays agree, what each thinks the other's costs, and the worst of them."""
    worst = []
    agreed, gaps = 0, []
    for board, decision, analysis in plays:
        gnubg_plays = [(moved(board, each["move"]), each["score"]) for each in analysis["moves"]]
        our_plays = {tuple(after(board, each["play"])): each for each in decision["plays"]}
        best = after(board, decision["best"])
        our_cost = next((gnubg_plays[0][1] - score for found, score in gnubg_plays if found == best), None)
        known = our_plays.get(tuple(gnubg_plays[0][0]))
        gaps += [abs(known["equity"] - gnubg_plays[0][1])] if known else []
        if gnubg_plays[0][0] == best:
            agreed += 1
        else:
            worst.append((our_cost or 0.0, known["loss"] if known else None, decision, analysis["moves"][0]["move"]))
    share = 100 * agreed / max(len(plays), 1)
    print(f"\n{len(plays)} positions: the best play is the same in {agreed} ({share:.1f} %)")
    if gaps:
        mean, median = statistics.mean(gaps), statistics.median(gaps)
        print(f"equity of gnubg's best play: mean difference {mean:.4f}, median {median:.4f}")
    if worst:
        mean = statistics.mean(each[0] for each in worst)
        print(f"where they differ, gnubg says that ours costs {mean:.4f} on average")
    print("| gnubg: ours costs | ours: theirs costs | position | ours | gnubg |\n|---|---|---|---|---|")
    for cost, loss, decision, move in sorted(worst, key=lambda each: -each[0])[:most]:
        loss_text = "-" if loss is None else f"{loss:.4f}"
        print(f"| {cost:.4f} | {loss_text} | {decision['xgid']} | {decision['best']} | {move} |")


if __name__ == "__main__":
    main()
