"""What the analysis asks of an engine.

An analyst sees a position through the contract of `games.engine` and the score as pages show it, as a bot does
(`games.bots.engine`), and judges it with the score in mind.

Equities are in points at the cube's present value, as both GNU Backgammon and eXtreme Gammon write them: 1.0 is what
winning the cube's value now is worth to the side, and -1.0 what losing it costs. In a match they come from the match
equity table and can exceed 1. `mwc` is the chance to win the match, 0 to 1; None where nothing but points is won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from games.bots.engine import Evaluator
from games.engine import Position, Side

Depth = Literal["quick", "normal", "deep"]
DEPTHS: tuple[Depth, ...] = ("quick", "normal", "deep")

Answer = Literal["hold", "double_take", "double_drop", "too_good"]
"""The right cube action of both sides: too good is to play on for a gammon rather than win by a drop."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How the game ends without the cube, as shares of 1 from one side's view: ``win`` includes gammons."""

    win: float
    gammon: float
    backgammon: float
    lose_gammon: float
    lose_backgammon: float

    def as_list(self) -> list[float]:
        return [
            round(each, 4) for each in (self.win, self.gammon, self.backgammon, self.lose_gammon, self.lose_backgammon)
        ]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal play: what it is worth to the player, and `loss`, how much less than the best (0 for that one).

    `plies` is how far it was looked at: those that are clearly worse are not looked at again.
    """

    play: str
    equity: float
    loss: float
    chances: Chances
    plies: int


@dataclass(frozen=True, slots=True)
class Plays:
    """All legal plays of a roll, the best first."""

    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        return self.candidates[0]

    def of(self, play: str) -> Candidate:
        """The candidate with this text. Raises KeyError."""
        found = next((each for each in self.candidates if each.play == play), None)
        if found is None:
            raise KeyError(play)
        return found


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube decision, from the view of the side that may double; equities at the cube's value before it.

    `take_point` is the chance to win that the opponent needs to take, `double_point`, `cash_point` and `too_good_point`
    the chances from which the side doubles, wins by doubling, and had better play on: the window of the market. They
    are None where they do not exist (a dead cube).
    """

    hold: float
    double_take: float
    double_drop: float
    chances: Chances
    take_point: float | None = None
    double_point: float | None = None
    cash_point: float | None = None
    too_good_point: float | None = None

    @property
    def offered(self) -> float:
        """What doubling is worth against the best answer."""
        return min(self.double_take, self.double_drop)

    @property
    def best(self) -> float:
        return max(self.hold, self.offered)

    @property
    def answer(self) -> Answer:
        if self.offered > self.hold:
            return "double_take" if self.double_take <= self.double_drop else "double_drop"
        return "too_good" if self.hold >= self.double_drop and self.double_take > self.double_drop else "hold"


@dataclass(frozen=True, slots=True)
class Roll:
    """How lucky a roll was: `luck` is `equity` (its best play) less `average` (over all rolls that could fall)."""

    equity: float
    average: float

    @property
    def luck(self) -> float:
        return self.equity - self.average


class Analyst(Evaluator, Protocol):
    """Judges decisions of some variants, and keeps nothing. Its name carries its version: rows say which one judged."""

    def plays(
        self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth, played: str = ""
    ) -> Plays:
        """Every legal play of `side`, whose dice are on the board. `played` is judged as deeply as the best one.

        Raises ValueError when `side` has no play to choose, EngineMissing when not `available()`.
        """

    def cube(self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth) -> Cube:
        """What holding and doubling are worth to `side`, about to roll or to double, or having doubled just now.

        Raises EngineMissing when not `available()`.
        """

    def roll(
        self,
        position: Position,
        score_view: Mapping[str, Any],
        side: Side,
        dice: tuple[int, int],
        depth: Depth,
        *,
        opening: bool = False,
    ) -> Roll:
        """How lucky `dice` were for `side` on the board of `position`, before its roll.

        At an `opening` roll only unequal dice are possible, and either side could have won it: `side` is who did.
        Raises EngineMissing when not `available()`.
        """

    def mwc(self, equity: float, position: Position, score_view: Mapping[str, Any], side: Side) -> float | None:
        """The chance of `side` to win the match, from an equity of theirs in this position; None without a match."""

    def score_mwc(self, score_view: Mapping[str, Any], side: Side) -> float | None:
        """The chance of `side` to win the match at a score, before a game."""
