"""The followed players who are online now, for the lobby; the number of queries does not depend on how many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.utils import timezone

from accounts.models import User
from accounts.relationships.selectors import FOLLOW, relationships_of
from games.models import Seat
from games.selectors.matches import recently_active
from games.services import online
from games.services.presence import SLOW

MOST_FOLLOWED = 200
"""How many followed players are considered, the latest first."""
MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class FollowedPlayer:
    """A followed player who is online: playing the match `match_id`, or free to play ("").

    `friend`: they follow the viewer, too.
    """

    user: User
    friend: bool
    match_id: str = ""


def followed_online(user: User | None, blocked: frozenset[int]) -> list[FollowedPlayer]:
    """The players that `user` follows, if they are at a match or have a page open: friends first. One query.

    Bots, which are always online, and players in a match with the viewer are left out. No match is named against one
    of the players in `blocked`, who are separated from the viewer by a block.
    """
    if user is None:
        return []
    live = recently_active(timezone.now()).exclude(clock_preset__in=SLOW)
    seats = Seat.objects.filter(user=OuterRef("about"), ended_at=None, match__in=live)
    against = Seat.objects.filter(match=OuterRef("match"))
    watchable = seats.exclude(Exists(against.filter(user__in=blocked))) if blocked else seats
    followed = relationships_of(user, FOLLOW).filter(about__is_active=True, about__is_bot=False)
    followed = followed.annotate(
        match_id=Subquery(watchable.order_by("-match__started_at").values("match")[:1]),
        with_viewer=Exists(seats.filter(Exists(against.filter(user=user)))),
    )
    known: dict[int, Any] = {relationship.about_id: relationship for relationship in followed[:MOST_FOLLOWED]}
    connected = online.among(known) if known else frozenset()
    found = [
        FollowedPlayer(relationship.about, relationship.friend, relationship.match_id or "")
        for pk, relationship in known.items()
        if (pk in connected or relationship.match_id) and not relationship.with_viewer
    ]
    return sorted(found, key=lambda player: (not player.friend, not player.match_id, player.user.name_key))[:MOST_SHOWN]
