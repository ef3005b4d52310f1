"""Which cases a moderator may look at: not those of a match that he plays himself while it runs."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.models import Match, Seat
from talk.models import Case
from talk.roles import moderates


def cases_for(user: User) -> QuerySet[Case]:
    """Of all cases those that `user` may see; none for who is no moderator.

    A moderator at the table would read in a case what his watchers write to one another.
    """
    if not moderates(user):
        return Case.objects.none()
    at_the_table = Seat.objects.filter(match=OuterRef("match"), user=user).exclude(match__status=Match.Status.OVER)
    return Case.objects.filter(Q(match=None) | ~Exists(at_the_table))
