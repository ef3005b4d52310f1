"""Who may hear what: the one place that streams, pages of events and webhooks ask, each time before they tell.

What a program hears is what its owner could see on the pages at that moment. What concerns him (``user:``) he may
always; a match as `games.selectors.lists.match_seen` says; tournaments and ladders are public; a desk is for those who
direct that tournament now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from accounts import ties
from accounts.models import User
from games.errors import NotFound
from games.models import Ladder, Match
from games.selectors.lists import match_seen
from hooks.kinds import DESK, LADDER, MATCH, TOURNAMENT, USER, by_kind, topic
from tournaments.models import Director, Tournament


def audible(user: User, topics: Iterable[str]) -> frozenset[str]:
    """Of these topics those that this person may hear now. At most one query a kind, and more where a block stands."""
    if not user.is_active:
        return frozenset()
    asked = by_kind(topics)
    found = {topic(USER, user.pk)} & {topic(USER, one) for one in asked[USER]}
    found |= {topic(MATCH, one) for one in _matches(user, asked[MATCH])}
    if ids := asked[TOURNAMENT]:
        found |= {topic(TOURNAMENT, one) for one in Tournament.objects.filter(pk__in=ids).values_list("pk", flat=True)}
    if ids := asked[DESK]:
        mine = Director.objects.filter(user=user, tournament__in=ids).values_list("tournament", flat=True)
        found |= {topic(DESK, one) for one in mine}
    if ids := asked[LADDER]:
        found |= {topic(LADDER, one) for one in Ladder.objects.filter(pk__in=ids).values_list("pk", flat=True)}
    return frozenset(found)


def _matches(user: User, ids: Collection[str]) -> set[str]:
    """The matches that he could look at. Finished ones are public; the others are asked one by one if need be."""
    if not ids:
        return set()
    apart = ties.apart_from(user.pk)
    found = set()
    for match in Match.objects.filter(pk__in=ids).prefetch_related("seats"):
        people = {seat.user_id for seat in match.seats.all()}
        public = match.status == Match.Status.LIVE and not people & apart
        if public or match.status == Match.Status.OVER or _seen(match.pk, user):
            found.add(match.pk)
    return found


def _seen(match_id: str, user: User) -> bool:
    try:
        match_seen(match_id=match_id, user=user)
    except NotFound:  # and of it KeptOut
        return False
    return True
