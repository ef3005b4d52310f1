"""The fold that a file's match is told through: the state so far, its actions, and what there is to say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import replay
from games.engine import Rules, Side
from games.formats.errors import FormatError
from games.formats.record import Fault, GameRecord
from games.formats.told import ToldGame, ToldMatch
from games.registry import ILLEGAL, RULES

MOST_PLAYS = 2000
"""A match to 25 points has some 1,500 plays. A file with more than this is refused, so that reading takes a second."""
MOST_WORK = 4000
"""How much reading may cost, in plays written as we write them: other forms are searched for, doubles longest."""
MOST_FAULTS = 200

LONGEST_MATCH = 999


class Work:
    """What reading has cost so far, over all passes through a file."""

    def __init__(self) -> None:
        self.done = 0

    def add(self, plays: int) -> None:
        """Raises FormatError (`too_long`)."""
        self.done += plays
        if self.done > MOST_WORK:
            raise FormatError("too_long", most=MOST_PLAYS)


class Stop(Exception):
    """The rest of this game is not trusted."""

    def __init__(self, code: str, ruling: str = "", **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling
        self.params = params


REFUSED: tuple[type[Exception], ...] = (Stop, replay.Impossible, *ILLEGAL)


class Fold:
    """One pass through a file's match with one set of options."""

    def __init__(self, told: ToldMatch, options: Mapping[str, Any], work: Work) -> None:
        self.work = work
        self.marked = any("*" in (step.hops or "") for game in told.games for step in game.steps)
        self.told = told
        self.options = dict(options)
        self.rules: Rules = RULES[told.variant]
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = list(told.warnings)
        self.games: list[GameRecord] = []
        self.actions: list[tuple[str, str]] = []
        self.state = replay.start(self.rules, told.length, self.options)
        self.drift = (0.0, 0.0)
        self.lost = False
        self.crawford_begun = False

    def _act(self, side: Side, text: str) -> None:
        self._take(side, text)

    def _server(self, text: str) -> None:
        self._take("server", text)

    def _chance(self, text: str) -> None:
        self._take("chance", text)

    def _take(self, actor: str, text: str) -> None:
        self.state = self.state.after(actor, text)
        self.actions.append((actor, text))

    def _warn(self, game: ToldGame, move: int, code: str, *, text: str = "", **params: Any) -> None:
        if len(self.warnings) < MOST_FAULTS:
            self.warnings.append(Fault(game.number, move, code, "", params, text[:80]))
