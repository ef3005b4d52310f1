"""A draw that anyone can check (bgdice/1): neither the director nor an entrant alone could have chosen it.

The SHA-256 commitment to a secret seed is shown when registration opens. Each entrant brings a nonce when he enters or
checks in. Entrants are sorted by HMAC-SHA256(seed, tournament id | nonces in the order of entrants | entrant); then the
seed is published, and `python3 -m tournaments.draw FILE` recomputes the order from the published file.

Bytes: the tournament id is UTF-8, each nonce 32 bytes, an entrant is his number as 4 bytes, big-endian; nothing stands
between them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sys
from collections.abc import Iterable, Mapping
from typing import Any

SEED_BYTES = 32
HELD = bytes(SEED_BYTES)  # the nonce of an entrant who brought none


def new_seed() -> bytes:
    """A secret seed, or an entrant's nonce, from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is shown before the draw, in hex."""
    return hashlib.sha256(b"bgdice/1/draw" + seed).hexdigest()


def order(seed: bytes, tournament: str, nonces: Mapping[int, bytes]) -> tuple[int, ...]:
    """The drawn order of the entrants in `nonces` (number -> 32 bytes)."""
    head = tournament.encode() + b"".join(nonces[entrant] for entrant in sorted(nonces))

    def mark(entrant: int) -> bytes:
        return hmac.new(seed, head + entrant.to_bytes(4, "big"), hashlib.sha256).digest()

    return tuple(sorted(nonces, key=mark))


def document(seed: bytes, tournament: str, nonces: Mapping[int, bytes], drawn: Iterable[int]) -> dict[str, Any]:
    """Everything that it takes to check a draw, for JSON."""
    return {
        "v": "bgdice/1/draw",
        "tournament": tournament,
        "commitment": commitment(seed),
        "seed": seed.hex(),
        "nonces": {str(entrant): nonces[entrant].hex() for entrant in sorted(nonces)},
        "order": list(drawn),
    }


def wrong(told: Mapping[str, Any]) -> str:
    """What is wrong with a document of a draw: "" when it is as it should be, else "commitment", "order" or "file"."""
    try:
        seed = bytes.fromhex(told["seed"])
        nonces = {int(entrant): bytes.fromhex(nonce) for entrant, nonce in told["nonces"].items()}
        if commitment(seed) != told["commitment"]:
            return "commitment"
        return "" if list(order(seed, told["tournament"], nonces)) == list(told["order"]) else "order"
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return "file"


def main(paths: list[str]) -> int:
    """Check each file; 0 when all are right."""
    bad = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            fault = wrong(json.load(file))
        print(f"{path}: {'the draw is as it was promised' if not fault else f'WRONG: {fault}'}")
        bad += bool(fault)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
