"""Diagrams on the board of damas with 100 squares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

_SIDES = {"W": "white", "B": "black"}
_MEN = re.compile(r"(K?)(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True)
class SquaresDiagram:
    """A position as PDN writes it (``W:W38,K46:B24,1-5``), and a legal move of the side to act."""

    fen: str
    play: str = ""
    path: tuple[int, ...] = ()
    captured: tuple[int, ...] = ()
    mode: str = "obligatoria"

    family = "squares"

    @property
    def turn(self) -> str:
        """The side to move."""
        return _SIDES[self.fen[0]]

    def men(self, side: str) -> dict[str, list[int]]:
        """The squares of a side's men and kings."""
        part = next(part for part in self.fen.split(":")[1:] if _SIDES[part[0]] == side)
        squares: dict[str, list[int]] = {"men": [], "kings": []}
        for king, first, last in _MEN.findall(part[1:]):
            squares["kings" if king else "men"] += range(int(first), int(last or first) + 1)
        return squares

    def json(self) -> dict[str, Any]:
        """The data for the board: the position (docs/protocol.md) and the move to mark."""
        position = {
            "family": self.family,
            "phase": "move",
            "turn": self.turn,
            "colours": {"white": "white", "black": "black"},
            "board": {side: self.men(side) for side in ("white", "black")},
            "mode": self.mode,
            "dice": None,
            "cube": None,
            "pips": None,
            "outcome": None,
            "huff": None,
            "countdown": None,
            "tree": None,
        }
        return {"position": position, "play": self.play, "path": list(self.path), "taken": list(self.captured)}

    def words(self) -> str:
        """The position in a sentence or two, for screen readers."""
        sentences = [
            _("White: %(pieces)s.") % {"pieces": self._listed("white")},
            _("Black: %(pieces)s.") % {"pieces": self._listed("black")},
        ]
        if self.play:
            sentence = _("White moves %(move)s.") if self.turn == "white" else _("Black moves %(move)s.")
            sentences.append(sentence % {"move": self.play})
        return " ".join(sentences)

    def _listed(self, side: str) -> str:
        squares = self.men(side)
        parts = []
        if squares["men"]:
            parts.append(_("men on %(squares)s") % {"squares": ", ".join(map(str, squares["men"]))})
        if squares["kings"]:
            parts.append(_("kings on %(squares)s") % {"squares": ", ".join(map(str, squares["kings"]))})
        return "; ".join(parts)


SQUARES: dict[str, SquaresDiagram] = {
    "damas-start": SquaresDiagram("B:W36-50:B1-15", play="13-18", path=(13, 18)),
    "damas-chain": SquaresDiagram("W:W38,42,47:B4,9,24,33", play="38x20", path=(38, 29, 20), captured=(24, 33)),
    "damas-king-first": SquaresDiagram("W:W39,K46:B3,23,34", play="46x19", path=(46, 19), captured=(23,)),
    "damas-flying": SquaresDiagram("W:W44,K46:B6,24,32", play="46x30", path=(46, 19, 30), captured=(24, 32)),
    "damas-crowned": SquaresDiagram("W:W12,38:B8,9,31", play="12x3", path=(12, 3), captured=(8,)),
    "damas-blocked": SquaresDiagram("W:W26,31:B17,21,22,27"),
    "damas-huff": SquaresDiagram("W:W38,42:B5,33", play="42-37", path=(42, 37), mode="soplar"),
}
