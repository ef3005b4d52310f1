"""The position of one game: the colours, the pieces, the rights after an infraction, and the legal actions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from draughts.explain import explain_move
from draughts.options import OBLIGATORIA, MatchOptions
from draughts.state import GameState

from . import notation
from .board import Board
from .huff import Infraction
from .illegal import Illegal
from .moves import Move, moves_of
from .score import WIN, Outcome, Score
from .sides import SIDES, Colour, Side, Turn, opponent

Phase = Literal["opening", "move", "over"]

_DICE = re.compile(r"dice ([1-6])([1-6])")
_ROLLS = tuple(f"dice {first}{second}" for first in range(1, 7) for second in range(1, 7))
_HUFF = re.compile(r"huff ([0-9]{1,2})")
_BOTH_MOVED = 2
"""Plies after which both sides have moved."""


@dataclass(frozen=True, slots=True)
class Position:
    """An immutable position of draughts: all that the rest of the game depends on, and nothing else.

    `black` is the seat that plays Black, None before the opening roll. `infraction` holds the rights of the side to
    move after a quiet move of its opponent (D8); `compelled`: the side to move must capture after a `compel`.
    The phases: ``opening`` (both roll one die), ``move``, ``over``.
    """

    options: MatchOptions
    score: Score
    black: Side | None
    state: GameState
    infraction: Infraction | None = None
    compelled: bool = False
    outcome: Outcome | None = None

    @classmethod
    def start(cls, score: Score, options: Mapping[str, Any]) -> Self:
        """Start a game at a score (D1, D9). Raises `ValueError` for options that this game does not have."""
        return cls(MatchOptions.of(options), score, score.black_next, GameState.start())

    # Turn and legal actions

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        if self.outcome is not None:
            return "over"
        return "opening" if self.black is None else "move"

    @property
    def turn(self) -> Turn:
        """The next actor: a side, chance before the opening roll, or over."""
        if self.outcome is not None:
            return "over"
        return "chance" if self.black is None else self._seat(self.state.mover)

    @property
    def colours(self) -> dict[Side, Colour] | None:
        """The colour that each seat plays in this game, or None before the opening roll (D9)."""
        if self.black is None:
            return None
        return {side: "black" if side == self.black else "white" for side in SIDES}

    def _seat(self, colour: Colour) -> Side:
        """The seat that plays a colour; before the opening roll White's seat is shown with White."""
        black = self.black or "black"
        return black if colour == "black" else opponent(black)

    @property
    def rollers(self) -> tuple[Side, ...]:
        """At the opening roll of the first game both seats, one die each (D9); else none."""
        return SIDES if self.phase == "opening" else ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that may be played; after `compel`, and in the mode obligatoria, captures if there are any (D8).

        Empty when the moves of the kings are used up and only the rights after an infraction are left (D7).
        """
        if self.phase != "move" or self.state.plies_left == 0:
            return ()
        captures, quiet = self._legal_moves()
        if captures and (self.compelled or self.options.mode == OBLIGATORIA):
            return captures
        return tuple(sorted((*captures, *quiet)))

    def _legal_moves(self) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        return moves_of(self.state.board, self.state.mover, quantity=self.options.ley_cantidad)

    @property
    def auto(self) -> str | None:
        """None: the server plays nothing by itself, because a side without a move has lost (D6)."""
        return None

    @property
    def _rights(self) -> list[str]:
        """The actions of the side to move against an infraction, before its own move (D8)."""
        if self.infraction is None or self.phase != "move":
            return []
        return [*(f"huff {square}" for square in self.infraction.squares), "compel"]

    def actions(self) -> list[str]:
        """The canonical texts legal for `turn`: the rights after an infraction, then the moves."""
        if self.phase == "opening":
            return list(_ROLLS)
        return [*self._rights, *notation.texts(self.moves)]

    def may(self, side: Side) -> list[str]:
        """The names of the actions that a side can take now, one for each button."""
        if self.phase == "opening":
            return ["roll"]
        if side != self.turn:
            return []
        return [*(["move"] if self.moves else []), *self._rights]

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
            raise Illegal("unreadable_move")
        word = " ".join(action.lower().split())
        if self.phase == "opening" and (roll := _DICE.fullmatch(word)):
            return word, self._after_roll(int(roll[1]), int(roll[2]))
        if self.phase != "move" or word.startswith(("dice", "roll", "resign")):
            raise Illegal("not_now", action=word, phase=self.phase)
        if word == "compel":
            return word, self._after_compel()
        if huff := _HUFF.fullmatch(word):
            return f"huff {int(huff[1])}", self._after_huff(int(huff[1]))
        move = self._find_move(notation.parse(word))
        return notation.text_of(move, self.moves), self._after_move(move)

    def _after_roll(self, white: int, black: int) -> Self:
        """The position after the opening roll: White's die first; the higher plays Black, a tie rolls again (D9)."""
        if white == black:
            return self
        return replace(self, black="white" if white > black else "black")

    def _find_move(self, parsed: notation.ParsedMove) -> Move:
        """The legal move that fits a parsed move. Raises `Illegal` with the reason if there is none."""
        if self.phase != "move":
            raise Illegal("not_now", phase=self.phase)
        if self.state.plies_left == 0:
            raise Illegal("moves_used_up", "D7")
        board, mover = self.state.board, self.state.mover
        move = notation.find(board, mover, self.moves, parsed)
        if move is None:
            raise explain_move(board, mover, parsed, quantity=self.options.ley_cantidad, compelled=self.compelled)
        return move

    def _after_move(self, move: Move) -> Self:
        """The position after a move: in the mode soplar a quiet move may be an infraction (D8)."""
        infraction = Infraction.of(self.state, move, self._legal_moves()[0])
        after = replace(self, state=self.state.after(move), infraction=infraction, compelled=False)
        return after._with_outcome()

    def _after_huff(self, square: int) -> Self:
        """The position after a piece was huffed; the huffing side still makes its own move (D8)."""
        if self.infraction is None or square not in self.infraction.squares:
            raise Illegal("no_huff", "D8", square=square)
        return replace(self, state=self.state.huffed(square), infraction=None)._with_outcome()

    def _after_compel(self) -> Self:
        """The position after `compel`: as before the infraction, counts included, but a capture is due (D8)."""
        if self.infraction is None:
            raise Illegal("no_infraction", "D8")
        return replace(self, state=self.infraction.before, infraction=None, compelled=True)

    def _with_outcome(self) -> Self:
        """This position, over if a side has won or it is drawn (D6, D7).

        While rights after an infraction are open the game goes on, even if the side to move has no move.
        """
        mover, board = self.state.mover, self.state.board
        for colour in (mover, opponent(mover)):
            if not board.of(colour):
                return self._over(self._seat(opponent(colour)), "game")
        if self.infraction is not None:
            return self
        if not any(self._legal_moves()):
            return self._over(self._seat(opponent(mover)), "blocked")
        return self._over(None, "kings") if self.state.plies_left == 0 else self

    def _over(self, winner: Side | None, kind: str) -> Self:
        outcome = Outcome(winner, WIN, kind, self.black)
        return replace(self, infraction=None, compelled=False, outcome=outcome)

    def why(self, path: str, attempt: str) -> dict[str, Any] | None:
        """Why a move is illegal: code, ruling, params; None if it is legal.

        `path` holds the squares that a capture has already passed; `attempt` continues from there.
        """
        try:
            parsed = notation.parse(attempt)
            if path.strip():
                passed = notation.parse(path).squares
                continuation = parsed.squares[1:] if parsed.squares[0] == passed[-1] else parsed.squares
                parsed = notation.ParsedMove((*passed, *continuation), "x")
            self._find_move(parsed)
        except Illegal as illegal:
            return {"code": illegal.code, "ruling": illegal.ruling, "params": illegal.params}
        return None

    # Resignations, draws and flags

    @property
    def resigns_at_once(self) -> bool:
        """True: a game is worth one point, so a resignation needs no answer (D9)."""
        return True

    def resignations(self, loser: Side) -> list[tuple[int, int]]:
        """The (level, points) that a side gives by resigning: the one game (D9)."""
        return [(1, WIN)] if self.phase == "move" else []

    def conceded(self, loser: Side, level: int) -> Self:
        """The position after a resignation (D9). Raises `Illegal`."""
        if (level, WIN) not in self.resignations(loser):
            raise Illegal("resign_level", "D9", level=level)
        return self._over(opponent(loser), "resign")

    def draws(self, side: Side) -> list[str]:
        """The draw actions of a side on its own move: offer a draw once both have moved, or claim one (D7)."""
        if side != self.turn:
            return []
        offer = ["offer-draw"] if self.state.plies >= _BOTH_MOVED else []
        return [*offer, *(["claim-draw"] if self.state.claimable else [])]

    def drawn(self, kind: str) -> Self:
        """The position after a draw by ``agreement`` or ``claim`` (D7). Raises `Illegal`."""
        possible = {"agreement": self.state.plies >= _BOTH_MOVED, "claim": self.state.claimable}
        if self.phase != "move" or not possible.get(kind):
            raise Illegal("draw_not_now", "D7", kind=kind)
        return self._over(None, kind)

    def flagged(self, loser: Side) -> Self:
        """The position after a side lost on time (D9). Raises `Illegal` when the game is over already."""
        if self.phase == "over":
            raise Illegal("not_now", phase=self.phase)
        return self._over(opponent(loser), "flag")

    # Views and snapshots

    def view(self, side: Side | None) -> dict[str, Any]:
        """What one side, or a spectator, sees (docs/protocol.md); the moves only for the side to act."""
        huff = self.infraction and {"squares": list(self.infraction.squares), "compel": True}
        left = self.state.plies_left
        return {
            "family": "squares",
            "phase": self.phase,
            "turn": self.turn,
            "colours": self.colours,
            "board": {self._seat(colour): _half_view(self.state.board, colour) for colour in ("white", "black")},
            "mode": self.options.mode,
            "dice": None,
            "cube": None,
            "pips": None,
            "outcome": self.outcome.view() if self.outcome else None,
            "huff": huff,
            "countdown": None if left is None else {"rule": "kings", "left": left},
            "tree": self._tree() if side is not None and side == self.turn else None,
        }

    def _tree(self) -> list[dict[str, Any]]:
        return [
            {"text": text, "from": move.source, "to": move.target, "taken": list(move.takes), "path": list(move.path)}
            for text, move in notation.texts(self.moves).items()
        ]

    def snapshot(self) -> dict[str, Any]:
        """The position as JSON; ``Position.restore(position.snapshot()) == position``."""
        outcome = self.outcome
        return {
            "mode": self.options.mode,
            "ley_cantidad": self.options.ley_cantidad,
            "score": self.score.snapshot(),
            "black": self.black,
            "now": self.state.snapshot(),
            "infraction": self.infraction.snapshot() if self.infraction else None,
            "compelled": self.compelled,
            "outcome": outcome.view() if outcome else None,
        }

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """Restore the position of a snapshot."""
        black, infraction, outcome = snapshot["black"], snapshot["infraction"], snapshot["outcome"]
        return cls(
            options=MatchOptions.of(snapshot),
            score=Score.restore(snapshot["score"]),
            black=black,
            state=GameState.restore(snapshot["now"]),
            infraction=Infraction.restore(infraction) if infraction else None,
            compelled=snapshot["compelled"],
            outcome=Outcome(**outcome, black=black) if outcome else None,
        )


def _half_view(board: Board, colour: Colour) -> dict[str, list[int]]:
    return {"men": list(board.men(colour)), "kings": list(board.kings_of(colour))}
