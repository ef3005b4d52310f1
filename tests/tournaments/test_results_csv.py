"""Parsing results from a spreadsheet, line by line."""

from __future__ import annotations

from datetime import date

import pytest

from tournaments.results_csv import MOST_BYTES, LineError, ResultLine, UnreadableFile, parse

HEAD = "date,player,rival,length,score\n"


def line(text: str) -> ResultLine | LineError:
    (found,) = parse((HEAD + text).encode())
    return found


def test_a_line_has_players_and_score() -> None:
    assert line("2026-11-19, ana ,bea,5,5-3") == ResultLine(2, date(2026, 11, 19), "ana", "bea", 5, (5, 3), "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_any_encoding_and_separator(encoding: str, separator: str) -> None:
    rows = [
        ["Resultado", "Fecha", "Jugador", "Opponent", "Puntos", "Evento"],
        ["3:5", "19/11/2026", "Iñigo", "bea", "5", "Día"],
    ]
    text = "\r\n".join(separator.join(row) for row in rows)
    assert parse(text.encode(encoding)) == [ResultLine(2, date(2026, 11, 19), "Iñigo", "bea", 5, (3, 5), "Día")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2026-11-19,ana,bea,5", "line_short"),
        ("2026-11-19,,bea,5,5-3", "line_short"),
        ("2026-13-19,ana,bea,5,5-3", "line_date"),
        ("11-19-2026,ana,bea,5,5-3", "line_date"),
        ("0026-11-19,ana,bea,5,5-3", "line_date"),
        ("2026-11-19,ana,ANA,5,5-3", "line_same"),
        ("2026-11-19,an\u200ba,bea,5,5-3", "line_names"),
        ("2026-11-19,ana,bea,0,5-3", "line_length"),
        ("2026-11-19,ana,bea,100,5-3", "line_length"),
        ("2026-11-19,ana,bea,5,4-3", "line_score"),
        ("2026-11-19,ana,bea,5,5-5", "line_score"),
        ("2026-11-19,ana,bea,5,won", "line_score"),
        (f"2026-11-19,{'a' * 81},bea,5,5-3", "line_long"),
    ],
)
def test_an_invalid_line_has_a_code(text: str, code: str) -> None:
    found = line(text)
    assert isinstance(found, LineError)
    assert (found.number, found.code) == (2, code)


def test_the_winner_must_have_more_points() -> None:
    head = "date,player,rival,length,score,winner\n"
    rows = parse(f"{head}2026-11-19,ana,bea,5,5-3,Ana\n2026-11-19,ana,bea,5,5-3,bea\n".encode())
    assert isinstance(rows[0], ResultLine)
    assert isinstance(rows[1], LineError)
    assert len(rows) == 2
    assert rows[1].code == "line_winner"


def test_the_same_result_has_the_same_hash_however_it_is_written() -> None:
    first, second = line("2026-11-19,Ana,bea,5,5-3"), line("19/11/2026,ana,BEA,5,5 – 3")
    other = line("2026-11-20,ana,bea,5,5-3")
    assert isinstance(first, ResultLine)
    assert isinstance(second, ResultLine)
    assert first.digest == second.digest
    assert isinstance(other, ResultLine)
    assert first.digest != other.digest


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "sheet_empty"),
        (HEAD.encode(), "sheet_empty"),
        (b"date,player\n1,2\n", "sheet_columns"),
        (b"x" * (MOST_BYTES + 1), "sheet_large"),
        ((HEAD + "2026-11-19,ana,bea,5,5-3\n" * 5001).encode(), "sheet_long"),
    ],
)
def test_an_unreadable_file_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(UnreadableFile) as found:
        parse(data)
    assert found.value.code == code


def test_empty_lines_are_skipped_and_line_numbers_are_those_of_the_file() -> None:
    rows = parse(f"{HEAD}\n,,,,\n2026-11-19,ana,bea,5,5-3\n".encode())
    assert [row.number for row in rows] == [4]
