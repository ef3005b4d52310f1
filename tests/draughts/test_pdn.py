"""Games as PDN: what is written is read again, and other people's files are read too."""

from __future__ import annotations

from random import Random

import pytest

from draughts import pdn

from .positions import game

HEADERS = {"Event": 'Liga "A" \\ sur', "Date": "2026.11.21", "White": "ana", "Black": "bea"}
INFRACTION = ("11-16", "36-31", "16-21", "compel", "16x27", "31x22", "huff 9", "10-14")


def test_a_game_is_written_with_its_colours_and_first_player():
    text = pdn.write({"Event": "Liga", "White": "ana", "Black": "bea"}, ["11-16", "40-35", "12-17"], "0-1")
    assert text == (
        '[Event "Liga"]\n[White "ana"]\n[Black "bea"]\n[Result "0-1"]\n[GameType "50,B,10,10,N2,0"]\n[SetUp "1"]\n'
        '[FEN "B:W36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"]\n'
        "\n1. 11-16 40-35 2. 12-17 0-1\n"
    )


def test_huffs_and_moves_taken_back_are_comments():
    text = pdn.write({}, INFRACTION)
    assert "1. 11-16 36-31 {16-21 compel} 2. 16x27 31x22 {huff 9} 3. 10-14 *" in text


def test_a_written_game_is_read_back():
    (parsed,) = pdn.read(pdn.write(HEADERS, INFRACTION, "1-0"))
    assert {name: parsed.headers[name] for name in HEADERS} == HEADERS
    assert (parsed.fen, parsed.moves, parsed.result) == (pdn.START, INFRACTION, "1-0")


def test_random_games_are_read_back_and_replayed():
    for seed in range(5):
        chance, position, moves = Random(seed), game("dice 12"), []
        while position.outcome is None and len(moves) < 150:
            moves.append(chance.choice(position.actions()))
            position = position.after(moves[-1])
        (parsed,) = pdn.read(pdn.write(HEADERS, moves))
        assert parsed.moves == tuple(moves)
        assert game("dice 12", *parsed.moves) == position


def test_comments_marks_and_variations_of_other_programs_are_skipped():
    (read,) = pdn.read(
        '[Event "x"]\n% a line for programs\n'
        "1. 32-28! {well (played} $1 19:23?? 2. 28X19 (2. 29-24 {or} (2. 1-0 17-21)) 14x23 ; 9. 1-7\n3... 33-29 1-0"
    )
    assert (read.moves, read.result, read.fen) == (("32-28", "19x23", "28x19", "14x23", "33-29"), "1-0", None)


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "*"])
def test_each_result_is_read(result):
    assert pdn.read(f"1. 11-16 {result}")[0].result == result


def test_a_file_holds_many_games_and_the_last_may_lack_its_result():
    text = pdn.write({"Round": "1"}, ["11-16"], "1-0") + '[Round "2"]\n1. 12-17\n[Round "3"]\n[Result "0-1"]\n1. 13-19'
    games = pdn.read(text)
    assert [each.headers["Round"] for each in games] == ["1", "2", "3"]
    assert [each.moves for each in games] == [("11-16",), ("12-17",), ("13-19",)]
    assert [each.result for each in games] == ["1-0", "*", "0-1"]


def test_empty_input_has_no_game():
    assert pdn.read(" \n") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1. 11-16 {", "line 1: '{' cannot be read"),
        ("1. 11-16\n(2. 12-17", "line 2: a variation does not end"),
        ("1. 11-16\n\n)\n*", "line 3: a variation ends that did not begin"),
        ("\n1. e4 e5\n*", "line 2: 'e4 e5\\n*' cannot be read"),
        ('[Event "x]', "line 1: '[Event \"x]' cannot be read"),
    ],
)
def test_invalid_pdn_is_refused_with_its_line(text, problem):
    with pytest.raises(pdn.PdnError) as refused:
        pdn.read(text)
    assert str(refused.value) == problem
    assert refused.value.line == int(problem[5])


@pytest.mark.parametrize(
    ("headers", "moves", "result"),
    [({}, ["roll"], "*"), ({}, ["compel x"], "*"), ({"a b": ""}, [], "*"), ({}, [], "3-0")],
)
def test_unsupported_records_are_not_written_as_pdn(headers, moves, result):
    with pytest.raises(ValueError):
        pdn.write(headers, moves, result)


def test_lines_are_filled_up_to_80_characters():
    written = pdn.write({}, ["1-6", "40-35"] * 30).split("\n\n")[1]
    assert [len(line) for line in written.splitlines()] == [80, 77, 77, 79, 79, 15]
    assert written.endswith(" 40-35 *\n")


def test_what_follows_a_variation_counts_and_so_does_a_compel_by_itself():
    (parsed,) = pdn.read("1. 11-16 (1. 12-17 (40-35)) 36-31 {compel} {  huff   9 } {huff} *")
    assert parsed.moves == ("11-16", "36-31", "compel", "huff 9")
    assert pdn.read("(1. 11-16)") == []


def test_the_line_of_a_fault_is_counted_from_the_top():
    for text, line in (("(", 1), ("\n1. 11-16\n!?)\n", 3), ("1. 11-16\n\n2. 12-17 €", 3)):
        with pytest.raises(pdn.PdnError) as refused:
            pdn.read(text)
        assert refused.value.line == line
