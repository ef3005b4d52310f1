"""The registry of playable variants, the only module that names concrete games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from backgammon.rules import RULES as POINT_GAMES
from backgammon.rules import Illegal as IllegalOnPoints
from draughts import RULES as SQUARE_GAMES
from draughts import Illegal as IllegalOnSquares
from games.engine import Rules

# A cast, because each game's positions take its own scores only, which a protocol cannot express.
RULES: Mapping[str, Rules] = cast(Mapping[str, Rules], {**POINT_GAMES, **SQUARE_GAMES})
ILLEGAL: tuple[type[Exception], ...] = (IllegalOnPoints, IllegalOnSquares)
