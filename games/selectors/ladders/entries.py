"""Small questions of the pages of ladders: who directs, who stands where, whom one has to answer."""

from __future__ import annotations

from accounts.models import User
from accounts.roles import directs
from games.errors import NotFound, Refused
from games.models import Ladder, LadderChallenge


def directed(*, ladder_id: str, user: User) -> Ladder:
    """A ladder that `user` may direct. Raises NotFound, Refused("ladder_not_director")."""
    found = ladder_with(ladder_id)
    if not directs(user, found.club):
        raise Refused("ladder_not_director")
    return found


def ladder_with(ladder_id: str) -> Ladder:
    """A ladder with its club. Raises NotFound."""
    found = Ladder.objects.select_related("club").filter(pk=ladder_id).first()
    if found is None:
        raise NotFound
    return found


def player_on(*, ladder_id: str, user_id: int) -> User | None:
    """The player with this id, if he is on the ladder."""
    return User.objects.filter(ladder_places__ladder=ladder_id, ladder_places__rank__isnull=False, pk=user_id).first()


def has_challenge(*, ladder_id: str, challenge_id: int) -> bool:
    """Whether a challenge belongs to a ladder."""
    return LadderChallenge.objects.filter(pk=challenge_id, ladder=ladder_id).exists()
