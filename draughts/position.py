"""One game at one moment: who plays which colour, the men, the rights after an infraction, and what may happen next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from . import notation
from .board import Board
from .huff import Infraction
from .illegal import Illegal
from .law import OBLIGATORIA, Law
from .moment import Moment
from .moves import Move, moves_of
from .score import WIN, Outcome, Score
from .sides import SIDES, Colour, Side, Turn, rival
from .why import reason

Phase = Literal["opening", "move", "over"]

_DICE = re.compile(r"dice ([1-6])([1-6])", re.ASCII)
_ROLLS = tuple(f"dice {first}{second}" for first in range(1, 7) for second in range(1, 7))
_HUFF = re.compile(r"huff ([0-9]{1,2})", re.ASCII)
_BEGUN = 2
"""Plies after which both sides have moved."""


@dataclass(frozen=True, slots=True)
class Position:
    """A frozen game of draughts: everything that the rest of it depends on, and nothing else.

    `black` is the seat that plays Black, None before the opening roll. `infraction` holds the rights of the side to
    move after a quiet move of its rival (D8); `compelled`: the side to move was made to take and must.
    The phases: ``opening`` (both roll one die), ``move``, ``over``.
    """

    law: Law
    score: Score
    black: Side | None
    now: Moment
    infraction: Infraction | None = None
    compelled: bool = False
    outcome: Outcome | None = None

    @classmethod
    def start(cls, score: Score, options: Mapping[str, Any]) -> Self:
        """The start of a game at a score (D1, D9). Raises `ValueError` for options that are none of this game."""
        return cls(Law.of(options), score, score.black_next, Moment.start())

    # Who acts, and what he may do

    @property
    def phase(self) -> Phase:
        """Where the game stands."""
        if self.outcome is not None:
            return "over"
        return "opening" if self.black is None else "move"

    @property
    def turn(self) -> Turn:
        """Whose action comes next: a side, chance while the opening dice are to fall, or over."""
        if self.outcome is not None:
            return "over"
        return "chance" if self.black is None else self._seat(self.now.mover)

    @property
    def colours(self) -> dict[Side, Colour] | None:
        """The colour of the men that each seat plays in this game, or None before the opening roll (D9)."""
        if self.black is None:
            return None
        return {side: "black" if side == self.black else "white" for side in SIDES}

    def _seat(self, colour: Colour) -> Side:
        """The seat that plays a colour; before the opening roll White's seat is shown with White."""
        black = self.black or "black"
        return black if colour == "black" else rival(black)

    @property
    def rollers(self) -> tuple[Side, ...]:
        """At the opening roll of the first game both seats, one die each (D9); else nobody."""
        return SIDES if self.phase == "opening" else ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that may be played; after `compel`, and in the mode obligatoria, captures if there are any (D8).

        None when the moves of the kings are used up and only the rights after an infraction are left (D7).
        """
        if self.phase != "move" or self.now.left == 0:
            return ()
        captures, quiet = self._moves_of_now()
        if captures and (self.compelled or self.law.mode == OBLIGATORIA):
            return captures
        return tuple(sorted((*captures, *quiet)))

    def _moves_of_now(self) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        return moves_of(self.now.board, self.now.mover, quantity=self.law.ley_cantidad)

    @property
    def auto(self) -> str | None:
        """Nothing is played by the server: a side without a move has lost (D6)."""
        return None

    @property
    def _rights(self) -> list[str]:
        """What the side to move may do about an infraction before its own move (D8)."""
        if self.infraction is None or self.phase != "move":
            return []
        return [*(f"huff {square}" for square in self.infraction.squares), "compel"]

    def actions(self) -> list[str]:
        """The canonical texts legal for `turn`: the rights after an infraction, then the moves."""
        if self.phase == "opening":
            return list(_ROLLS)
        return [*self._rights, *notation.texts(self.moves)]

    def may(self, side: Side) -> list[str]:
        """The names of the buttons that a side has now."""
        if self.phase == "opening":
            return ["roll"]
        if side != self.turn:
            return []
        return [*(["move"] if self.moves else []), *self._rights]

    # What happens

    def canonical(self, action: str) -> str:
        """The stored form of what a player wrote. Raises `Illegal`."""
        return self._played(action)[0]

    def after(self, action: str) -> Self:
        """The position after an action of `turn`. Raises `Illegal`."""
        return self._played(action)[1]

    def _played(self, action: str) -> tuple[str, Self]:
        """The canonical form of an action, and the position after it."""
        if not isinstance(action, str) or len(action) > notation.LONGEST:
            raise Illegal("unreadable_move")
        word = " ".join(action.lower().split())
        if self.phase == "opening" and (thrown := _DICE.fullmatch(word)):
            return word, self._thrown(int(thrown[1]), int(thrown[2]))
        if self.phase != "move" or word.startswith(("dice", "roll", "resign")):
            raise Illegal("not_now", action=word, phase=self.phase)
        if word == "compel":
            return word, self._taken_back()
        if huff := _HUFF.fullmatch(word):
            return f"huff {int(huff[1])}", self._huffed(int(huff[1]))
        move = self._named(notation.parse(word))
        return notation.text_of(move, self.moves), self._moved(move)

    def _thrown(self, white: int, black: int) -> Self:
        """After the opening roll: White's die is the first, the higher has Black, a tie is thrown again (D9)."""
        if white == black:
            return self
        return replace(self, black="white" if white > black else "black")

    def _named(self, wish: notation.Wish) -> Move:
        """The legal move that a wish names. Raises `Illegal` with the reason why there is none."""
        if self.phase != "move":
            raise Illegal("not_now", phase=self.phase)
        if self.now.left == 0:
            raise Illegal("moves_used_up", "D7")
        board, mover = self.now.board, self.now.mover
        move = notation.find(board, mover, self.moves, wish)
        if move is None:
            raise reason(board, mover, wish, quantity=self.law.ley_cantidad, compelled=self.compelled)
        return move

    def _moved(self, move: Move) -> Self:
        """After a move: in the mode soplar one that takes nothing may be an infraction (D8)."""
        infraction = Infraction.of(self.now, move, self._moves_of_now()[0])
        after = replace(self, now=self.now.after(move), infraction=infraction, compelled=False)
        return after._judged()

    def _huffed(self, square: int) -> Self:
        """After a piece was huffed; its owner's rival still makes his own move (D8)."""
        if self.infraction is None or square not in self.infraction.squares:
            raise Illegal("no_huff", "D8", square=square)
        return replace(self, now=self.now.huffed(square), infraction=None)._judged()

    def _taken_back(self) -> Self:
        """After `compel`: as before the infraction, its counts too, and the offender must take (D8)."""
        if self.infraction is None:
            raise Illegal("no_infraction", "D8")
        return replace(self, now=self.infraction.before, infraction=None, compelled=True)

    def _judged(self) -> Self:
        """The position, over if somebody has won or it is drawn (D6, D7).

        While rights are open the game goes on: who leaves his rival without a move by not taking has not won yet.
        """
        mover, board = self.now.mover, self.now.board
        for colour in (mover, rival(mover)):
            if not board.of(colour):
                return self._over(self._seat(rival(colour)), "game")
        if self.infraction is not None:
            return self
        if not any(self._moves_of_now()):
            return self._over(self._seat(rival(mover)), "blocked")
        return self._over(None, "kings") if self.now.left == 0 else self

    def _over(self, winner: Side | None, kind: str) -> Self:
        outcome = Outcome(winner, WIN, kind, self.black)
        return replace(self, infraction=None, compelled=False, outcome=outcome)

    def why(self, path: str, attempt: str) -> dict[str, Any] | None:
        """Why a move is illegal: code, ruling, params; None if it is legal.

        `path` are the squares of a capture that were already gone through, `attempt` goes on from there.
        """
        try:
            wish = notation.parse(attempt)
            if path.strip():
                begun = notation.parse(path).squares
                goes_on = wish.squares[1:] if wish.squares[0] == begun[-1] else wish.squares
                wish = notation.Wish((*begun, *goes_on), "x")
            self._named(wish)
        except Illegal as illegal:
            return {"code": illegal.code, "ruling": illegal.ruling, "params": illegal.params}
        return None

    # Giving up, and draws

    @property
    def resigns_at_once(self) -> bool:
        """A game is worth one point, so giving it up needs no answer (D9)."""
        return True

    def resignations(self, loser: Side) -> list[tuple[int, int]]:
        """The (level, points) that a side gives by resigning: the one game (D9)."""
        return [(1, WIN)] if self.phase == "move" else []

    def conceded(self, loser: Side, level: int) -> Self:
        """The game over by a resignation (D9). Raises `Illegal`."""
        if (level, WIN) not in self.resignations(loser):
            raise Illegal("resign_level", "D9", level=level)
        return self._over(rival(loser), "resign")

    def draws(self, side: Side) -> list[str]:
        """What a side may do towards a draw, on its own move: offer one once both have moved, or claim one (D7)."""
        if side != self.turn:
            return []
        offer = ["offer-draw"] if self.now.plies >= _BEGUN else []
        return [*offer, *(["claim-draw"] if self.now.claimable else [])]

    def drawn(self, kind: str) -> Self:
        """The game drawn by ``agreement`` or ``claim`` (D7). Raises `Illegal`."""
        possible = {"agreement": self.now.plies >= _BEGUN, "claim": self.now.claimable}
        if self.phase != "move" or not possible.get(kind):
            raise Illegal("draw_not_now", "D7", kind=kind)
        return self._over(None, kind)

    def flagged(self, loser: Side) -> Self:
        """The game lost on time (D9). Raises `Illegal` when it is over already."""
        if self.phase == "over":
            raise Illegal("not_now", phase=self.phase)
        return self._over(rival(loser), "flag")

    # How it is shown and kept

    def view(self, side: Side | None) -> dict[str, Any]:
        """What a board draws (docs/protocol.md); the moves only for the side to act."""
        huff = self.infraction and {"squares": list(self.infraction.squares), "compel": True}
        left = self.now.left
        return {
            "family": "squares",
            "phase": self.phase,
            "turn": self.turn,
            "colours": self.colours,
            "board": {self._seat(colour): _half_view(self.now.board, colour) for colour in ("white", "black")},
            "mode": self.law.mode,
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
            "mode": self.law.mode,
            "ley_cantidad": self.law.ley_cantidad,
            "score": self.score.snapshot(),
            "black": self.black,
            "now": self.now.snapshot(),
            "infraction": self.infraction.snapshot() if self.infraction else None,
            "compelled": self.compelled,
            "outcome": outcome.view() if outcome else None,
        }

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """The position that made this snapshot."""
        black, infraction, outcome = snapshot["black"], snapshot["infraction"], snapshot["outcome"]
        return cls(
            law=Law.of(snapshot),
            score=Score.restore(snapshot["score"]),
            black=black,
            now=Moment.restore(snapshot["now"]),
            infraction=Infraction.restore(infraction) if infraction else None,
            compelled=snapshot["compelled"],
            outcome=Outcome(**outcome, black=black) if outcome else None,
        )


def _half_view(board: Board, colour: Colour) -> dict[str, list[int]]:
    return {"men": list(board.men(colour)), "kings": list(board.kings_of(colour))}
