"""A draw that anyone can verify (bgdice/1): neither the director nor an entrant alone could have chosen it.

The SHA-256 commitment to a secret seed is shown when registration opens. Each entrant adds a nonce when they register
or check in. Entrants are sorted by HMAC-SHA256(seed, tournament id | nonces in the order of entrants | entrant); then
the seed is published, and `python3 -m tournaments.draw FILE` recomputes the order from the published file.

Bytes: the tournament id is UTF-8, each nonce 32 bytes, an entrant is their number as 4 bytes, big-endian; nothing
stands between them.
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
HELD = bytes(SEED_BYTES)  # the nonce of an entrant without one


def new_seed() -> bytes:
    """A secret seed, or an entrant's nonce, from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """What is shown before the draw, in hex."""
    return hashlib.sha256(b"bgdice/1/draw" + seed).hexdigest()


def order(seed: bytes, tournament: str, nonces: Mapping[int, bytes]) -> tuple[int, ...]:
    """The drawn order of the entrants in `nonces` (number -> 32 bytes)."""
    head = tournament.encode() + b"".join(nonces[entrant] for entrant in sorted(nonces))

    def sort_key(entrant: int) -> bytes:
        return hmac.new(seed, head + entrant.to_bytes(4, "big"), hashlib.sha256).digest()

    return tuple(sorted(nonces, key=sort_key))


def document(seed: bytes, tournament: str, nonces: Mapping[int, bytes], drawn: Iterable[int]) -> dict[str, Any]:
    """Everything that is needed to verify a draw, for JSON."""
    return {
        "v": "bgdice/1/draw",
        "tournament": tournament,
        "commitment": commitment(seed),
        "seed": seed.hex(),
        "nonces": {str(entrant): nonces[entrant].hex() for entrant in sorted(nonces)},
        "order": list(drawn),
    }


def verify(published: Mapping[str, Any]) -> str:
    """What is wrong with the document of a draw: "commitment", "order" or "file"; "" if nothing is."""
    try:
        seed = bytes.fromhex(published["seed"])
        nonces = {int(entrant): bytes.fromhex(nonce) for entrant, nonce in published["nonces"].items()}
        if commitment(seed) != published["commitment"]:
            return "commitment"
        return "" if list(order(seed, published["tournament"], nonces)) == list(published["order"]) else "order"
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return "file"


def main(paths: list[str]) -> int:
    """Verify each file; the exit code is 0 when all are right."""
    failed = False
    for path in paths:
        with open(path, encoding="utf-8") as file:
            error = verify(json.load(file))
        print(f"{path}: {'the draw is as it was promised' if not error else f'WRONG: {error}'}")
        failed |= bool(error)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
