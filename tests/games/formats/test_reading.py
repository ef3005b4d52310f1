"""Any bytes give a match or a coded refusal, quickly. (The fuzzer watches the memory too.)"""

from __future__ import annotations

import random
import re
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.formats import FormatError, detect_format, mat, read, write
from games.formats.decoding import MOST_BYTES, MOST_TEXT
from tests.games.formats.matches import SAMPLES, mat_text
from tools.fuzz.formats import mutated, tried
from tools.fuzz.huge_files import HUGE

LINE = "  1) 31: 8/5 6/5                    42: 8/4 6/4\n"


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (mat_text(LINE).encode(), "", "mat"),
        (mat_text(LINE).encode("utf-16"), "", "mat"),
        (b'; [Site "x"]\n\n 5 point match', "", "mat"),
        (b"  (;GM[6])", "x.txt", "sgf"),
        (b'[White "ana"]\n1. 11-16 *', "", "pdn"),
        (b"1. 11-16 *", "x.PDN", "pdn"),
        (b' {"format": 1}', "", "json"),
        (b"whatever", "x.mat", "mat"),
    ],
)
def test_the_format_is_detected_by_content_else_by_file_name(data: bytes, name: str, kind: str) -> None:
    assert detect_format(data, name) == kind


def test_a_file_that_is_too_large_or_no_match_is_refused() -> None:
    for data, code in (
        (b"(" * (MOST_BYTES + 1), "too_large"),
        (mat_text(LINE).encode() + b" " * MOST_TEXT, "too_large"),
        (b" \r\n", "empty"),
        (b"\x89PNG\r\n", "unknown_format"),
    ):
        with pytest.raises(FormatError) as refused:
            read(data)
        assert refused.value.code == code


ROLLED = (
    "  1)                                   13: 8/5 6/5",
    "  2) 46: 24/18 13/9                    64: 8/2 6/2",
    "  3) 12: 13/11 6/5",
)
"""A game of rolls with the higher die first and last; the opening roll too."""


@pytest.mark.parametrize("kind", ["mat", "sgf", "json"])
def test_the_order_of_the_dice_survives_a_round_trip(kind: str) -> None:
    lines = (*ROLLED, "      Wins 1 point", "", " Game 2", " ana : 0                         bea : 1", LINE)
    text = mat_text(*lines)
    record = read(text.encode()).record
    assert record is not None
    assert rolls(mat.write(record)) == rolls(text) == ["13", "46", "64", "12", "31", "42"]
    reread = read(write(record, kind).encode()).record
    assert reread is not None
    assert reread.games == record.games
    assert rolls(mat.write(reread)) == rolls(text)


def rolls(text: str) -> list[str]:
    """The dice of a .mat text, in order."""
    return re.findall(r"\b([1-6]{2}):", text)


@pytest.mark.parametrize("name", HUGE)
def test_huge_inputs_are_answered_quickly(name: str) -> None:
    began = time.process_time()
    with suppress(FormatError):
        read(HUGE[name], "x.mat")
    assert time.process_time() - began < 4  # a second on a machine that does nothing else


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["", "x.mat", "x.sgf", "x.pdn", "x.json"]))
def test_any_bytes_are_a_match_or_a_coded_refusal(data: bytes, name: str) -> None:
    try:
        read(data, name)
    except FormatError as refused:
        text = refused.text
    else:
        text = "a match"
    assert text


def test_damaged_samples_are_a_match_or_faults_or_a_coded_refusal() -> None:
    dice = random.Random(20261121)
    samples = [path.read_bytes() for path in (SAMPLES / "m10.mat", SAMPLES / "m11.mat")]
    assert "faults" in {tried(mutated(dice, samples), "x.mat")[0] for _ in range(20)}
