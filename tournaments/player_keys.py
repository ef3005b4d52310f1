"""Who is the same person in several tournaments: a member by account, a walk-in by name."""

from __future__ import annotations

from accounts.names.validation import fold


def player_key(user_id: int | None, name: str) -> str:
    """The key of a person: `u7` for an account, `n` and the folded name for a walk-in."""
    return f"u{user_id}" if user_id is not None else f"n{fold(name)}"
