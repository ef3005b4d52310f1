"""``python -m draughts``: JSON lines in and out, and perft."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest

from draughts.__main__ import answer, main, serve

GOOD = {"fen": "B:W22,50:B11,17", "mode": "obligatoria"}
START = "B:W36-50:B1-15"


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command, run to its end."""
    return subprocess.run(
        [sys.executable, "-m", "draughts", *arguments], input=stdin, capture_output=True, check=False, timeout=60
    )


def answer_of(question: dict[str, Any]) -> dict[str, Any]:
    """The answer to one question."""
    return answer(json.dumps(question).encode())


def test_moves_are_listed_with_the_position_after_each():
    assert answer_of(GOOD) == {"moves": [{"from": 17, "to": 28, "taken": [22], "fen": "W:W50:B11,28"}]}


def test_in_the_mode_soplar_quiet_moves_stand_beside_captures():
    moves = answer_of(GOOD | {"mode": "soplar"})["moves"]
    assert [(move["from"], move["to"], move["taken"]) for move in moves] == [
        (11, 16, []),
        (17, 21, []),
        (17, 28, [22]),
    ]


def test_ley_de_cantidad_is_an_option():
    question = {"fen": "B:W21,22,33,50:B17", "mode": "obligatoria"}
    assert [move["to"] for move in answer_of(question)["moves"]] == [26, 39]
    assert [move["to"] for move in answer_of(question | {"ley_cantidad": True})["moves"]] == [39]


def test_captures_with_the_same_ends_are_distinguished_by_what_they_capture():
    moves = answer_of({"fen": "B:W12,13,22,23:B8", "mode": "obligatoria"})["moves"]
    assert [move["taken"] for move in moves] == [[12, 22], [13, 23]]


def test_crowned_men_and_empty_sides_are_written():
    assert answer_of({"fen": "W:W6:B7", "mode": "soplar"})["moves"] == [
        {"from": 6, "to": 1, "taken": [], "fen": "B:WK1:B7"},
    ]
    assert answer_of({"fen": "W:W12:B8", "mode": "obligatoria"})["moves"][0]["fen"] == "B:WK3:B"


BAD = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "no JSON": b"{",
    "no UTF-8": b'{"fen": "\xff"}',
    "brackets without end": b"[" * 60_000,
    "a huge line": b" " * 2_000_000,
    **{f"no {name}": json.dumps({key: GOOD[key] for key in GOOD if key != name}).encode() for name in GOOD},
    **{
        f"{name} {value!r}"[:40]: json.dumps(GOOD | {name: value}).encode()
        for name, values in {
            "fen": ["", "B", "B:W22:B22", "B:W51:B1", "B:W1:B2", 7, None, ["B:W22:B17"], "\ud800"],
            "mode": ["", "free", None, 1, ["soplar"]],
            "ley_cantidad": [1, "yes", None, []],
        }.items()
        for value in values
    },
}


@pytest.mark.parametrize("line", list(BAD.values()), ids=list(BAD))
def test_an_invalid_line_gets_an_error(line):
    if len(line) > 70_000:
        return
    reply = answer(line)
    assert list(reply) == ["error"]
    assert reply["error"]


def test_after_every_invalid_line_the_next_one_is_answered():
    good = json.dumps(GOOD).encode()
    done = run("moves", stdin=b"\n".join(each for line in BAD.values() for each in (line, good)))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr, len(answers)) == (0, b"", 2 * len(BAD))
    assert all("error" in reply for reply in answers[::2])
    assert all(len(reply["moves"]) == 1 for reply in answers[1::2])


def test_a_line_of_up_to_64_kilobytes_is_read():
    line = json.dumps(GOOD).encode()
    lines = [line.ljust(size) + b"\n" for size in (65_535, 65_536, 200_000)]
    replies = BytesIO()
    serve(BytesIO(b"".join(lines)), replies)
    assert [json.loads(reply).get("error") for reply in replies.getvalue().splitlines()] == [
        None,
        "the line is too long",
        "the line is too long",
    ]


def test_it_answers_each_line_at_once():
    with subprocess.Popen(
        [sys.executable, "-m", "draughts", "moves"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(GOOD).encode() + b"\r\n")
            process.stdin.flush()
            assert len(json.loads(process.stdout.readline())["moves"]) == 1
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["3"], "1 9\n2 81\n3 810\n"),
        (["3", "--mode", "soplar", "--fen", START], "1 9\n2 81\n3 810\n"),
        (["2", "--fen", "B:W22,50:B11,17"], "1 1\n2 2\n"),
        (["2", "--fen", "B:W22:B17"], "1 1\n2 0\n"),
    ],
)
def test_perft_counts_each_depth(arguments, lines, capsys):
    assert main(["perft", *arguments]) == 0
    assert capsys.readouterr().out == lines


@pytest.mark.parametrize(
    "arguments", [[], ["plays"], ["perft"], ["perft", "0"], ["perft", "x"], ["perft", "1", "--fen", "x"]]
)
def test_another_command_is_refused(arguments):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"usage" in done.stderr


def test_an_invalid_position_is_refused_with_its_fault(capsys):
    with pytest.raises(SystemExit):
        main(["perft", "1", "--fen", "x"])
    assert capsys.readouterr().err.endswith("error: fen is not side:W...:B...\n")
