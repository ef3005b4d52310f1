"""Fair play: whether a position stands in a match that is being played now. Nothing about such a one is ever judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from analysis.similarity import boards_of, key_of
from games.bots.engine_boards import board_of
from games.engine import Position
from games.events import state_of
from games.models import Match, Seat
from games.registry import RULES

ON_POINTS = [key for key, rules in RULES.items() if rules.family == "points"]
"""The kin of backgammon: whatever the variant, its board can be pasted as one of backgammon."""


def is_live_position(position: Position, score_view: Mapping[str, Any], *, user: User | None) -> bool:
    """Whether this position stands in a running match, live or by correspondence, as a whole.

    For a match of `user` the board alone decides, whatever dice, score and cube are given, and it need not stand there
    yet: one play from it is near enough (`similarity.boards_of`).
    """
    live = Match.objects.filter(status=Match.Status.LIVE, variant__in=ON_POINTS).exclude(snapshot={})
    own_matches = set(
        Seat.objects.filter(user=user, match__status=Match.Status.LIVE).values_list("match_id", flat=True)
    )
    key, board = key_of(position, score_view), tuple(board_of(position.view(None), "white"))
    for match in live.only("variant", "options", "snapshot"):
        state = state_of(match)
        if match.pk in own_matches and board in boards_of(state.position):
            return True
        if key is not None and key == key_of(state.position, state.score.view()):
            return True
    return False


def stands_in_own_match(position: Position, *, user: User, besides: str) -> bool:
    """Whether a running match of `user` other than `besides` has this board, or comes to it by one play."""
    own = Match.objects.filter(seats__user=user, status=Match.Status.LIVE, variant__in=ON_POINTS).exclude(snapshot={})
    board = tuple(board_of(position.view(None), "white"))
    matches = own.exclude(pk=besides).only("variant", "options", "snapshot")
    return any(board in boards_of(state_of(match).position) for match in matches)
