"""``python -m backgammon.rules plays``: a JSON line in, a JSON line out, and no line stops it."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from backgammon.rules.__main__ import LONGEST, answer, serve

SAMPLE = Path(__file__).parents[1] / "data" / "plays_sample.jsonl"
START = [0, 0, 0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0]
GOOD = {"variant": "backgammon", "board": START, "dice": [3, 1]}


def asked(lines: bytes) -> list[dict[str, Any]]:
    """The answers of the command to these bytes, one a line."""
    done = subprocess.run(
        [sys.executable, "-m", "backgammon.rules", "plays"], input=lines, capture_output=True, check=True, timeout=60
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_it_answers_the_whole_sample():
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    questions = [{name: line[name] for name in GOOD} for line in lines]
    answers = asked("".join(json.dumps(question) + "\n" for question in questions).encode())
    assert answers == [{"results": line["results"], "max_dice": line["max_dice"]} for line in lines]


BAD = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "no JSON": b"{",
    "no UTF-8": b'{"variant": "\xff"}',
    "UTF-16": json.dumps(GOOD).encode("utf-16"),
    "brackets without end": b"[" * 60_000,
    "a huge line": b" " * 2_000_000,
    "a huge number": b'{"variant":"backgammon","board":[' + b"9" * 6000 + b'],"dice":[1,2]}',
    **{
        f"{name} {json.dumps(value)[:40]}": json.dumps(GOOD | {name: value}).encode()
        for name, values in {
            "variant": ["chess", "Backgammon", "", None, 1, ["backgammon"], "\ud800"],
            "dice": [[0, 1], [7, 1], [3], [3, 1, 1], [3.0, 1], [True, 1], ["3", "1"], None, 31, "31", {"3": 1}, []],
            "board": [
                START[:-1],
                [*START, 0],
                [],
                None,
                "start",
                {"0": 1},
                [0] * 30,
                [*START[:26], 1, *START[27:]],
                [*START[:26], 3, *START[27:]],
                [1, *START[1:26], 1, *START[27:]],
                [*START[:29], 1],
                [0, -1, *START[2:26], 3, *START[27:]],
                [0, 0, 0, 10**30, *START[4:]],
                [0.0, *START[1:]],
                [False, *START[1:]],
                [None, *START[1:]],
                [[0], *START[1:]],
                ["0", *START[1:]],
            ],
        }.items()
        for value in values
    },
    **{f"no {name}": json.dumps({key: GOOD[key] for key in GOOD if key != name}).encode() for name in GOOD},
    "three checkers in backgammon": json.dumps(GOOD | {"variant": "hypergammon"}).encode(),
    "not a number": json.dumps(GOOD).replace("[3, 1]", "[NaN, 1]").encode(),
}


@pytest.mark.parametrize("line", list(BAD.values()), ids=list(BAD))
def test_an_invalid_line_gets_an_error(line):
    reply = answer(line)
    assert list(reply) == ["error"]
    assert isinstance(reply["error"], str)
    assert reply["error"]


def test_after_every_invalid_line_the_next_one_is_answered():
    good = json.dumps(GOOD).encode()
    bad = [line for line in BAD.values() if b"\n" not in line]
    answers = asked(b"\n".join(each for line in bad for each in (line, good)))
    assert len(answers) == 2 * len(bad)
    assert all("error" in reply for reply in answers[::2])
    assert all(len(reply["results"]) == 16 and reply["max_dice"] == 2 for reply in answers[1::2])


def test_a_line_that_is_too_long_is_skipped_to_its_end():
    sink = BytesIO()
    question = json.dumps(GOOD).encode() + b"\n"
    serve(BytesIO(b" " * (3 * LONGEST) + b"\n" + question), sink)
    error, reply = sink.getvalue().splitlines()
    assert error == b'{"error":"the line is too long"}'
    assert json.loads(reply)["max_dice"] == 2
    padded = BytesIO()
    serve(BytesIO(question.rstrip().rjust(LONGEST - 1) + b"\n" + question.rstrip().rjust(LONGEST) + b"\n"), padded)
    assert [list(json.loads(line)) for line in padded.getvalue().splitlines()] == [["results", "max_dice"], ["error"]]


def test_it_answers_each_line_at_once():
    with subprocess.Popen(
        [sys.executable, "-m", "backgammon.rules", "plays"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(GOOD).encode() + b"\r\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["max_dice"] == 2
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_a_1_2_of_acey_deucey_has_the_plays_of_its_two_numbers_only():
    board = [15] + [0] * 26 + [15, 0, 0]
    reply = answer(json.dumps({"variant": "acey-deucey", "board": board, "dice": [1, 2]}).encode())
    both, one_number = [13] + [0] * 24 + [1, 1, 15, 0, 0], [14] + [0] * 23 + [1, 0, 0, 15, 0, 0]
    assert json.loads(json.dumps(reply)) == {"results": [both, one_number], "max_dice": 2}


def test_when_nothing_can_be_played_the_board_itself_is_the_result():
    board = [0, 1, 14] + [0] * 18 + [-2] * 6 + [0, 0, 3]
    reply = answer(json.dumps({"variant": "backgammon", "board": board, "dice": [6, 5]}).encode())
    assert json.loads(json.dumps(reply)) == {"results": [board], "max_dice": 0}


def test_another_command_is_refused():
    done = subprocess.run([sys.executable, "-m", "backgammon.rules", "perft"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"usage" in done.stderr
