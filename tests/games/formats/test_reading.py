"""Any bytes: a match, or a coded refusal, soon and in little memory."""

from __future__ import annotations

import random
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.formats import FormatError, read, sniff
from games.formats.text import MOST_BYTES
from tests.fuzz.formats import mutated
from tests.games.formats.matches import SAMPLES, told

LINE = "  1) 31: 8/5 6/5                    42: 8/4 6/4\n"


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (told(LINE).encode(), "", "mat"),
        (told(LINE).encode("utf-16"), "", "mat"),
        (b'; [Site "x"]\n\n 5 point match', "", "mat"),
        (b"  (;GM[6])", "x.txt", "sgf"),
        (b'[White "ana"]\n1. 11-16 *', "", "pdn"),
        (b"1. 11-16 *", "x.PDN", "pdn"),
        (b' {"format": 1}', "", "json"),
        (b"whatever", "x.mat", "mat"),
    ],
)
def test_the_format_is_told_by_the_beginning_and_else_by_the_name(data: bytes, name: str, kind: str) -> None:
    assert sniff(data, name) == kind


def test_a_file_that_is_too_large_or_no_match_is_refused() -> None:
    for data, code in ((b"x" * (MOST_BYTES + 1), "too_large"), (b" \r\n", "empty"), (b"\x89PNG\r\n", "unknown_format")):
        with pytest.raises(FormatError) as refused:
            read(data)
        assert refused.value.code == code


HUGE = {
    "a million moves on a line": told("  1) " + "31: 8/5 6/5 " * 80_000),
    "one long play": told("  1) 31: " + "8/5 " * 250_000),
    "one long word": told("  1) 31: " + "8" * 1_000_000),
    "many games": told() + " Game 2\n" * 100_000,
    "many short lines": told("  1) 31: 8/5 6/5\n" * 60_000),
    "many headings": '; [Site "x"]\n' * 80_000 + told(),
    "colons": told(" :" * 500_000),
    "long names": told().replace("ana", "a" * 500_000).replace("bea", "b :" * 100_000),
    "huge numbers": told("  9999999999) 31: 8/5 6/5  Wins " + "9" * 100_000 + " points"),
    "open brackets": "(;" * 500_000,
    "deep trees": "(;GM[6]" * 100_000 + ")" * 100_000,
    "backslashes": "(;GM[6]C[" + "\\" * 1_000_000,
    "one endless value": "(;GM[6]C[" + "x" * 1_000_000,
    "values": "(;GM[6]" + "AW[a]" * 200_000 + ")",
    "letters": "(;GM[6]W[" + "a" * 1_000_000 + "])",
    "names without values": "(;" + "A" * 1_000_000,
    "deep JSON": '{"a":' * 200_000,
    "a long JSON list": '{"format": "tablero-match/1", "games": [' + "0," * 500_000 + "0]}",
    "a long number": '{"format": ' + "1" * 1_000_000 + "}",
    "PDN braces": '[White "a"]\n' + "{" * 1_000_000,
    "PDN brackets": '[White "a"]\n' + "(" * 1_000_000,
    "PDN moves": '[White "a"]\n' + "1. 11-16 " * 100_000,
    "PDN quotes": '[White "' + "\\" * 1_000_000,
    "spaces": " " * 500_000 + "5 point match\n Game 1\n" + " " * 400_000,
    "zeros": "\0" * 1_000_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_inputs_are_answered_soon_and_in_little_memory(name: str) -> None:
    data = HUGE[name].encode()[:MOST_BYTES]
    tracemalloc.start()
    began = time.process_time()
    try:
        read(data, "x.mat")
    except FormatError:
        pass
    spent, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert spent < 8  # a second without tracemalloc, which is several times slower, and a busy machine
    assert peak < 100 * 1024 * 1024


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["", "x.mat", "x.sgf", "x.pdn", "x.json"]))
def test_any_bytes_are_a_match_or_a_coded_refusal(data: bytes, name: str) -> None:
    try:
        read(data, name)
    except FormatError as refused:
        assert refused.text


def test_damaged_samples_are_a_match_or_faults_or_a_coded_refusal() -> None:
    dice = random.Random(20261121)
    samples = [path.read_bytes() for path in (SAMPLES / "m10.mat", SAMPLES / "m11.mat", SAMPLES / "m18.sgf")]
    for _ in range(30):
        try:
            reading = read(mutated(dice, samples))
        except FormatError as refused:
            assert refused.text
        else:
            assert (reading.record is None) == bool(reading.faults)
