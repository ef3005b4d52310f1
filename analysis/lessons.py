"""The first lesson: positions in which a newcomer learns to move, to hit, to enter, to bear off and to use the cube.

Each step is a position with White to decide, as in a puzzle, and says which decisions it accepts. Pure; its words are
in `analysis.lesson_texts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analysis import puzzles
from games.bots.engine_boards import Board, after, board_of
from games.engine import Json
from games.formats import position_ids as ids
from games.registry import ILLEGAL

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:0:5:6"
RACE = "XGID=-BBCCC------------bcddb---:0:0:1:00:0:0:0:5:6"


def _is_any(before: Board, play: str) -> bool:
    return True


def _hits(before: Board, play: str) -> bool:
    return "*" in play


def _makes_a_point(before: Board, play: str) -> bool:
    reached = after(before, play)
    return any(reached[point] >= 2 > before[point] for point in range(1, 25))


def _comes_home(before: Board, play: str) -> bool:
    return all(count <= 0 for count in after(before, play)[7:])


def _bears_off_two(before: Board, play: str) -> bool:
    return sum(max(0, count) for count in before) - sum(max(0, count) for count in after(before, play)[1:]) == 2


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A position, by its XGID, and what is asked: a play that `accepts`, or the cube action `wanted`."""

    key: str
    xgid: str
    accepts: Callable[[Board, str], bool] = _is_any
    wanted: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """The buttons of a cube decision; none where a play is asked for."""
        return ("take", "drop") if self.wanted in ("take", "drop") else ("double", "roll") if self.wanted else ()

    def situation(self) -> Json:
        """What the board needs to show it and to let White play."""
        position = self.position
        return {"position": position.view(puzzles.SOLVER), "you": puzzles.SOLVER, "may": position.may(puzzles.SOLVER)}

    @property
    def position(self) -> Any:
        return ids.read(self.xgid)

    def is_right(self, answer: str) -> bool:
        """Whether a decision is what the step asks for. Raises `puzzles.UnplayablePuzzle` for an illegal one."""
        if self.choices:
            if answer not in self.choices:
                raise puzzles.UnplayablePuzzle(answer)
            return answer == self.wanted
        position = self.position
        try:
            play = position.canonical(answer)
        except ILLEGAL as error:
            raise puzzles.UnplayablePuzzle(answer) from error
        return self.accepts(board_of(position.view(None), puzzles.SOLVER), play)


STEPS: tuple[LessonStep, ...] = (
    LessonStep("move", OPENING.format(dice="63")),
    LessonStep("point", OPENING.format(dice="31"), _makes_a_point),
    LessonStep("doubles", OPENING.format(dice="44")),
    LessonStep("hit", "XGID=-a---aE-C---eE---c-e----B-:0:0:1:31:0:0:0:5:6", _hits),
    LessonStep("bar", "XGID=-b----E-C---eE---c-e----AA:0:0:1:42:0:0:0:5:6"),
    LessonStep("home", "XGID=-BBCCBAA-A---------bcdcba-:0:0:1:65:0:0:0:5:6", _comes_home),
    LessonStep("off", "XGID=-BCCCBB------------cccbbb-:0:0:1:64:0:0:0:5:6", _bears_off_two),
    LessonStep("gap", "XGID=-BCDDB-------------cccbbb-:0:0:1:65:0:0:0:5:6", _bears_off_two),
    LessonStep("double", RACE, wanted="double"),
    LessonStep("take", "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:5:6", wanted="take"),
)
