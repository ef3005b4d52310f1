"""SGF: the standard and GNU Backgammon's dialect in, the standard out."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress

import pytest

from games.formats import FormatError, Reading, available_formats, mat, sgf
from games.formats import read as read_file
from games.formats.decoding import MOST_BYTES
from games.formats.record import verify
from tests.games.formats.matches import SAMPLES, analysed_sgf, codes, mat_text, play_match, plays
from tools.fuzz.huge_files import HUGE

HEAD = "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:1][ws:0][bs:0]PW[ana]PB[bea]RU[Crawford]"


def read(text: str) -> Reading:
    return sgf.read(text.encode())


@pytest.mark.parametrize("name", ["m11", "m18"])
def test_gnubgs_own_file_holds_the_same_match_as_its_mat(name: str) -> None:
    reading = read_file((SAMPLES / f"{name}.sgf").read_bytes())
    assert (reading.format, reading.faults, reading.warnings) == ("sgf", (), ())
    assert reading.record is not None
    expected = mat.read((SAMPLES / f"{name}.mat").read_text()).record
    assert expected is not None
    assert reading.record.games == expected.games
    assert (reading.record.players, reading.record.headers) == (expected.players, expected.headers)


def test_an_analysis_of_8_megabytes_is_skipped_in_bounded_memory() -> None:
    data = analysed_sgf(MOST_BYTES)
    assert MOST_BYTES * 0.95 < len(data) < MOST_BYTES
    tracemalloc.start()
    reading = read_file(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reading == read_file((SAMPLES / "m11.sgf").read_bytes())
    assert peak < 2 * MOST_BYTES


@pytest.mark.parametrize("name", ["four bytes and line ends", "short values"])
def test_a_hostile_file_of_8_megabytes_takes_bounded_memory(name: str) -> None:
    tracemalloc.start()
    with suppress(FormatError):
        read_file(HUGE[name], "x.sgf")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * MOST_BYTES


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("()" * 100_000, "too_long"),
        ("(;GM[6]" + "A[]" * 200_000 + ")", "too_long"),
        ("(" + (";W" + "[ab]" * 100) * 2000 + ")", "too_long"),
        ("(;GM[6]A" + "[]" * 1_000_000 + "[)", "sgf"),
    ],
)
def test_a_file_with_too_many_parts_is_refused(text: str, code: str) -> None:
    with pytest.raises(FormatError) as refused:
        read(text)
    assert refused.value.code == code


@pytest.mark.parametrize(("cap", "length"), [(1024, 11), (4096, 7), (16, 11)])
def test_a_match_whose_cube_limit_is_never_met_is_written(cap: int, length: int) -> None:
    text = mat_text("  1) 31: 8/5 6/5", length=length, headings=(f'; [CubeLimit "{cap}"]',))
    record = mat.read(text).record
    assert record is not None
    assert record.options["cube_cap"] == cap
    assert "sgf" in available_formats(record)
    assert plays(read(sgf.write(record))) == ["white: 8/5 6/5"]


def test_a_match_whose_cube_limit_can_be_met_is_not_written() -> None:
    record = mat.read(mat_text("  1) 31: 8/5 6/5", length=11, headings=('; [CubeLimit "8"]',))).record
    assert record is not None
    assert available_formats(record) == ["mat", "json"]


def test_a_cube_above_64_stands_for_no_limit() -> None:
    record = play_match(1, 0, games=1, doubles=0.9, resigns=0, options={"cube_cap": 1024})
    assert sum(text == "take" for _, text in record.games[0].actions) == 9
    reread = read(sgf.write(record)).record
    assert reread is not None
    assert (reread.games[0].actions, reread.options["cube_cap"]) == (record.games[0].actions, 1024)


@pytest.mark.parametrize("seed", range(4))
def test_a_match_written_is_read_back(seed: int) -> None:
    record = play_match(seed, [1, 3, 5, 7][seed])
    text = sgf.write(record)
    reading = read(text)
    assert (reading.faults, reading.warnings) == ((), ())
    assert reading.record is not None
    verify(reading.record)
    assert sgf.write(reading.record) == text
    assert (reading.record.by, reading.record.winner, reading.record.score) == (record.by, record.winner, record.score)


def test_a_game_is_written_as_text() -> None:
    record = read(HEAD + "RE[W+2];W[31hefe];B[double];W[take];B[42qusu];W[double];B[drop])").record
    assert record is not None
    assert sgf.write(record).splitlines() == [
        "(;FF[4]GM[6]CA[UTF-8]AP[Tablero]",
        "MI[length:5][game:1][ws:0][bs:0]",
        "PW[ana]",
        "PB[bea]",
        "RU[Crawford]",
        "RE[W+2]",
        ";W[31hefe]",
        ";B[double]",
        ";W[take]",
        ";B[42qusu]",
        ";W[double]",
        ";B[drop])",
    ]


def test_variations_comments_and_escapes_are_skipped() -> None:
    head = HEAD.replace("PW[ana]", "PW[a\\]n\\\\a \\\nb]").replace("PB[bea]", "PB[b: e\\:a]")
    text = head + "C[(;W[12\\]) \\] ;];W[31hefe]C[good](;B[42qusu](;W[51mhxw])(;W[51mhmh]))(;B[42mqmo];W[66]))"
    reading = read(text)
    assert codes(reading) == ([], ["variations_ignored"])
    assert reading.record is not None
    assert reading.record.players == {"white": "a]n\\a b", "black": "b: e:a"}
    assert plays(reading) == ["white: 8/5 6/5", "black: 8/4 6/4", "white: 24/23 13/8"]


def test_the_charset_of_the_file_is_used() -> None:
    text = HEAD.replace("CA[UTF-8]", "CA[ISO-8859-1]").replace("bea", "Begoña") + ";W[31hefe])"
    reading = sgf.read(text.encode("latin-1"))
    assert reading.record is not None
    assert reading.record.players["black"] == "Begoña"


START = "AW[x][x][m][m][m][m][m][h][h][h][f][f][f][f][f]AB[a][a][l][l][l][l][l][q][q][q][s][s][s][s][s]"


def test_a_custom_starting_position_is_refused() -> None:
    assert plays(read(HEAD + ";AE[a:y]" + START + ";W[31hefe])")) == ["white: 8/5 6/5"]
    refused = read(HEAD + ";" + START.replace("AW[x][x]", "AW[x][w]") + ";W[31hefe])")
    assert [(error.game, error.code) for error in refused.faults] == [(1, "not_the_start")]


def test_an_unplayed_roll_and_a_resignation_are_read() -> None:
    reading = read(HEAD + "RE[W+2R];W[31hefe];B[42qusu];W[51mhxw];PL[B]DI[64])")
    assert plays(reading)[-2:] == ["black: resign 2", "white: accept"]
    assert reading.record is not None
    assert ("chance", "dice 64") in reading.record.games[0].actions


def test_several_games_count_from_0_as_gnubg_does_or_from_1() -> None:
    second = HEAD.replace("game:1", "game:2").replace("ws:0", "ws:1") + "RE[B+1];W[31hefe];B[double];W[drop])"
    first = HEAD + "RE[W+1];W[31hefe];B[42qusu];W[double];B[drop])"
    reading = read(first + "\n" + second)
    assert reading.record is not None
    assert [(game.number, game.score, game.winner) for game in reading.record.games] == [
        (1, (0, 0), "white"),
        (2, (1, 0), "black"),
    ]
    assert read((first + second).replace("game:1", "game:0").replace("game:2", "game:1")).record == reading.record


@pytest.mark.parametrize(("by", "result"), [("flag", "W+T"), ("resign", "W+F")])
def test_a_match_lost_on_time_or_resigned_is_read(by: str, result: str) -> None:
    reading = read(HEAD + f"RE[{result}];W[31hefe])")
    assert reading.record is not None
    assert (reading.record.by, reading.record.winner) == (by, "white")
    text = sgf.write(reading.record)
    assert f"RE[{result}]" in text
    assert "GC[ana wins " in text
    assert read(text).record == reading.record


@pytest.mark.parametrize("seed", range(3))
def test_a_session_with_beavers_is_read(seed: int) -> None:
    session = play_match(seed, 0, games=3, doubles=0.3, options={"beavers": True, "auto_doubles": True, "jacoby": True})
    reading = read(sgf.write(session))
    assert codes(reading) == ([], [])
    assert reading.record is not None
    assert reading.record.score == session.score


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(;GM[1]FF[4];B[aa])", "variation"),
        ("(;GM[6]PW[ana", "sgf"),
        ("(;GM[6]PW[ana]", "sgf"),
        ("no tree", "no_games"),
        ("(" * 100_000, "sgf"),
        ("(;" * 200_000, "too_long"),
        ("(;GM[6]" + ";" * 100_000 + ")", "too_long"),
    ],
)
def test_an_invalid_match_is_refused_by_code(text: str, code: str) -> None:
    with pytest.raises(FormatError) as refused:
        read(text)
    assert refused.value.code == code


def test_the_winner_of_the_board_is_the_winner_whatever_the_result_says() -> None:
    reading = read(HEAD + "RE[B+2];W[31hefe];B[double];W[take];B[42qusu];W[double];B[drop])")
    assert codes(reading) == ([], ["winner_differs"])
    assert reading.record is not None
    assert (reading.record.games[0].winner, reading.record.games[0].points) == ("white", 2)
