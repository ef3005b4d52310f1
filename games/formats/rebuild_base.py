"""The base of rebuilding a parsed match: the state so far, its actions, faults and warnings, and the limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import replay
from games.engine import Rules, Side
from games.formats.errors import FormatError
from games.formats.parsed import ParsedGame, ParsedMatch
from games.formats.record import Fault, GameRecord
from games.registry import ILLEGAL, RULES

MOST_PLAYS = 2000
"""A match to 25 points has some 1,500 plays. A longer file is refused, so that reading takes at most a second."""
MAX_COST = 4000
"""The budget of reading, in plays in canonical form: other forms need a search, longest for doubles."""
MOST_FAULTS = 200

LONGEST_MATCH = 999


class ReadingBudget:
    """The cost of reading so far, over all passes through a file."""

    def __init__(self) -> None:
        self.spent = 0

    def spend(self, plays: int) -> None:
        """Spend part of the budget. Raises FormatError (`too_long`)."""
        self.spent += plays
        if self.spent > MAX_COST:
            raise FormatError("too_long", most=MOST_PLAYS)


class GameUnreadable(Exception):
    """A fault after which the rest of the game is skipped."""

    def __init__(self, code: str, ruling: str = "", **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling
        self.params = params


REFUSED: tuple[type[Exception], ...] = (GameUnreadable, replay.PlayRefused, *ILLEGAL)


class RebuildBase:
    """One pass through a parsed match with one set of options."""

    def __init__(self, parsed: ParsedMatch, options: Mapping[str, Any], budget: ReadingBudget) -> None:
        self.budget = budget
        self.marked = any("*" in (step.moves or "") for game in parsed.games for step in game.steps)
        self.parsed = parsed
        self.options = dict(options)
        self.rules: Rules = RULES[parsed.variant]
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = list(parsed.warnings)
        self.games: list[GameRecord] = []
        self.low_die_first: list[int] = []
        self.actions: list[tuple[str, str]] = []
        self.state = replay.start(self.rules, parsed.length, self.options)
        self.drift = (0.0, 0.0)
        self.out_of_step = False
        self.crawford_started = False

    def _act(self, side: Side, text: str) -> None:
        self._take(side, text)

    def _server(self, text: str) -> None:
        self._take("server", text)

    def _chance(self, text: str) -> None:
        self._take("chance", text)

    def _take(self, actor: str, text: str) -> None:
        self.state = self.state.after(actor, text)
        self.actions.append((actor, text))

    def _warn(self, game: ParsedGame, move: int, code: str, *, text: str = "", **params: Any) -> None:
        if len(self.warnings) < MOST_FAULTS:
            self.warnings.append(Fault(game.number, move, code, "", params, text[:80]))
