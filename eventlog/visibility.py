"""Who may read which events: the one place that streams, the API and webhooks ask, each time before they send.

An app may read what its owner could see on the pages at that moment. What concerns the owner (``user:``) is always
included; a match as `games.selectors.matches.visible_match` says; tournaments and ladders are public; ``desk:`` is for
the current officials of that tournament.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from eventlog.kinds import DESK, LADDER, MATCH, TOURNAMENT, USER, by_kind, topic
from games.errors import NotFound
from games.models import Match
from games.selectors.matches import visible_match
from ladders.models import Ladder
from tournaments.models import Official, Tournament
from tournaments.roles import DeskAct, may


def permitted_topics(user: User, topics: Iterable[str]) -> frozenset[str]:
    """Return those of these topics that this user may read now. At most one query a kind, more where a block exists."""
    if not user.is_active:
        return frozenset()
    ids_by_kind = by_kind(topics)
    found = {topic(USER, user.pk)} & {topic(USER, user_id) for user_id in ids_by_kind[USER]}
    found |= {topic(MATCH, match_id) for match_id in _matches(user, ids_by_kind[MATCH])}
    if ids := ids_by_kind[TOURNAMENT]:
        found |= {
            topic(TOURNAMENT, tournament_id)
            for tournament_id in Tournament.objects.filter(pk__in=ids).values_list("pk", flat=True)
        }
    if ids := ids_by_kind[DESK]:
        held = Official.objects.filter(user=user, tournament__in=ids).values_list("tournament", "role")
        found |= {topic(DESK, tournament_id) for tournament_id, role in held if may(role, DeskAct.VIEW_DESK)}
    if ids := ids_by_kind[LADDER]:
        found |= {
            topic(LADDER, ladder_id) for ladder_id in Ladder.objects.filter(pk__in=ids).values_list("pk", flat=True)
        }
    return frozenset(found)


def _matches(user: User, ids: Collection[str]) -> set[str]:
    """Return the matches that the user may see. Finished ones are public; the others are checked one by one."""
    if not ids:
        return set()
    apart = relationship_selectors.separated_by_block(user.pk)
    found = set()
    for match in Match.objects.filter(pk__in=ids).prefetch_related("seats"):
        people = {seat.user_id for seat in match.seats.all()}
        public = match.status == Match.Status.LIVE and not people & apart
        if public or match.status == Match.Status.OVER or _seen(match.pk, user):
            found.add(match.pk)
    return found


def _seen(match_id: str, user: User) -> bool:
    try:
        visible_match(match_id=match_id, user=user)
    except NotFound:  # and of it KeptOut
        return False
    return True
