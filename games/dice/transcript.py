"""The proofs of rolls, from the recorded actions alone, and the transcript of a match (bgdice/1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from games.dice.match_dice import HELD, MatchDice, proof_json
from games.engine import SIDES, Json, Side

VERSION = "bgdice/1"


def roller(actor: str, text: str) -> Side | None:
    """The side that has rolled, or was recorded as having rolled, by this action."""
    for side in SIDES:
        if (actor, text) in ((side, "roll"), ("server", f"hold {side}")):
            return side
    return None


@dataclass(slots=True)
class ProofReader:
    """Steps over the actions of a match in their order; `index` is the number of the last roll before them.

    The row of a ``roll`` or ``hold`` keeps the element that its seat gave (none: the seat was held), the row of the
    dice keeps the server's (none: those dice were not rolled from a chain, and have no proof).
    """

    index: int = 0
    _game: int = 0
    _deposits: dict[Side, str] = field(default_factory=dict)

    def after(self, game: int, actor: str, text: str, element: str) -> Json | None:
        """The proof of the dice, if this action is a roll that has one."""
        if game != self._game:  # an unfinished opening: the same deposits count in the next game
            self._game, self._deposits = game, {}
        if actor == "chance":
            self.index += 1
            deposits, self._deposits = self._deposits, {}
            elements = {side: deposits[side] for side in SIDES if side in deposits}
            return proof_json(self.index, elements, element) if element and elements else None
        if (side := roller(actor, text)) is not None:
            self._deposits[side] = element or HELD
        return None


def transcript(match_id: str, match_dice: MatchDice, actions: Iterable[tuple[int, str, str, str]]) -> Json:
    """What `docs/verify_dice.py` checks: the commitments, and every roll so far.

    `actions` are all of the match: number of the game, actor, text, element. What a seat never gave is 32 zero bytes.
    """
    white, black = match_dice.white, match_dice.black
    document: Json = {
        "v": VERSION,
        "match": match_id,
        "s0": match_dice.s0,
        "a0": white.end or HELD,
        "b0": black.end or HELD,
    }
    document |= {"cA": white.commit or HELD, "cB": black.commit or HELD}
    document |= {"nA": white.nonce or HELD, "nB": black.nonce or HELD}
    reader = ProofReader()
    rolls = [(reader.after(game, actor, text, element), text) for game, actor, text, element in actions]
    document["rolls"] = [{**roll, "dice": [int(text[-2]), int(text[-1])]} for roll, text in rolls if roll]
    return document


def no_transcript(match_id: str, note: str) -> Json:
    """The document for a match whose dice have no proof; `note` says why."""
    return {"v": None, "match": match_id, "note": note, "rolls": []}
