"""Look-ups of single rows: who directs, who is on a ladder, which challenge belongs to it."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from accounts.clubs.roles import may_direct
from accounts.models import Club, User
from accounts.web.staff import refusal_code
from games.errors import NotFound
from ladders.errors import Refused
from ladders.models import Ladder, LadderChallenge, LadderPlayer


def ladder_with(ladder_id: str) -> Ladder:
    """A ladder with its club. Raises NotFound."""
    found = Ladder.objects.select_related("club").filter(pk=ladder_id).first()
    if found is None:
        raise NotFound
    return found


def directed(*, ladder_id: str, user: User) -> Ladder:
    """A ladder that `user` may direct. Raises NotFound, Refused("ladder_not_director")."""
    found = ladder_with(ladder_id)
    if not may_direct(user, found.club):
        raise Refused(refusal_code(user, "ladder_not_director"))
    return found


def player_on(*, ladder_id: str, user_id: int, code: str = "ladder_rival_not_on") -> User:
    """The player with this id who is on the ladder. Raises Refused(`code`)."""
    on = User.objects.filter(ladder_places__ladder=ladder_id, ladder_places__rank__isnull=False)
    found = on.filter(pk=user_id).first()
    if found is None:
        raise Refused(code)
    return found


def place_on(ladder: Ladder, user: User) -> int | None:
    """The place of `user` on a ladder, 1 on top; None for somebody who is not on it."""
    places = LadderPlayer.objects.filter(ladder=ladder, user=user, rank__isnull=False)
    return places.values_list("rank", flat=True).first()


def challenge_on(*, ladder_id: str, challenge_id: int) -> int:
    """The id of a challenge that belongs to the ladder. Raises NotFound."""
    if not LadderChallenge.objects.filter(pk=challenge_id, ladder=ladder_id).exists():
        raise NotFound
    return challenge_id


# For `games`, which asks whose match it is


def club_of_match(match_id: str) -> Club | None:
    """The club of the ladder for whose challenge a match is played; None for any other match."""
    found = LadderChallenge.objects.select_related("ladder__club").filter(match=match_id).first()
    return None if found is None else found.ladder.club


def directs_match(*, match_id: str, user_id: int) -> bool:
    """Whether a user directs the ladder for whose challenge a match is played."""
    club = club_of_match(match_id)
    return club is not None and may_direct(User.objects.get(pk=user_id), club)


def challenges_since(*, user_id: int, since: datetime) -> QuerySet[LadderChallenge]:
    """The unanswered challenges that `user_id` has received after a moment, the oldest first."""
    offered = LadderChallenge.objects.filter(status=LadderChallenge.Status.OFFERED, made_at__gt=since)
    return offered.filter(defender=user_id).select_related("challenger", "ladder").order_by("made_at")
