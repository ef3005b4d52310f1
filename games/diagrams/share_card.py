"""The picture of a finished match for links that are shared: the final position, the players and the score, as PNG.

1200 × 630 pixels, which is what Open Graph cards have. It is drawn twice as large and made smaller, for smooth edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from games.engine import SIDES, Side

WIDTH, HEIGHT = 1200, 630
SCALE = 2
MARGIN = 30
BOARD = HEIGHT - 2 * MARGIN
"""The height of a board; one of points is wider, one of squares as wide."""
MOST = 5
"""How many checkers of a point are drawn; a number says how many more there are."""
PAPER, INK, INK_2 = "#f5efe4", "#281c14", "#54443a"
WOOD, FELT, POINTS = "#412816", "#5f8b74", ("#7a2e1e", "#ecdcb8")
LIGHT_SQUARE, DARK_SQUARE = "#ecdcb8", "#7a5638"
CHECKERS: Mapping[Side, tuple[str, str, str]] = {
    "white": ("#fbf3e2", "#6a4d31", "#281c14"),
    "black": ("#2b211c", "#d9c49c", "#fff7ee"),
}
"""The fill, the rim and the ink of each side's checkers."""


@dataclass(frozen=True, slots=True)
class ShareCard:
    """What the picture says: the final position as pages show it, the players, their points, and some lines."""

    position: Mapping[str, Any]
    names: Mapping[Side, str]
    points: Mapping[Side, str]
    about: Sequence[str]
    site: str


class _Drawing:
    """A picture in the coordinates of the card, with one font."""

    def __init__(self, font: Path) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), PAPER)
        self.draw = ImageDraw.Draw(self.image)
        self.font = font

    def box(self, x: float, y: float, width: float, height: float, fill: str, radius: float = 0) -> None:
        corners = [x * SCALE, y * SCALE, (x + width) * SCALE, (y + height) * SCALE]
        self.draw.rounded_rectangle(corners, radius * SCALE, fill=fill)

    def triangle(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        corners = [(x, y), (x + width, y), (x + width / 2, y + height)]
        self.draw.polygon([(a * SCALE, b * SCALE) for a, b in corners], fill=fill)

    def checker(self, x: float, y: float, radius: float, side: Side, *, king: bool = False, text: str = "") -> None:
        fill, rim, ink = CHECKERS[side]
        self._circle(x, y, radius, fill, rim, 2.5)
        self._circle(x, y, radius * 0.58, fill, rim, 1.5 if not king else radius * 0.2)
        if text:
            self.text(x, y, text, radius * 1.1, ink, anchor="mm")

    def _circle(self, x: float, y: float, radius: float, fill: str, rim: str, width: float) -> None:
        corners = [(x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE]
        self.draw.ellipse(corners, fill=fill, outline=rim, width=round(width * SCALE))

    def text(
        self, x: float, y: float, text: str, size: float, fill: str, *, anchor: str = "ls", most: float = 0
    ) -> None:
        """Write a line; one that is wider than `most` is written smaller, down to half, and then cut."""
        font = ImageFont.truetype(self.font, round(size * SCALE))
        if most and (width := font.getlength(text)) > most * SCALE:
            font = ImageFont.truetype(self.font, max(int(size * SCALE * most * SCALE / width), int(size * SCALE / 2)))
            while len(text) > 1 and font.getlength(text) > most * SCALE:
                text = text[:-2].rstrip() + "…"
        self.draw.text((x * SCALE, y * SCALE), text, fill=fill, font=font, anchor=anchor)

    def png(self) -> bytes:
        file = BytesIO()
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        small.quantize(128).save(file, "PNG", optimize=True)
        return file.getvalue()


def share_card(card: ShareCard, font: Path) -> bytes:
    """The picture as PNG; `font` is a file that FreeType reads."""
    drawing = _Drawing(font)
    squares = card.position["family"] == "squares"
    right = _squares(drawing, card.position["board"]) if squares else _points(drawing, card.position["board"])
    left = right + 40
    room = WIDTH - MARGIN - left
    for place, side in enumerate(SIDES):
        y = 170 + 150 * place
        drawing.checker(left + 18, y - 16, 18, side)
        drawing.text(left + 52, y, card.names[side], 46, INK, most=room - 52)
        drawing.text(left + 52, y + 62, card.points[side], 54, INK)
    for place, line in enumerate(card.about):
        drawing.text(left, 470 + 38 * place, line, 30, INK_2, most=room)
    drawing.text(left, HEIGHT - MARGIN - 8, card.site, 34, INK, most=room)
    return drawing.png()


def _points(drawing: _Drawing, board: Mapping[str, Any]) -> float:
    """Draw a board of 24 points, White at the bottom, and return where it ends."""
    width, point = 720.0, 47.0
    radius, bar = point * 0.46, 56.0
    frame, top, bottom = MARGIN + 26, MARGIN + 26, HEIGHT - MARGIN - 26
    halves = (frame, frame + 6 * point + bar)
    drawing.box(MARGIN, MARGIN, width, BOARD, WOOD, 18)
    for left in halves:
        drawing.box(left, top, 6 * point, bottom - top, FELT, 4)
    tray = halves[1] + 6 * point + 8
    drawing.box(tray, top, MARGIN + width - 12 - tray, bottom - top, "#2a1a0f", 4)

    def column(number: int) -> tuple[float, bool]:
        at = (number - 1) % 12
        from_right = at if number <= 12 else 11 - at
        half, place = divmod(from_right, 6)
        return halves[0 if half else 1] + point * (5 - place), number > 12

    for number in range(1, 25):
        x, upper = column(number)
        height = 0.4 * (bottom - top)
        drawing.triangle(x, top if upper else bottom, point, height if upper else -height, POINTS[number % 2])

    def pile(side: Side, x: float, y: float, step: float, count: int) -> None:
        for n in range(min(count, MOST)):
            last = n == MOST - 1 and count > MOST
            drawing.checker(x, y + n * step, radius, side, text=str(count) if last else "")

    for side in SIDES:
        own = board[side]
        for number, count in enumerate(own["points"], 1):
            x, upper = column(number if side == "white" else 25 - number)
            start = top + radius + 2 if upper else bottom - radius - 2
            pile(side, x + point / 2, start, 2 * radius if upper else -2 * radius, count)
        down = side == "white"
        middle, height = (top + bottom) / 2, 2 * radius
        pile(
            side,
            halves[0] + 6 * point + bar / 2,
            middle - 60 if down else middle + 60,
            -height if down else height,
            own["bar"],
        )
        home = (tray + MARGIN + width - 12) / 2
        thickness = (bottom - top) / 2 / 16
        for n in range(own["off"]):
            y = bottom - 4 - (n + 1) * thickness if down else top + 4 + n * thickness
            drawing.box(home - 24, y, 48, thickness - 3, CHECKERS[side][0], 3)
    return MARGIN + width


def _squares(drawing: _Drawing, board: Mapping[str, Any]) -> float:
    """Draw a board of 100 squares, White at the bottom, and return where it ends."""
    frame = 16.0
    square = (BOARD - 2 * frame) / 10
    drawing.box(MARGIN, MARGIN, BOARD, BOARD, WOOD, 12)
    for row in range(10):
        for place in range(10):
            fill = DARK_SQUARE if (row + place) % 2 else LIGHT_SQUARE
            drawing.box(MARGIN + frame + place * square, MARGIN + frame + row * square, square, square, fill)
    for side in SIDES:
        for kind in ("men", "kings"):
            for number in board[side][kind]:
                row, place = divmod(number - 1, 5)
                column = 2 * place + (1 - row % 2)
                x, y = MARGIN + frame + (column + 0.5) * square, MARGIN + frame + (row + 0.5) * square
                drawing.checker(x, y, square * 0.4, side, king=kind == "kings")
    return MARGIN + BOARD
