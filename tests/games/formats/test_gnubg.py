"""GNU Backgammon reads our exports, and we read its output: fifty matches in one process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from games.formats import Record, mat, sgf
from games.formats import read as read_file
from tests.games.formats.matches import play_match
from tools.services.environment import missing

GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"
MATCHES = 50
SCRIPT = """
import gnubg, json
for word in ("automatic game off", "automatic roll off", "automatic move off", "automatic bearoff off",
             "confirm new off", "display off", "jacoby on"):
    gnubg.command("set " + word)
found = []
for number in range({matches}):
    gnubg.command('import mat "{folder}/%d.mat"' % number)
    match = gnubg.match(analysis=0, boards=0, statistics=0)
    found.append([game["info"] for game in match["games"]])
    gnubg.command('save match "{folder}/%d.sgf"' % number)
open("{folder}/found.json", "w").write(json.dumps(found, default=str))
"""


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Matches of every kind: with doubles, drops, resignations, the Crawford game, and resigned as a whole."""
    return [play_match(100 + seed, [1, 3, 2, 5][seed % 4], doubles=0.3, resigns=0.02) for seed in range(MATCHES)]


@pytest.fixture(scope="module")
def gnubg(records: list[Record], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[dict[str, Any]]]]:
    """The folder with gnubg's own SGF of each match, and what it has understood of its games."""
    if not os.access(GNUBG, os.X_OK):
        missing("GNU Backgammon", install="apt install gnubg")
    folder = tmp_path_factory.mktemp("gnubg")
    for index, record in enumerate(records):
        (folder / f"{index}.mat").write_text(mat.write(record))
    script = folder / "read.py"
    script.write_text(SCRIPT.format(matches=len(records), folder=folder))
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-p", str(script)],
        env={**os.environ, "HOME": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert "Unrecognized" not in done.stdout + done.stderr, done.stdout
    assert "llegal" not in done.stdout + done.stderr, done.stdout
    found: list[list[dict[str, Any]]] = json.loads((folder / "found.json").read_text())
    return folder, found


def test_gnubg_reads_every_match_to_the_same_score(
    records: list[Record], gnubg: tuple[Path, list[list[dict[str, Any]]]]
) -> None:
    for record, games in zip(records, gnubg[1], strict=True):
        played = [game for game in record.games if any(text.startswith("dice") for _, text in game.actions)]
        assert [(game["score-X"], game["score-O"]) for game in games] == [game.score for game in played]
        won = {"white": "X", "black": "O", "": None}
        assert [(game["winner"], game["points-won"]) for game in games if game["winner"]] == [
            (won[game.winner], game.points) for game in played if game.winner
        ]


def test_gnubgs_own_sgf_of_our_mat_is_the_same_match(
    records: list[Record], gnubg: tuple[Path, list[list[dict[str, Any]]]]
) -> None:
    for index, record in enumerate(records):
        our_parsed = mat.read(mat.write(record)).record
        its = read_file((gnubg[0] / f"{index}.sgf").read_bytes())
        assert our_parsed is not None
        assert its.faults == ()
        assert its.record is not None
        if record.by == "score":
            for its_game, our_game in zip(its.record.games, our_parsed.games, strict=True):
                # Where the play of a roll was forced, gnubg makes it before it takes the resignation.
                played = our_game.actions[:-2] if our_game.resigned else our_game.actions
                assert its_game.actions[: len(played)] == played
                assert (its_game.score, its_game.winner, its_game.points, its_game.kind) == (
                    (our_game.score, our_game.winner, our_game.points, our_game.kind)
                )
        reread = sgf.read(sgf.write(our_parsed).encode()).record
        assert reread is not None
        assert (reread.games, reread.by, reread.winner) == (our_parsed.games, our_parsed.by, our_parsed.winner)


def test_all_kinds_of_matches_are_covered(records: list[Record]) -> None:
    endings = {(game.kind, game.resigned) for record in records for game in record.games}
    assert {("drop", False), ("single", True), ("gammon", False)} <= endings
    assert any("take" in text for record in records for game in record.games for _, text in game.actions)
