"""A picture of a backgammon position as SVG, drawn here for pages that have no script: White plays from the bottom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.engine import SIDES

WIDTH, HEIGHT, TOP, BOTTOM = 640, 460, 24, 436
POINT, STEP, RADIUS = 45, 40, 19.5
LEFT, RIGHT, BAR = 46.5, 364.5, 318
MOST = 5
"""How many checkers of a point are drawn; a number says how many more there are."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def picture(position: Mapping[str, Any], dice: Sequence[int] = ()) -> SafeString:
    """The SVG of a position's view (docs/protocol.md); its text alternative stands beside it."""
    parts = [*_ground(), *_checkers(position["board"]), *_dice(dice), *_cube(position["cube"])]
    return format_html(
        '<svg class="hero-svg" viewBox="0 0 {} {}" aria-hidden="true" focusable="false">{}</svg>',
        WIDTH,
        HEIGHT,
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def _column(point: int) -> tuple[float, bool]:
    """The middle of a point of White's numbering, and whether it is in the upper half."""
    at = (point - 1) % 12
    from_right = at if point <= 12 else 11 - at
    half, place = divmod(from_right, 6)
    return (LEFT if half else RIGHT) + POINT * (5 - place), point > 12


def _ground() -> Iterator[SafeString]:
    yield format_html('<rect class="hb-frame" width="{}" height="{}" rx="18"/>', WIDTH, HEIGHT)
    yield SafeString('<rect class="hb-edge" x="7" y="7" width="626" height="446" rx="13"/>')
    for left in (24, 342):
        yield format_html('<rect class="hb-felt" x="{}" y="24" width="270" height="412" rx="5"/>', left)
    for point in range(1, 25):
        x, upper = _column(point)
        yield format_html(
            '<path class="hb-{}" d="M{} {}h41l-20.5 {}z"/>',
            "ab"[point % 2],
            x - 20.5,
            TOP if upper else BOTTOM,
            168 if upper else -168,
        )


def _checkers(board: Mapping[str, Any]) -> Iterator[SafeString]:
    for side in SIDES:
        white = side == "white"
        for number, count in enumerate(board[side]["points"], 1):
            x, upper = _column(number if white else 25 - number)
            yield from _pile(side, x, TOP + 22 if upper else BOTTOM - 22, STEP if upper else -STEP, count)
        yield from _pile(side, BAR, 290 if white else 170, STEP if white else -STEP, board[side]["bar"])


def _pile(side: str, x: float, y: float, step: float, count: int) -> Iterator[SafeString]:
    for n in range(min(count, MOST)):
        yield format_html(
            '<g class="hb-piece hb-{0}"><circle cx="{1}" cy="{2}" r="19.5"/>'
            '<circle class="hb-groove" cx="{1}" cy="{2}" r="11"/></g>',
            "w" if side == "white" else "k",
            x,
            y + n * step,
        )
    if count > MOST:
        at = y + (MOST - 1) * step + 7
        yield format_html('<text class="hb-count hb-count-{}" x="{}" y="{}">{}</text>', side, x, at, count)


def _dice(dice: Sequence[int]) -> Iterator[SafeString]:
    for n, number in enumerate(dice[:2]):
        x = 452 + 65 * n
        pips = format_html_join(
            "", '<circle class="hb-pip" cx="{}" cy="{}" r="4.5"/>', ((12 * a, 12 * b) for a, b in PIPS[number])
        )
        die = '<rect class="hb-die" x="-22" y="-22" width="44" height="44" rx="9"/>'
        yield format_html('<g transform="translate({} 230)">{}{}</g>', x, SafeString(die), pips)


def _cube(cube: Mapping[str, Any] | None) -> Iterator[SafeString]:
    if cube is None:
        return
    y = {"white": 400, "black": 60}.get(cube["owner"] or "", 230)
    value = 64 if cube["value"] == 1 else cube["value"]
    yield format_html(
        '<g transform="translate(318 {})"><rect class="hb-cube" x="-18" y="-18" width="36" height="36" rx="6"/>'
        '<text class="hb-num" text-anchor="middle" y="6.5">{}</text></g>',
        y,
        value,
    )
