"""The only writers of `games`. Each function is one transition in one transaction; the world is told after the commit.

All of them raise `games.errors.Refused` for what the player may not do, and then nothing was changed.
"""

from games.services.archive import match_import
from games.services.arranged import match_arrange, match_arrive, match_call_off
from games.services.lobby import match_cancel, match_create, match_decline, match_join, match_rematch
from games.services.play import Answer, bots_claim, match_act, match_touch

__all__ = [
    "Answer",
    "bots_claim",
    "match_act",
    "match_arrange",
    "match_arrive",
    "match_call_off",
    "match_cancel",
    "match_create",
    "match_decline",
    "match_import",
    "match_join",
    "match_rematch",
    "match_touch",
]
