"""The records of a club: the most matches, wins, longest streaks ... of its members, counted once an hour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum

from accounts.models import Club, User
from games.database import now
from games.models import Match, Rating, Seat, SeatFacts
from games.rating_pools import COMPUTERS
from tournaments.models import ClubRecords

REFRESH_AFTER = timedelta(hours=1)
SHOWN = 3  # players in each record
SHORTEST_STREAK = 2
KINDS = ("matches", "wins", "streak", "rating", "gammons")


def records_due(most: int) -> list[int]:
    """The clubs whose records are older than `REFRESH_AFTER`, or were never counted."""
    old = Q(records=None) | Q(records__counted_at__lte=now() - REFRESH_AFTER)
    return list(Club.objects.filter(old).order_by("pk").values_list("pk", flat=True)[:most])


def records_count(*, club_id: int) -> ClubRecords:
    """Count the records of a club (K6), and store them; a match in which a play was taken back is in none (B17)."""
    club = Club.objects.get(pk=club_id)
    people = members_of(club)
    seats = Seat.objects.filter(user__in=people, ended_at__isnull=False, match__status=Match.Status.OVER)
    seats = seats.filter(match__taken_back=0)
    seats = seats.exclude(match__ended_by=Match.EndedBy.STOPPED)
    found = {
        "matches": _most(seats.values("user__username").annotate(n=Count("pk"))),
        "wins": _most(seats.filter(won=True).values("user__username").annotate(n=Count("pk"))),
        "streak": _first(_streaks(seats)),
        "rating": _ratings(people),
        "gammons": _most(_gammons(people)),
    }
    row, _made = ClubRecords.objects.update_or_create(club=club, defaults={"found": found, "counted_at": now()})
    return row


def members_of(club: Club) -> QuerySet[User]:
    """The members of a club, without former ones; of the default club everybody of the site."""
    people = User.objects.filter(is_active=True, is_guest=False, is_bot=False)
    return people if club.is_default else people.filter(memberships__club=club)


def _most(rows: Any) -> list[dict[str, Any]]:
    best = rows.filter(n__gt=0).order_by("-n", "user__username").values_list("user__username", "n")[:SHOWN]
    return [{"name": name, "value": value} for name, value in best]


def _first(rows: Iterable[tuple[str, int]]) -> list[dict[str, Any]]:
    best = sorted(rows, key=lambda row: (-row[1], row[0]))[:SHOWN]
    return [{"name": name, "value": value} for name, value in best]


def _streaks(seats: QuerySet[Seat]) -> Iterator[tuple[str, int]]:
    """The longest winning streak of each player."""
    rows = seats.order_by("user__username", "ended_at", "match").values_list("user__username", "won")
    for name, results in groupby(rows.iterator(chunk_size=5000), key=itemgetter(0)):
        longest = running = 0
        for _name, won in results:
            running = running + 1 if won else 0
            longest = max(longest, running)
        if longest >= SHORTEST_STREAK:
            yield name, longest


def _ratings(people: QuerySet[User]) -> list[dict[str, Any]]:
    """The highest peak ratings among people, one for each player."""
    established = Rating.objects.filter(user__in=people).exclude(pool__pace=COMPUTERS)
    best = established.values("user__username").annotate(n=Max("peak")).order_by("-n", "user__username")[:SHOWN]
    return [{"name": row["user__username"], "value": round(row["n"])} for row in best]


def _gammons(people: QuerySet[User]) -> Any:
    facts = SeatFacts.objects.filter(user__in=people).values("user__username")
    return facts.annotate(n=Sum(F("gammons_won") + F("backgammons_won")))
