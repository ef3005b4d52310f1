"""Parse positions of backgammon from ids in pasted text: XGID, or GNU Backgammon's position and match id."""

from __future__ import annotations

import re
from typing import Any, cast

from games.engine import Position
from games.formats.errors import FormatError
from games.registry import RULES

LONGEST = 2000
"""How much of a pasted text is searched for an id."""

_XGID = re.compile(r"(?<![-\w])(?:XGID=)?([-A-Pa-p]{26}(?::-?\w{1,5}){9})(?![\w:])", re.ASCII)
_GNUBG = re.compile(r"(?<![\w+/])([\w+/]{14}):([\w+/]{12})(?![\w+/])", re.ASCII)
_GNUBG_APART = re.compile(
    r"Position ID\s*:\s*([\w+/]{14})(?![\w+/]).{0,400}?Match ID\s*:\s*([\w+/]{12})(?![\w+/])",
    re.ASCII | re.DOTALL | re.IGNORECASE,
)


def read(text: str) -> Position:
    """Find and parse an id in a text. Raises FormatError (`position_id`)."""
    text = text[:LONGEST]
    rules: Any = RULES["backgammon"]
    # Ids are a notation of this game only, so they are not part of the contract: the game itself parses them.
    game: Any = type(rules.start(rules.opening_score(1, {}), {}))
    try:
        if found := _XGID.search(text):
            return cast(Position, game.from_xgid(rules.variant, found[1]))
        if found := _GNUBG.search(text) or _GNUBG_APART.search(text):
            return cast(Position, game.from_gnubg_ids(rules.variant, found[1], found[2]))
    except ValueError as error:
        raise FormatError("position_id", why=str(error)) from error
    raise FormatError("position_id")
