"""A bot's part of verifiable dice (bgdice/1): its hash chain, its nonce, and what it has to send when."""

from __future__ import annotations

import secrets
from functools import cached_property

from games.dice import proof
from games.dice.chain import PLAYER_ELEMENTS, Chain
from tools.faults.play.record import Frame


class DiceSecrets:
    """The secrets of one seat. A seat that never `gives` them is held from its first roll on."""

    def __init__(self, *, gives: bool = True) -> None:
        self.gives = gives
        self.nonce = secrets.token_bytes(32)

    @cached_property
    def chain(self) -> Chain:
        return Chain.of(secrets.token_bytes(32), PLAYER_ELEMENTS)

    def due(self, frame: Frame) -> Frame | None:
        """Return the `dice` frame that this seat owes now, without its id (docs/protocol.md, "Dice")."""
        dice, position = frame.get("dice"), frame.get("position")
        if not self.gives or not dice or not position or position["phase"] != "opening":
            return None
        own = dice[frame["you"]]
        if own["held"] or own["deposited"]:
            return None
        if own["end"] is None:
            return {"end": self.chain.element(0).hex(), "commit": proof.commitment(self.nonce).hex()}
        if not dice["ready"] or frame["you"] in frame["ready"]:
            return None
        if own["nonce"] is None:
            return {"nonce": self.nonce.hex(), "c": self.chain.element(1).hex()}
        return {"c": self.chain.element(own["used"] + 1).hex()}

    def may_open(self, frame: Frame) -> bool:
        """Whether this seat can make its opening roll with its part of the dice."""
        dice = frame.get("dice")
        if not dice or not self.gives:
            return True
        own = dice[frame["you"]]
        return bool(own["held"] or own["deposited"])

    def element(self, frame: Frame) -> str:
        """Return the chain element that goes with a roll of this seat; empty if it is held or gives none."""
        dice = frame.get("dice")
        if not dice or not self.gives or frame["position"]["phase"] == "opening":
            return ""
        own = dice[frame["you"]]
        return "" if own["held"] or own["nonce"] is None else self.chain.element(own["used"] + 1).hex()
