"""Names to complete what a director types: members of the club, and walk-ins of its earlier tournaments."""

from __future__ import annotations

from accounts.models import Membership, User
from accounts.names.validation import fold
from tournaments.models import Entrant
from tournaments.roles import DeskAct
from tournaments.selectors import lookups

MOST_NAMES = 10


def names_like(*, tournament_id: str, user: User, typed: str) -> list[str]:
    """At most ten names with a word that begins as typed, those of members first, without who is entered already.

    Raises NotFound, Refused("not_director").
    """
    tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.MANAGE_ENTRANTS)
    key = fold(typed)
    if not key:
        return []
    here = tournament.entrants.filter(withdrawn=False)
    members = (
        Membership.objects.filter(club=tournament.club, user__name_key__startswith=key, user__is_active=True)
        .exclude(user__in=here.filter(user__isnull=False).values("user"))
        .order_by("user__name_key")
        .values_list("user__username", flat=True)[:MOST_NAMES]
    )
    written = (
        Entrant.objects.filter(tournament__club=tournament.club, user=None, written_name__icontains=typed.strip())
        .exclude(written_name__in=here.values("written_name"))
        .order_by("written_name")
        .values_list("written_name", flat=True)
        .distinct()[: 3 * MOST_NAMES]
    )
    begun = (name for name in written if any(fold(word).startswith(key) for word in _beginnings(name)))
    return list(dict.fromkeys((*members, *begun)))[:MOST_NAMES]


def _beginnings(name: str) -> list[str]:
    """The name from each of its words on."""
    words = name.split()
    return [" ".join(words[at:]) for at in range(len(words))]
