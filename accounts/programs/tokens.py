"""The form of API tokens: their prefixes and digests. Pure."""

from __future__ import annotations

import hashlib

PERSONAL_PREFIX = "tablero_pat_"
"""How personal tokens begin, so that one that leaked can be recognised."""
BOT_PREFIX = "tablero_"


def token_digest(token: str) -> str:
    """What is stored of a token: a plain hash, as its 256 random bits can be looked up but not guessed."""
    return hashlib.sha256(token.encode()).hexdigest()


def bearer_digest(header: str) -> str | None:
    """The digest of the token in an ``Authorization`` header, or None when it carries none."""
    scheme, _, token = header.partition(" ")
    return token_digest(token.strip()) if scheme.lower() == "bearer" and token.strip() else None
