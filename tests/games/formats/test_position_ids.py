"""Positions from pasted ids."""

from __future__ import annotations

import pytest

from games.formats import FormatError
from games.formats.position_ids import read

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"


@pytest.mark.parametrize(
    "text",
    [XGID, XGID[5:], f"  {XGID}\n", f"What now? {XGID} (money)", f"<{XGID}>"],
)
def test_an_xgid_is_found_among_words(text: str) -> None:
    view = read(text).view(None)
    assert (view["turn"], view["dice"], view["pips"]) == ("white", [3, 1], {"white": 167, "black": 167})


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABMA:cAkAAAAAAAAA",
        " GNUBG ID 4HPwATDgc/ABMA:cAkAAAAAAAAA.",
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAA\n",
    ],
)
def test_a_gnubg_id_is_found_among_words(text: str) -> None:
    assert read(text).view(None)["pips"] == {"white": 167, "black": 167}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        XGID.replace("E", "P"),
        XGID[:40],
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA:////////////",
        "A" * 100_000,
        ":" * 5000,
    ],
)
def test_anything_else_is_refused_by_code(text: str) -> None:
    with pytest.raises(FormatError) as refused:
        read(text)
    assert refused.value.code == "position_id"
