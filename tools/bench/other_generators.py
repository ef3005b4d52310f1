"""Other pure-Python generators of backgammon plays, measured beside ours in the same run.

They are not dependencies: `make bench-rules` installs them (requirements/bench.txt) into `var/other-generators`.

Each is loaded from the one file with its rules, so that its other needs (gym, a terminal, a window) do not matter.
These were considered and list no plays: pygammon only counts how many numbers can be used; nard-backgammon plays nardi;
ogxm, backgammon-engine-kit, ankigammon, xgid2anki and xgparse read formats; bgsage lists plays in C++, not in Python.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from backgammon.rules import Board

Dice = tuple[int, int]
Question = tuple[Any, ...]


@dataclass(frozen=True)
class Generator:
    """A generator under its package's name: how to call it, and what its result means as our boards."""

    name: str
    version: str
    question: Callable[[Board, Dice], Question]
    ask: Callable[..., Any]
    results: Callable[[Board, Any], set[tuple[int, ...]]]

    def asked(self, question: Question) -> Any:
        """Return the generator's result, or the exception that it raised."""
        try:
            return self.ask(*question)
        except Exception as error:
            return error


def found_in(site: Path) -> list[Generator]:
    """Return the generators that are installed in a site-packages folder."""
    makers = (_gym_backgammon, _gammonview, _magmacrunch, _willse)
    return [generator for make in makers if (generator := make(site)) is not None]


def _version(site: Path, name: str) -> str:
    """Return the version of an installed package, whatever the spelling of its folder."""
    for distribution in importlib.metadata.distributions(path=[str(site)]):
        if distribution.metadata["Name"].replace("_", "-") == name:
            return distribution.version
    return "?"


def _loaded(path: Path, name: str) -> ModuleType | None:
    """Load the module of one file; None if it is missing."""
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _after(board: Board, play: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the wire of a board after half-moves (from, to) in our numbering, 25 the bar and 0 off, hitting blots."""
    wire = list(board.wire)
    for source, target in play:
        wire[1 if source == 25 else source + 2] -= 1
        if target > 0 and wire[target + 2] == -1:
            wire[target + 2] = 0
            wire[28] += 1
        wire[max(target, 0) + 2] += 1
    return tuple(wire)


def _boards(board: Board, plays: Iterable[Iterable[tuple[int, int]]]) -> set[tuple[int, ...]]:
    """Return the distinct boards after plays; the board itself if there are none."""
    return {_after(board, play) for play in plays} or {board.wire}


def _gym_backgammon(site: Path) -> Generator | None:
    """Points 0..23 as (count, colour); White runs down with negative dice; `bar` and off the board are sources."""
    module = _loaded(site / "gym_backgammon/envs/backgammon.py", "other_gym_backgammon")
    if module is None:
        return None

    def question(board: Board, dice: Dice) -> Question:
        game = module.Backgammon()
        game.board = [(abs(n), None if not n else module.WHITE if n > 0 else module.BLACK) for n in board.points]
        game.bar, game.off = [board.bar, board.opponent_bar], [board.off, board.opponent_off]
        game.players_positions = game.get_players_positions()
        return game, (-dice[0], -dice[1])

    def ask(game: Any, roll: Dice) -> Any:
        return game.get_valid_plays(module.WHITE, roll)

    def results(board: Board, plays: Any) -> set[tuple[int, ...]]:
        return _boards(
            board, ([(25 if s == module.BAR else s + 1, max(t + 1, 0)) for s, t in play] for play in plays if play)
        )

    return Generator("gym-backgammon", _version(site, "gym-backgammon"), question, ask, results)


def _gammonview(site: Path) -> Generator | None:
    """Two lists of 26 counts in the mover's numbering, 25 the mover's bar."""
    module = _loaded(site / "gvformat/legality.py", "other_gammonview")
    if module is None:
        return None

    def question(board: Board, dice: Dice) -> Question:
        own = [0, *(max(n, 0) for n in board.points), board.bar]
        opponents = [0, *(max(-n, 0) for n in board.points), 0]
        return own, opponents, *dice

    def results(board: Board, answer: Any) -> set[tuple[int, ...]]:
        return _boards(board, (sorted(play, reverse=True) for play in answer[0]))

    return Generator("gammonview", _version(site, "gammonview"), question, module.legal_plays, results)


def _magmacrunch(site: Path) -> Generator | None:
    """One list of 28: the mover's bar, 24 points, the opponent's bar, checkers off."""
    module = _loaded(site / "backgammon/rules.py", "other_magmacrunch")
    if module is None:
        return None

    def question(board: Board, dice: Dice) -> Question:
        return [board.bar, *board.points, -board.opponent_bar, board.off, -board.opponent_off], module.PLAYER, *dice

    def results(board: Board, answer: Any) -> set[tuple[int, ...]]:
        return _boards(board, ([(step.frm or 25, step.to) for step in move] for move in answer))

    return Generator(
        "magmacrunch-backgammon", _version(site, "magmacrunch-backgammon"), question, module.legal_moves, results
    )


def _willse(site: Path) -> Generator | None:
    """One list of 28; the light player, number 2, runs down; 1001 is the bar and 2002 off. It needs no window here."""
    graphics = ModuleType("Main_Files.Graphics")
    graphics.__dict__.update(createMoveStartSprites=None, GenerateMoveLineDataFast=None)
    sys.modules["Main_Files"] = ModuleType("Main_Files")
    sys.modules["Main_Files.Graphics"] = graphics
    module = _loaded(site / "willse_backgammon/Main_Files/Logic.py", "other_willse")
    if module is None:
        return None

    def question(board: Board, dice: Dice) -> Question:
        game = module.Board([*board.points, board.opponent_bar, board.bar, board.opponent_off, board.off])
        game.updatePip()
        for player in (1, 2):
            game.updateLastOccupiedPoint(player)
        game.updateBearOffStatus()
        return game, 2, list(dice)

    def results(board: Board, answer: Any) -> set[tuple[int, ...]]:
        plays = [[play] if isinstance(play[0], int) else play for play in answer or []]
        return _boards(board, ([(25 if s == 1001 else s, 0 if t == 2002 else t) for s, t in play] for play in plays))

    return Generator(
        "willse-backgammon",
        _version(site, "willse-backgammon"),
        question,
        lambda game, player, roll: game.returnMoveSequences(player, roll),
        results,
    )
