"""The picture of a position that the server draws for pages without scripts."""

from __future__ import annotations

import re

import pytest

from games.diagrams.picture import picture
from games.diagrams.points import POINTS

PLACE = re.compile(r'hb-(w|k)"><circle cx="([\d.]+)" cy="([\d.]+)"')


def drawn(name: str) -> str:
    return str(picture(POINTS[name].json()["position"]))


def test_the_starting_position_has_fifteen_checkers_of_each_side_where_they_belong() -> None:
    places = PLACE.findall(drawn("start"))
    assert len(places) == 30
    white = sorted({(float(x), float(y) > 230) for side, x, y in places if side == "w"})
    # The 13-point is top left, the 8-point bottom left, the 6-point bottom right, the 24-point top right.
    assert white == [(46.5, False), (226.5, True), (364.5, True), (589.5, False)]
    black = {(x, y != "230") for side, x, y in places if side == "k"}
    assert {float(x) for x, _ in black} == {46.5, 226.5, 364.5, 589.5}


@pytest.mark.parametrize(("dice", "pips"), [((), 0), ((6, 1), 7), ((3, 3), 6)])
def test_the_dice_have_their_pips(dice: tuple[int, ...], pips: int) -> None:
    assert str(picture(POINTS["start"].json()["position"], dice)).count("hb-pip") == pips


def test_a_high_pile_is_counted() -> None:
    position = POINTS["start"].json()["position"]
    position["board"]["white"]["points"][5] = 7
    svg = str(picture(position))
    assert svg.count('class="hb-piece hb-w"') == 15
    assert ">7</text>" in svg
