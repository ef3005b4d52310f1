"""Which cases a moderator may open: none of a match that they play themselves while it runs."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from chat.models import Case
from chat.moderators import is_moderator
from games.models import Match, Seat


def visible_cases(user: User) -> QuerySet[Case]:
    """Return the cases that `user` may see; none for people who are not moderators.

    Otherwise a moderator who plays would read in a case what the spectators of the match write to each other.
    """
    if not is_moderator(user):
        return Case.objects.none()
    at_the_table = Seat.objects.filter(match=OuterRef("match"), user=user).exclude(match__status=Match.Status.OVER)
    return Case.objects.filter(Q(match=None) | ~Exists(at_the_table))
