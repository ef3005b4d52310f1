"""Dice that anyone can check (bgdice/1): what binds a match, and the two dice of a roll.

Neither the server nor a player alone can choose, foresee or change a roll: the server's chain and the players' chains
were all published (their element 0) before either nonce was revealed, and every roll needs the next element of the
server's chain and of the roller's. Server and roller together could only foresee the roller's own rolls.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Literal

RollerLetter = Literal["A", "B", "O"]
"""Whose roll it is: White's, Black's, or the opening, where die 1 is White's and die 2 is Black's."""

BYTES = 32
HELD = bytes(BYTES)
"""The element, and the nonce never revealed, of a held seat: a bot, a plain API client, a device without the seed."""


def commitment(nonce: bytes) -> bytes:
    """The commitment to a nonce that a player publishes before revealing it."""
    return hashlib.sha256(b"bgdice/1/nonce" + nonce).digest()


def context(match_id: str, s0: bytes, a0: bytes, b0: bytes, nonce_a: bytes, nonce_b: bytes) -> bytes:
    """X: one number that binds the match, the three chains and both nonces."""
    return hashlib.sha256(b"bgdice/1/ctx" + match_id.encode() + s0 + a0 + b0 + nonce_a + nonce_b).digest()


def roll(x: bytes, i: int, roller: RollerLetter, s: bytes, c: bytes) -> tuple[int, int]:
    """The dice of roll `i` (1, 2, 3 ... over the whole match) from the server's element `s` and the roller's `c`.

    At the opening `c` is White's element and then Black's.
    """
    return dice_of(hmac.new(s, x + i.to_bytes(4, "big") + roller.encode() + c, hashlib.sha256).digest())


def dice_of(digest: bytes) -> tuple[int, int]:
    """The first two faces in a digest, or else in the digest of it, and so on.

    Bytes of 252 and above are skipped, so that each face has exactly 42 bytes of the 252.
    """
    while True:
        dice = [byte % 6 + 1 for byte in digest if byte < 252]
        if len(dice) >= 2:
            return dice[0], dice[1]
        digest = hashlib.sha256(digest).digest()
