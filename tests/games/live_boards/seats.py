"""Matches for the live boards."""

from __future__ import annotations

from accounts.models import User
from games import services
from games.live_boards import MatchInterest
from games.models import Match

SECRETS = ("tree", "private", "names", "may", "huff", "order", "dice_seed", "nonce", "commit")
"""Fields that no spectator receives."""


def ids(matches: list[MatchInterest]) -> list[str]:
    return [match.match_id for match in matches]


def seat_others(count: int, *, first: int = 0) -> list[Match]:
    made = []
    for number in range(first, first + count):
        white, black = (User.objects.create_user(f"{name}{number}") for name in ("uno", "dos"))
        seek = services.match_create(creator=white, variant="backgammon", length=3, clock="club", rated=False)
        made.append(services.match_join(match_id=seek.pk, user=black))
    return made
