"""Results out of a spreadsheet, line by line."""

from __future__ import annotations

from datetime import date

import pytest

from tournaments.sheets import MOST_BYTES, Fault, Line, Unreadable, read

HEAD = "date,player,rival,length,score\n"


def one(text: str) -> Line | Fault:
    (found,) = read((HEAD + text).encode())
    return found


def test_a_line_says_who_beat_whom() -> None:
    assert one("2026-11-19, ana ,bea,5,5-3") == Line(2, date(2026, 11, 19), "ana", "bea", 5, (5, 3), "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_any_encoding_and_separator(encoding: str, separator: str) -> None:
    rows = [
        ["Resultado", "Fecha", "Jugador", "Rival", "Puntos", "Evento"],
        ["3:5", "19/11/2026", "Iñigo", "bea", "5", "Día"],
    ]
    text = "\r\n".join(separator.join(row) for row in rows)
    assert read(text.encode(encoding)) == [Line(2, date(2026, 11, 19), "Iñigo", "bea", 5, (3, 5), "Día")]


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
def test_a_line_that_cannot_be_says_why(text: str, code: str) -> None:
    found = one(text)
    assert isinstance(found, Fault)
    assert (found.number, found.code) == (2, code)


def test_the_winner_must_be_who_has_more_points() -> None:
    head = "date,player,rival,length,score,winner\n"
    rows = read(f"{head}2026-11-19,ana,bea,5,5-3,Ana\n2026-11-19,ana,bea,5,5-3,bea\n".encode())
    assert [type(row) for row in rows] == [Line, Fault]
    assert rows[1].code == "line_winner"  # type: ignore[union-attr]


def test_the_same_result_has_the_same_hash_however_it_is_written() -> None:
    first, second = one("2026-11-19,Ana,bea,5,5-3"), one("19/11/2026,ana,BEA,5,5 – 3")
    assert isinstance(first, Line)
    assert isinstance(second, Line)
    assert first.digest == second.digest
    assert first.digest != one("2026-11-20,ana,bea,5,5-3").digest  # type: ignore[union-attr]


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
def test_a_file_that_is_none_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(Unreadable) as found:
        read(data)
    assert found.value.code == code


def test_empty_lines_are_passed_over_and_the_numbers_stay_those_of_the_file() -> None:
    rows = read(f"{HEAD}\n,,,,\n2026-11-19,ana,bea,5,5-3\n".encode())
    assert [row.number for row in rows] == [4]
