"""The position of one game: the board with its colours, the cube, the dice, the score, and the legal actions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

from backgammon.rules.half_moves import Dice
from backgammon.rules.position_fields import Phase, PositionFields

from . import diagram, gnubg_ids, notation, xgid
from .board import Board
from .cube import Cube
from .house import NO_MONEY, PLAIN, House, Money
from .illegal import Illegal
from .match import Score
from .plays import Plays, plays_of
from .scoring import SCORINGS, Outcome, Scoring
from .sides import SIDES, Side, Turn, opponent
from .terms import agreed
from .variants import Variant
from .view import DOUBLES, boards_view, cube_view, names_view, pips_view, tree_view

_DICE = re.compile(r"dice ([1-6])([1-6])", re.ASCII)
_NAME = re.compile(r"name ([1-6])", re.ASCII)
_NAMES = tuple(f"name {die}" for die in DOUBLES)
_ROLLS = tuple(f"dice {first}{second}" for first in range(1, 7) for second in range(1, 7))
_CHOICES = frozenset({"roll", "double", "take", "drop", "beaver", "name", "resign"})
"""The first words of actions that are not plays."""


@lru_cache(maxsize=64)  # an act asks for the canonical form first, and then for the position after it
def _read_play(plays: Plays, text: str) -> tuple[str, Board]:
    """The canonical form of a play, and the board after it. Raises `Illegal`."""
    result, canonical = notation.read(plays, text)
    return canonical, Board(result)


@dataclass(frozen=True, slots=True)
class Position:
    """An immutable position of backgammon or a variant: all that the rest of the game depends on, and nothing else.

    `board` is seen from `mover`: the side that rolls, moves or has doubled (White before the opening roll).
    The phases: ``opening`` (both roll), ``roll`` (the mover rolls or doubles), ``rolling`` (the dice are to fall),
    ``move``, ``name`` (the mover names a double, A4), ``doubled`` (the opponent takes or drops), ``over``. `named`: the
    dice to move are a double that was named, not rolled.
    """

    variant: Variant
    score: Score
    board: Board
    mover: Side
    phase: Phase
    cube: Cube
    dice: Dice | None = None
    outcome: Outcome | None = None
    named: bool = False
    house: House = PLAIN
    money: Money = NO_MONEY

    @classmethod
    def start(cls, variant: Variant, score: Score, options: Mapping[str, Any]) -> Self:
        """Start a game at a score (A1, B2, B3, B12), with options as `terms` lists them.

        Raises `ValueError` for options that this game does not have.
        """
        values = agreed(variant, score.length, options)
        cube = Cube(cap=values["cube_cap"], in_play=values["cube"]) if "cube" in values else Cube(in_play=False)
        house = House(*(values.get(name, False) for name in House._fields))
        money = Money(*(values.get(name, False) for name in Money._fields))
        return cls(variant, score, variant.board, "white", "opening", cube, house=house, money=money)

    @property
    def scoring(self) -> Scoring:
        """How this variant scores a game."""
        return SCORINGS[self.variant.scoring]

    # Turn and legal actions

    @property
    def turn(self) -> Turn:
        """The next actor: a side, chance while dice are to fall, or over."""
        if self.phase == "over":
            return "over"
        if self.phase in ("opening", "rolling"):
            return "chance"
        return self._answerer if self.phase == "doubled" else self.mover

    @property
    def _answerer(self) -> Side:
        """The side that answers a double: the mover's opponent; after a beaver the mover (B12, B16)."""
        return self.mover if self.cube.beavered else opponent(self.mover)

    @property
    def rollers(self) -> tuple[Side, ...]:
        """While chance has the turn: the sides that roll. At the opening both, one die each (B3)."""
        if self.phase == "opening":
            return SIDES
        return (self.mover,) if self.phase == "rolling" else ()

    @property
    def plays(self) -> Plays | None:
        """The legal plays of the dice, or None when there are no dice to move."""
        return plays_of(self.board.code, self.dice, self.house) if self.dice else None

    @property
    def may_double(self) -> bool:
        """Whether the mover may double now, before their roll (B12-B14)."""
        return self.phase == "roll" and self.cube.refusal(self.mover, self.score) is None

    @property
    def auto(self) -> str | None:
        """``pass`` when nothing else is legal: no legal play, or closed out without access to the cube (B8)."""
        if self.phase == "roll" and self.board.closed_out and not self.may_double:
            return "pass"
        plays = self.plays
        return "pass" if plays is not None and not plays.numbers else None

    def actions(self) -> list[str]:
        """The canonical texts legal for `turn`: for plays one for each distinct result."""
        if self.phase == "over":
            return []
        if self.turn == "chance":
            return list(_ROLLS)
        if self.auto:
            return [self.auto]
        if self.phase == "doubled":
            return ["take", "drop"] if self.cube.beaver_refusal(self.money) else ["take", "drop", "beaver"]
        if self.phase == "name":
            return list(_NAMES)
        plays = self.plays
        if plays is None:
            return ["roll", "double"] if self.may_double else ["roll"]
        return sorted((notation.write(plays.half_moves_to(result)) for result in plays.results), key=_board_order)

    def may(self, side: Side) -> list[str]:
        """The names of the actions that a side can take now, one for each button."""
        if self.phase == "opening":
            return ["roll"]
        if side != self.turn:
            return []
        return ["move"] if self.phase == "move" and not self.auto else self.actions()

    # After an action

    def canonical(self, action: str) -> str:
        """The stored form of an action as a player wrote it. Raises `Illegal`."""
        return self._apply(action)[0]

    def after(self, action: str) -> Self:
        """The position after an action of `turn`. Raises `Illegal`."""
        return self._apply(action)[1]

    def _apply(self, action: str) -> tuple[str, Self]:
        """The canonical form of an action, and the position after it."""
        if not isinstance(action, str) or len(action) > notation.LONGEST:
            raise Illegal("unreadable")
        text = " ".join(action.split())
        word = text.lower()
        if self.turn == "chance" and (roll := _DICE.fullmatch(word)):
            return word, self._after_roll((int(roll[1]), int(roll[2])))
        if self.phase == "roll":
            return word, self._after_choice(word)
        if self.phase == "doubled" and word in ("take", "drop", "beaver"):
            return word, self._after_answer(word)
        if self.phase == "name":
            return word, self._after_naming(word)
        if (plays := self.plays) is not None and word.partition(" ")[0] not in _CHOICES:
            return self._after_play(plays, text)
        raise Illegal("not_now", action=text, phase=self.phase)

    def _after_roll(self, dice: Dice) -> Self:
        """The position after a roll. At the opening White's die is the first, and a tie is rolled again (B3, B16)."""
        if self.phase == "rolling":
            return replace(self, phase="move", dice=dice)
        first, second = dice
        if first == second:
            return replace(self, cube=self.cube.after_opening_tie()) if self.money.auto_doubles else self
        mover: Side = "white" if first > second else "black"
        board = self.board if mover == self.mover else self.board.flipped()
        if self.variant.opening == "reroll":
            return replace(self, phase="rolling", board=board, mover=mover)
        return replace(self, phase="move", board=board, mover=mover, dice=dice)

    def _after_choice(self, word: str) -> Self:
        """The position after the mover's choice before the roll: roll, double, or pass when closed out (B8, B12)."""
        if word == "pass" and self.auto:
            return self._next_turn(self.board)
        if word == "roll":
            if self.auto:
                raise Illegal("closed_out", "B8")
            return replace(self, phase="rolling")
        if word == "double":
            if not self.variant.cube:
                raise Illegal("no_cube", self.scoring.ruling)
            if refusal := self.cube.refusal(self.mover, self.score):
                raise refusal
            return replace(self, phase="doubled")
        raise Illegal("not_now", action=word, phase=self.phase)

    def _after_answer(self, word: str) -> Self:
        """The position after the answer to a double: a taker owns the cube and the doubler rolls; a drop ends the game.

        A beaver redoubles, keeps the cube, and asks the doubler to take or drop (B12, B16).
        """
        if word == "beaver":
            if refusal := self.cube.beaver_refusal(self.money):
                raise refusal
            return replace(self, cube=replace(self.cube, beavered=True))
        if word == "take":
            return replace(self, phase="roll", cube=self.cube.after_take(opponent(self.mover)))
        return replace(self, phase="over", outcome=Outcome(opponent(self._answerer), self.cube.stake, "drop"))

    def _after_naming(self, word: str) -> Self:
        """The position after a double was named: it is played as if it had been rolled (A4)."""
        name = _NAME.fullmatch(word)
        if not name:
            raise Illegal("name_double", "A4")
        return replace(self, phase="move", dice=(int(name[1]), int(name[1])), named=True)

    def _after_play(self, plays: Plays, text: str) -> tuple[str, Self]:
        """The canonical play and the position after it; bearing off the last checker wins (B11)."""
        if text.lower() == "pass":
            if plays.numbers:
                raise Illegal("must_play", "B5", numbers=plays.numbers)
            return "pass", self._next_turn(self.board)
        canonical, board = _read_play(plays, text)
        if board.off == self.variant.checkers:
            outcome = Outcome(self.mover, *self.scoring.win(board, self.cube, self.money))
            return canonical, replace(self, phase="over", board=board, dice=None, named=False, outcome=outcome)
        if self.named and plays.numbers == 4:
            return canonical, replace(self, phase="roll", board=board, dice=None, named=False)
        if self._earns_bonus and plays.numbers == 2:
            return canonical, replace(self, phase="name", board=board, dice=None)
        return canonical, self._next_turn(board)

    @property
    def _earns_bonus(self) -> bool:
        """Whether the dice to move are the roll after which a double is named (A4)."""
        return self.dice is not None and self.variant.bonus in (self.dice, self.dice[::-1])

    def _next_turn(self, board: Board) -> Self:
        """The position at the opponent's turn, with the board seen from their side."""
        return replace(self, phase="roll", board=board.flipped(), mover=opponent(self.mover), dice=None, named=False)

    def why(self, path: str, attempt: str) -> dict[str, Any] | None:
        """Why a half-move is illegal after the half-moves of `path`: code, ruling, params; None if it is legal."""
        plays = self.plays
        illegal = Illegal("not_now", phase=self.phase) if plays is None else notation.why(plays, path, attempt)
        if illegal is None:
            return None
        return {"code": illegal.code, "ruling": illegal.ruling, "params": illegal.params}

    # Resignations, draws and flags

    def resignations(self, loser: Side) -> list[tuple[int, int]]:
        """The (level, points) that a side could still lose at the present cube, and so may offer (B15, A6)."""
        return [(level, points) for level, (points, _) in self._open_levels(loser).items()]

    def conceded(self, loser: Side, level: int) -> Self:
        """The position after an accepted resignation (B15). Raises `Illegal`."""
        lost = self._open_levels(loser).get(level)
        if lost is None:
            raise Illegal("resign_level", "B15", level=level)
        return replace(self, phase="over", dice=None, outcome=Outcome(opponent(loser), *lost))

    def _open_levels(self, loser: Side) -> dict[int, tuple[int, str]]:
        """The points and the kind of each level at which a side could still lose."""
        if self.phase == "over":
            return {}
        return self.scoring.open_levels(self.board_of(opponent(loser)), self.cube, self.money)

    @property
    def resigns_at_once(self) -> bool:
        """Whether a resignation needs no answer, because only one result can still be lost (A6)."""
        return self.scoring.resigns_at_once

    def draws(self, side: Side) -> list[str]:
        """The draw actions of a side: none, no game of backgammon is drawn (B11, A6)."""
        return []

    def drawn(self, kind: str) -> Self:
        """Raises `Illegal`: no game of backgammon is drawn (B11, A6)."""
        raise Illegal("no_draw", self.scoring.ruling, kind=kind)

    def flagged(self, loser: Side) -> Self:
        """The position after a side lost on time: the cube's value, or the checkers left (B16, A6)."""
        if self.phase == "over":
            raise Illegal("not_now", phase=self.phase)
        points = self.scoring.flagged(self.board_of(opponent(loser)), self.cube)
        return replace(self, phase="over", dice=None, outcome=Outcome(opponent(loser), points, "flag"))

    # Views, snapshots and ids

    def board_of(self, side: Side) -> Board:
        """The board seen from a side."""
        return self.board if side == self.mover else self.board.flipped()

    def view(self, side: Side | None) -> dict[str, Any]:
        """What one side, or a spectator, sees (docs/protocol.md); the tree of half-moves only for the side to move."""
        plays = self.plays if side == self.turn else None
        return {
            "family": "points",
            "phase": self.phase,
            "turn": self.turn,
            "board": boards_view({each: self.board_of(each) for each in SIDES}),
            "pips": pips_view(self.board_of(SIDES[0])),
            "dice": list(self.dice) if self.dice else None,
            "cube": cube_view(self.cube, self.score, doubled=self.phase == "doubled"),
            "names": names_view(self.board) if self.phase == "name" else None,
            "outcome": self.outcome.view() if self.outcome else None,
            "tree": tree_view(plays.tree) if plays else None,
        }

    def snapshot(self) -> dict[str, Any]:
        """The position as JSON; ``Position.restore(variant, position.snapshot()) == position``."""
        cube = self.cube
        return {
            "variant": self.variant.key,
            "score": self.score.snapshot(),
            "board": self.board.to_wire(),
            "mover": self.mover,
            "phase": self.phase,
            "cube": [cube.value, cube.owner, cube.cap, cube.in_play, cube.beavered],
            "dice": list(self.dice) if self.dice else None,
            "outcome": self.outcome.view() if self.outcome else None,
            "named": self.named,
            "house": self.house._asdict(),
            "money": self.money._asdict(),
        }

    @classmethod
    def restore(cls, variant: Variant, snapshot: Mapping[str, Any]) -> Self:
        """Restore the position of a snapshot. Raises `ValueError` for a snapshot of another variant."""
        if snapshot["variant"] != variant.key:
            raise ValueError(f"a snapshot of {snapshot['variant']!r} is no {variant.key}")
        dice, outcome = snapshot["dice"], snapshot["outcome"]
        return cls(
            variant=variant,
            score=Score.restore(snapshot["score"]),
            board=Board.from_wire(snapshot["board"], checkers=variant.checkers, stock=variant.stock),
            mover=snapshot["mover"],
            phase=snapshot["phase"],
            cube=Cube(*snapshot["cube"]),
            dice=(dice[0], dice[1]) if dice else None,
            outcome=Outcome(**outcome) if outcome else None,
            named=snapshot.get("named", False),
            house=House(**snapshot.get("house", {})),
            money=Money(**snapshot.get("money", {})),
        )

    def diagram(self, side: Side = "white") -> str:
        """The board drawn in plain text, as one side sees it."""
        return diagram.draw(self, side)

    def xgid(self) -> str:
        """The XGID of this position, White at the bottom."""
        return xgid.write(self)

    def gnubg_ids(self) -> tuple[str, str]:
        """The GNU Backgammon Position ID (seen from the mover) and Match ID of this position; White is player 0."""
        return gnubg_ids.position_id(self.board), gnubg_ids.match_id(self)

    @classmethod
    def from_xgid(cls, variant: Variant, text: str) -> Self:
        """Parse an XGID. Raises `ValueError`."""
        return cls._from_fields(variant, xgid.read(text, checkers=variant.checkers))

    @classmethod
    def from_gnubg_ids(cls, variant: Variant, position: str, match: str) -> Self:
        """Parse a GNU Backgammon Position ID and Match ID. Raises `ValueError`."""
        return cls._from_fields(variant, gnubg_ids.read(position, match, checkers=variant.checkers))

    @classmethod
    def _from_fields(cls, variant: Variant, fields: PositionFields) -> Self:
        return cls(
            variant,
            fields.score,
            fields.board,
            fields.mover,
            fields.phase,
            fields.cube,
            fields.dice,
            money=fields.money,
        )


def _board_order(text: str) -> list[int]:
    """The sort key of a play: the places that it names, the highest first."""
    numbers = text.replace("stock", "26").replace("bar", "25").replace("off", "0")
    return [-int(number) for number in re.findall(r"[0-9]+", numbers)]
