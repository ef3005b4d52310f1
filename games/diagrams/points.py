"""Diagrams on the board with 24 points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

CHECKERS = 15
BAR, OFF, STOCK = "bar", "off", "stock"

START = "24:2 13:5 8:3 6:5"
BLACK_START = "1:2 12:5 17:3 19:5"
CLOSED = "19:2 20:2 21:2 22:2 23:2 24:2"


@dataclass(frozen=True, slots=True)
class PointsDiagram:
    """A position with White to act. Checkers are written ``24:2 bar:1``, both sides in White's numbering.

    `play` is a legal play of `dice`, one half-move for each arrow; `wrong` is one that `ruling` forbids. Checkers not
    listed are off, or in the stock where the variant has one. `cube` is its value and owner, None without
    a cube; `doubled` says that White has just offered it.
    """

    white: str
    black: str
    dice: tuple[int, int] | None = None
    play: str = ""
    wrong: str = ""
    ruling: str = ""
    variant: str = "backgammon"
    checkers: int = CHECKERS
    rest: str = OFF
    phase: str = ""
    doubled: bool = False
    cube: tuple[int, str | None] | None = (1, None)
    options: Mapping[str, Any] = field(default_factory=dict)

    family = "points"

    def places(self, side: str) -> dict[str, int]:
        """The number of checkers of a side on each place, by White's numbers, highest first."""
        text = self.white if side == "white" else self.black
        checkers = {place: int(count) for place, _, count in (part.partition(":") for part in text.split())}
        if left := self.checkers - sum(checkers.values()):
            checkers[self.rest] = checkers.get(self.rest, 0) + left
        return checkers

    def json(self) -> dict[str, Any]:
        """The data for the board: the position (docs/protocol.md) and the plays to mark."""
        phase = self.phase or ("doubled" if self.doubled else "move" if self.dice else "roll")
        turn = {"over": "over", "opening": "chance", "doubled": "black"}.get(phase, "white")
        position = {
            "family": self.family,
            "phase": phase,
            "turn": turn,
            "board": {side: self._half(side) for side in ("white", "black")},
            "pips": None,
            "dice": list(self.dice) if self.dice else None,
            "cube": self._cube(),
            "outcome": None,
            "tree": None,
        }
        stock = self.rest == STOCK or STOCK in self.white
        return {"position": position, "play": self.play, "wrong": self.wrong, "stock": stock}

    def words(self) -> str:
        """The position in a sentence or two, for screen readers."""
        sentences = [
            _("White: %(pieces)s.") % {"pieces": self._checkers_text("white")},
            _("Black, in White's numbering: %(pieces)s.") % {"pieces": self._checkers_text("black")},
        ]
        if self.dice:
            sentences.append(_("Dice: %(first)s and %(second)s.") % {"first": self.dice[0], "second": self.dice[1]})
        if self.play:
            sentences.append(_("White plays %(play)s.") % {"play": self.play})
        if self.wrong:
            sentences.append(_("Illegal: %(play)s.") % {"play": self.wrong})
        if self.doubled and self.cube:
            sentences.append(_("White offers the cube at %(value)s.") % {"value": 2 * self.cube[0]})
        return " ".join(sentences)

    def _checkers_text(self, side: str) -> str:
        known = {BAR: _("%(count)s on the bar"), OFF: _("%(count)s borne off"), STOCK: _("%(count)s not entered")}
        return ", ".join(
            known.get(place, _("%(count)s on %(point)s")) % {"count": count, "point": place}
            for place, count in self.places(side).items()
        )

    def _half(self, side: str) -> dict[str, Any]:
        """One side's checkers in its own numbering, as in a position's view."""
        checkers = self.places(side)
        points = [checkers.get(str(n if side == "white" else 25 - n), 0) for n in range(1, 25)]
        return {"points": points, **{place: checkers.get(place, 0) for place in (BAR, OFF, STOCK)}}

    def _cube(self) -> dict[str, Any] | None:
        if self.cube is None:
            return None
        value, owner = self.cube
        return {"value": value, "owner": owner, "offered": 2 * value if self.doubled else None, "dead": False}


POINTS: dict[str, PointsDiagram] = {
    "start": PointsDiagram(START, BLACK_START, cube=None),
    "opening": PointsDiagram(START, BLACK_START, dice=(5, 2), phase="opening", cube=None),
    "one-checker": PointsDiagram(
        START, BLACK_START, dice=(5, 3), play="24/21 21/16", wrong="24/19", ruling="B6", cube=None
    ),
    "double": PointsDiagram(START, BLACK_START, dice=(3, 3), play="8/5 8/5 6/3 6/3", cube=None),
    "larger": PointsDiagram(
        "20:1 4:3 3:3 2:4 1:4",
        "9:2 12:3 17:2 18:2 22:3 23:3",
        dice=(6, 5),
        play="20/14",
        wrong="20/15",
        ruling="B5",
        cube=None,
    ),
    "both": PointsDiagram(
        "24:1 18:1 4:3 3:3 2:4 1:3",
        "8:2 13:2 16:2 20:2 21:3 22:2 23:2",
        dice=(6, 4),
        play="18/14 24/18",
        wrong="18/12",
        ruling="B5",
        cube=None,
    ),
    "hit": PointsDiagram(START, "1:1 4:1 12:5 17:3 19:5", dice=(4, 2), play="8/4* 6/4", cube=None),
    "enter": PointsDiagram(
        "bar:1 24:1 13:5 8:3 6:5",
        "1:2 12:4 17:3 19:4 20:2",
        dice=(6, 3),
        play="bar/22 24/18",
        wrong="13/7",
        ruling="B7",
        cube=None,
    ),
    "closed-out": PointsDiagram("bar:1 13:2 8:2 6:4 5:3 4:3", f"17:1 18:2 {CLOSED}", cube=(2, "black")),
    "bear-off": PointsDiagram("6:2 5:3 4:2 3:2 2:1", "24:3 23:4 22:4", dice=(5, 3), play="5/off 3/off", cube=None),
    "higher-first": PointsDiagram(
        "6:1 5:2 2:2",
        "24:4 23:4 22:4",
        dice=(4, 1),
        play="6/2 5/4",
        wrong="2/off",
        ruling="B9",
        cube=None,
    ),
    "hit-at-home": PointsDiagram(
        "bar:1 3:2 2:3", "1:3 19:2 20:2 21:3 22:3 23:2", dice=(6, 1), play="bar/24 24/18", cube=None
    ),
    "backgammon": PointsDiagram("off:15", "1:1 12:3 13:2 19:5 20:2 21:2", phase="over", cube=(2, "white")),
    "nackgammon": PointsDiagram("24:2 23:2 13:4 8:3 6:4", "1:2 2:2 12:4 17:3 19:4", variant="nackgammon", cube=None),
    "hypergammon": PointsDiagram("24:1 23:1 22:1", "1:1 2:1 3:1", variant="hypergammon", checkers=3, cube=None),
    "longgammon": PointsDiagram("24:15", "1:15", variant="longgammon", cube=None),
    "double-offered": PointsDiagram(
        "24:1 18:1 13:4 8:3 6:4 5:2", "1:2 12:4 16:1 17:3 19:5", doubled=True, cube=(1, None)
    ),
    "breathing-space": PointsDiagram(
        "8:2 7:1 6:3 5:2 4:2 3:2 2:2 1:1",
        "bar:1 12:4 17:3 19:4 20:3",
        dice=(6, 5),
        play="8/2 8/3",
        wrong="8/3 7/1",
        ruling="H1",
        cube=None,
        options={"desahogo": True},
    ),
    "free-ace": PointsDiagram(
        "6:2 5:2 4:2 1:3",
        "24:4 23:4 22:3",
        dice=(6, 3),
        play="6/off 1/off",
        cube=None,
        options={"as_libre": True},
    ),
    "acey-start": PointsDiagram("", "", variant="acey-deucey", rest=STOCK, cube=None),
    "acey-enter": PointsDiagram(
        "24:1 19:2", "4:2 6:2", dice=(6, 3), play="stock/19 24/21", variant="acey-deucey", rest=STOCK, cube=None
    ),
    "acey-one-two": PointsDiagram(
        "22:2 20:1 19:2 18:2 7:1",
        "3:2 5:2 6:3 12:2",
        dice=(2, 1),
        play="stock/23 stock/24",
        variant="acey-deucey",
        rest=STOCK,
        cube=None,
    ),
    "acey-end": PointsDiagram(
        "off:15", "23:2 22:1 19:1 off:9", variant="acey-deucey", rest=STOCK, phase="over", cube=None
    ),
}
