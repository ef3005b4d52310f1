"""A hand-made position, as an engine sees one: for scores and cubes that real play reaches slowly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine import Side, Turn

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]


def board(own: dict[int, int], opponent: dict[int, int], *, bar: int = 0, opponent_bar: int = 0) -> list[int]:
    """26 numbers from both sides' checkers, each side's points in its own numbering."""
    places = [opponent_bar, *([0] * 24), bar]
    for point, count in own.items():
        places[point] += count
    for point, count in opponent.items():
        assert places[25 - point] == 0, f"both sides on {25 - point}"
        places[25 - point] -= count
    return places


@dataclass(frozen=True)
class Table:
    """White's board, the side to move and its legal actions; the texts are used unchecked."""

    board: list[int]
    choices: tuple[str, ...] = ("roll", "double")
    turn: Turn = "white"
    value: int = 1
    owner: Side | None = None
    cube: bool = True
    rollers: tuple[Side, ...] = ()
    levels: tuple[int, ...] = (1, 2, 3)

    def actions(self) -> list[str]:
        return list(self.choices)

    def resignations(self, loser: Side) -> list[tuple[int, int]]:
        return [(level, level * self.value) for level in self.levels]

    def view(self, side: Side | None) -> dict[str, Any]:
        places = self.board

        def half(points: list[int], bar: int) -> dict[str, Any]:
            counts = [max(count, 0) for count in points]
            return {"points": counts, "bar": bar, "off": 15 - sum(counts) - bar, "stock": 0}

        return {
            "turn": self.turn,
            "board": {
                "white": half(places[1:25], places[25]),
                "black": half([-count for count in reversed(places[1:25])], places[0]),
            },
            "cube": {"value": self.value, "owner": self.owner, "offered": None, "dead": False} if self.cube else None,
        }


def score(length: int, white: int = 0, black: int = 0, *, crawford: bool = False, **more: Any) -> dict[str, Any]:
    """The score as pages show it."""
    return {"length": length, "white": white, "black": black, "crawford": crawford, **more}
