"""The colours of boards, checkers and dice: every choice is told apart by lightness alone, in both themes."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from accounts.models import User

CSS = Path(__file__).parents[2] / "static" / "css"
RULE = re.compile(r'data-(board|checkers|dice)="(\w+)"\][^{]*\{([^}]*)\}')
TOKEN = re.compile(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)")
SIDES = ("piece-white", "piece-black")
GROUNDS = ("felt", "point-a", "point-b")
APART = 3.0
"""WCAG 1.4.11, graphical objects: no colour vision needs more to tell two lightnesses apart."""


def tokens(text: str) -> dict[str, tuple[str, str]]:
    return {name: (light, dark) for name, light, dark in TOKEN.findall(text)}


DEFAULT = tokens((CSS / "tokens.css").read_text(encoding="utf-8"))
CHOSEN = {
    (kind, name): tokens(body)
    for kind, name, body in RULE.findall((CSS / "board-themes.css").read_text(encoding="utf-8"))
}


def colours(theme: int, **choice: str) -> dict[str, str]:
    """The tokens of a choice in a theme (0 light, 1 dark)."""
    found = dict(DEFAULT)
    for kind, name in choice.items():
        found |= CHOSEN.get((kind, name), {})
    return {name: pair[theme] for name, pair in found.items()}


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lower, higher = sorted((luminance(one), luminance(other)))
    return (higher + 0.05) / (lower + 0.05)


THEMES = pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])


def test_every_choice_but_the_defaults_has_its_colours() -> None:
    named = [*product(["board"], User.Board.values), *product(["checkers"], User.Checkers.values)]
    named += product(["dice"], User.Dice.values)
    assert set(named) - set(CHOSEN) == {("board", "walnut"), ("checkers", "ivory"), ("dice", "player")}


@THEMES
@pytest.mark.parametrize("checkers", User.Checkers.values)
def test_the_two_sides_differ_in_lightness(checkers: str, theme: int) -> None:
    found = colours(theme, checkers=checkers)
    white, black = (found[side] for side in SIDES)
    assert luminance(white) > luminance(black)
    assert contrast(white, black) >= APART


@THEMES
@pytest.mark.parametrize(("board", "checkers"), [*product(User.Board.values, User.Checkers.values)])
def test_every_checker_stands_out_from_the_board_by_its_face_or_its_rim(board: str, checkers: str, theme: int) -> None:
    found = colours(theme, board=board, checkers=checkers)
    for side, ground in product(SIDES, GROUNDS):
        best = max(contrast(found[part], found[ground]) for part in (side, f"{side}-rim"))
        assert best >= APART, (side, ground, best)


@THEMES
@pytest.mark.parametrize("dice", User.Dice.values)
def test_pips_and_the_number_of_the_cube_are_readable(dice: str, theme: int) -> None:
    found = colours(theme, dice=dice)
    assert contrast(found["die"], found["die-pip"]) >= 4.5
    assert contrast(found["cube"], found["cube-ink"]) >= 4.5


@THEMES
@pytest.mark.parametrize("board", User.Board.values)
def test_the_numbers_of_the_points_are_readable(board: str, theme: int) -> None:
    found = colours(theme, board=board)
    assert contrast(found["wood-1"], found["wood-ink"]) >= 4.5
