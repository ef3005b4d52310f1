"""The followed players who are online now, for the lobby; the number of queries does not depend on how many."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import User
from accounts.relationships.selectors import FOLLOW, relationships_of, separated_by_block
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


def followed_online(user: User | None) -> list[FollowedPlayer]:
    """The players whom `user` follows who are playing or have a page open, mutual follows first.

    Bots, which are always online, and players in a match with the viewer are left out.
    """
    if user is None:
        return []
    followed = relationships_of(user, FOLLOW).filter(about__is_active=True, about__is_bot=False)[:MOST_FOLLOWED]
    known = {relationship.about_id: relationship for relationship in followed}
    if not known:
        return []
    connected = online.among(known)
    matches, with_viewer = _live_matches(user, frozenset(known))
    found = [
        FollowedPlayer(relationship.about, relationship.friend, matches.get(pk, ""))  # type: ignore[attr-defined]
        for pk, relationship in known.items()
        if (pk in connected or pk in matches) and pk not in with_viewer
    ]
    return sorted(found, key=lambda player: (not player.friend, not player.match_id, player.user.name_key))[:MOST_SHOWN]


def _live_matches(user: User, people: frozenset[int]) -> tuple[dict[int, str], frozenset[int]]:
    """The live match of each of these players that `user` may watch, and the players who are in a match with `user`."""
    live = recently_active(timezone.now()).exclude(clock_preset__in=SLOW)
    same_match = Seat.objects.filter(match=OuterRef("match"))
    rows = list(
        Seat.objects.filter(user__in=people, match__in=live)
        .annotate(
            own=Exists(same_match.filter(user=user)),
            blocked=Exists(same_match.filter(user__in=separated_by_block(user.pk))),
        )
        .order_by("match__started_at")
        .values_list("user", "match", "own", "blocked")
    )
    watchable = {player: match for player, match, own, blocked in rows if not own and not blocked}
    return watchable, frozenset(player for player, _match, own, _blocked in rows if own)
