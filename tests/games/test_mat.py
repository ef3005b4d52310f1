"""The .mat export: exact text, and GNU Backgammon reads whole matches back as they were played."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from games import replay
from games.engine import SIDES
from games.formats.mat import GameRecord, MatchRecord, export
from games.registry import RULES
from tests.services.environment import missing

GNUBG = shutil.which("gnubg") or "/usr/games/gnubg"
READER = """
import gnubg, json
for word in ("automatic game off", "automatic roll off", "automatic move off", "automatic bearoff off",
             "confirm new off", "display off"):
    gnubg.command("set " + word)
gnubg.command('import mat "{path}"')
match = gnubg.match(analysis=0, boards=0, statistics=0)
found = [[[action["action"], action["player"], action.get("dice")] for action in game["game"]] + [game["info"]]
         for game in match["games"]]
open("{out}", "w").write(json.dumps({{"games": found, "info": match["match-info"]}}, default=str))
"""


def record(*games: GameRecord, length: int = 5, **facts: object) -> MatchRecord:
    return MatchRecord("k3xPq9Zt", "ana", "bea", length, "Backgammon", list(games), **facts)  # type: ignore[arg-type]


def body(text: str) -> list[str]:
    return text[text.index(" Game 1") :].splitlines()


def test_the_heading_tells_the_match() -> None:
    text = export(record(GameRecord(1, 0, 0, []), rated=True, result="ana wins by flag"))
    assert text.splitlines()[:9] == [
        '; [Site "Tablero"]',
        '; [Match ID "k3xPq9Zt"]',
        '; [Player 1 "ana"]',
        '; [Player 2 "bea"]',
        '; [Variation "Backgammon"]',
        '; [Unrated "Off"]',
        '; [Crawford "On"]',
        '; [Result "ana wins by flag"]',
        "",
    ]
    assert text.splitlines()[9] == " 5 point match"


def test_the_higher_die_starts_and_his_rival_stands_on_the_right() -> None:
    actions = [
        ("white", "roll"),
        ("black", "roll"),
        ("chance", "dice 22"),
        ("white", "roll"),
        ("server", "hold black"),
        ("chance", "dice 13"),
        ("black", "8/5 6/5"),
        ("white", "roll"),
        ("chance", "dice 46"),
        ("white", "24/14"),
    ]
    assert body(export(record(GameRecord(1, 0, 0, actions)))) == [
        " Game 1",
        " ana : 0                         bea : 0",
        "  1)                                31: 8/5 6/5",
        "  2) 64: 24/14",
        "",
    ]


def test_hops_are_written_one_by_one_and_counted_ones_repeated() -> None:
    actions = [
        ("chance", "dice 64"),
        ("white", "24/18*/14"),
        ("black", "roll"),
        ("chance", "dice 33"),
        ("black", "bar/22 8/5(2)* 6/3"),
        ("white", "roll"),
        ("chance", "dice 66"),
        ("white", "6/off(4)"),
    ]
    lines = body(export(record(GameRecord(1, 0, 0, actions))))
    assert lines[2] == "  1) 64: 24/18* 18/14               33: bar/22 8/5* 8/5 6/3"
    assert lines[3] == "  2) 66: 6/off 6/off 6/off 6/off"


def test_the_cube_its_answers_and_the_winner_stand_in_their_columns() -> None:
    taken = [
        ("chance", "dice 31"),
        ("white", "8/5 6/5"),
        ("black", "double"),
        ("white", "take"),
        ("black", "roll"),
        ("chance", "dice 21"),
        ("black", "13/11 6/5"),
        ("white", "double"),
        ("black", "drop"),
    ]
    assert body(export(record(GameRecord(1, 3, 2, taken, "white", 2)))) == [
        " Game 1",
        " ana : 3                         bea : 2",
        "  1) 31: 8/5 6/5                     Doubles => 2",
        "  2)  Takes                         21: 13/11 6/5",
        "  3)  Doubles => 4                   Drops",
        "      Wins 2 points and the match",
        "",
    ]
    dropped = [("chance", "dice 31"), ("white", "8/5 6/5"), ("black", "double"), ("white", "drop")]
    assert body(export(record(GameRecord(1, 0, 0, dropped, "black", 1))))[3] == (
        "  2)  Drops                          Wins 1 point"
    )


def test_a_dance_is_an_empty_cell_after_the_dice_and_a_closed_out_turn_an_empty_cell() -> None:
    actions = [
        ("chance", "dice 31"),
        ("white", "8/5 6/5"),
        ("black", "roll"),
        ("chance", "dice 66"),
        ("server", "pass"),
        ("white", "roll"),
        ("chance", "dice 52"),
        ("white", "13/8 6/4"),
        ("server", "pass"),
        ("white", "roll"),
        ("chance", "dice 21"),
        ("white", "6/4 6/5"),
    ]
    lines = body(export(record(GameRecord(1, 0, 0, actions))))
    assert lines[2:5] == [
        "  1) 31: 8/5 6/5                    66:",
        "  2) 52: 13/8 6/4",
        "  3) 21: 6/4 6/5",
    ]


def play_match(seed: int, length: int) -> tuple[MatchRecord, list[list[tuple[str, str]]]]:
    """A whole match of random plays, and for each game the (side, action) list that a reader should find."""
    dice = random.Random(seed)
    state = replay.start(RULES["backgammon"], length, {"cube": True})
    games: list[GameRecord] = []
    actions: list[tuple[str, str]] = []
    while state.result is None:
        before = state
        if state.needs_dice:
            step = ("chance", f"dice {dice.randint(1, 6)}{dice.randint(1, 6)}")
        elif state.position.auto:
            step = ("server", state.position.auto)
        elif state.opening:
            step = (next(side for side in SIDES if side not in state.ready), "roll")
        else:
            choices = sorted(state.position.actions())
            text = "roll" if "roll" in choices and dice.random() < 0.93 else dice.choice(choices)
            text = "take" if "take" in choices and dice.random() < 0.7 else text
            step = (state.position.turn, text)
        state = state.after(*step)
        actions.append(step)
        if state.score != before.score:
            score, ended = before.score.view(), state.ended or {}
            game = GameRecord(before.game, score["white"], score["black"], actions, ended["winner"], ended["points"])
            games.append(game)
            actions = []
    return record(*games, length=length), [list(game.actions) for game in games]


def read_back(tmp_path: Path, text: str) -> dict[str, object]:
    if not os.access(GNUBG, os.X_OK):
        missing("GNU Backgammon", install="apt install gnubg")
    (tmp_path / "match.mat").write_text(text)
    script, out = tmp_path / "read.py", tmp_path / "out.json"
    script.write_text(READER.format(path=tmp_path / "match.mat", out=out))
    env = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-p", str(script)], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert "Unrecognized" not in done.stdout + done.stderr, done.stdout
    found: dict[str, object] = json.loads(out.read_text())
    return found


@pytest.mark.parametrize(("seed", "length"), [(1, 1), (2, 3), (3, 5), (4, 7), (5, 9), (6, 5)])
def test_gnubg_reads_a_whole_match_as_it_was_played(tmp_path: Path, seed: int, length: int) -> None:
    match, games = play_match(seed, length)
    found = read_back(tmp_path, export(match))
    assert len(found["games"]) == len(games)  # type: ignore[arg-type]
    for actions, game in zip(games, found["games"], strict=True):  # type: ignore[call-overload]
        *seen, info = game
        assert moves(seen) == played(actions)
        written = match.games[games.index(actions)]
        assert info["winner"] == {"white": "X", "black": "O"}[written.winner]
        assert info["points-won"] == written.points
        assert (info["score-X"], info["score-O"]) == (written.white, written.black)


def played(actions: list[tuple[str, str]]) -> list[str]:
    """What a reader should find: every roll that was played, in order, and the cube."""
    kinds = {"double": "double", "take": "take", "drop": "drop"}
    found, dice, opening = [], "", True
    for _actor, text in actions:
        if text.startswith("dice"):
            if not (opening and text[-1] == text[-2]):
                opening = False
                dice = "".join(sorted(text[-2:], reverse=True))
        elif text in kinds:
            found.append(kinds[text])
        elif "/" in text or (text == "pass" and dice):
            found.append(dice)
            dice = ""
    return found


def moves(seen: list[list[object]]) -> list[str]:
    return [
        "".join(sorted((str(d) for d in dice), reverse=True)) if action == "move" else str(action)  # type: ignore[attr-defined]
        for action, _player, dice in seen
        if action in ("move", "double", "take", "drop")
    ]
