"""Players on their pages and in lists: how they did lately, and how two of them did against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.clocks import Pace
from games.models import Match, Rating, RatingEvent, Seat, SeatFacts
from games.registry import RULES
from games.selectors import lists
from games.selectors.statistics import Figures, Played, by, played, total

FORM = 10
SPARK = 30
MAIN_POOL: tuple[str, Pace] = (next(iter(RULES)), "live")
"""The pool whose rating stands beside a name where there is room for one."""


@dataclass(frozen=True, slots=True)
class Last:
    """One of a player's last matches; `won` is None where it ended level."""

    match_id: str
    won: bool | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How `one` did against `other`."""

    one: User
    other: User
    figures: Figures
    variants: dict[str, Figures] = field(default_factory=dict)
    recent: list[lists.Row] = field(default_factory=list)


def _seats() -> QuerySet[Seat]:
    """The seats of finished matches, the last first; one that was called off is none."""
    over = Seat.objects.filter(ended_at__isnull=False, match__status=Match.Status.OVER)
    return over.exclude(match__ended_by=Match.EndedBy.STOPPED).order_by("-ended_at", "pk")


def _lasts(seats: QuerySet[Seat]) -> Iterator[tuple[int, Last]]:
    for user_id, match_id, won, at in seats.values_list("user", "match", "won", "ended_at"):
        yield user_id or 0, Last(match_id, won, at)


def form(user: User, *, most: int = FORM) -> list[Last]:
    """The last matches of a player, the latest first; one query."""
    return [last for _user, last in _lasts(_seats().filter(user=user)[:most])]


def forms(users: Iterable[int], *, most: int = FORM) -> dict[int, list[Last]]:
    """The same of several players, in two queries.

    The first finds by the index how far back each has to be looked at, so that nobody's whole history is read.
    """
    found: dict[int, list[Last]] = {pk: [] for pk in users}
    oldest = _seats().filter(user=OuterRef("pk")).values("ended_at")[most - 1 : most]
    since = User.objects.filter(pk__in=found).values_list("pk", Subquery(oldest))
    wanted = [Q(user=pk, ended_at__gte=at) if at else Q(user=pk) for pk, at in since]
    for user_id, last in _lasts(_seats().filter(reduce(or_, wanted))) if wanted else ():
        if len(found[user_id]) < most:
            found[user_id].append(last)
    return found


def ratings(users: Iterable[int], *, variant: str = MAIN_POOL[0], pace: str = MAIN_POOL[1]) -> dict[int, float]:
    """The ratings of these players in one pool."""
    rows = Rating.objects.filter(user__in=list(users), pool__variant=variant, pool__pace=pace)
    return dict(rows.values_list("user", "rating"))


def sparks(user: User) -> dict[tuple[str, str], list[float]]:
    """The last ratings of a player in each of his pools, oldest first, in one query."""
    after = RatingEvent.objects.filter(user=user, pool=OuterRef("pool")).order_by("-n").values("n")
    since = Subquery(after[SPARK - 1 : SPARK])
    mine = dict(Rating.objects.filter(user=user).values_list("pool", since))
    wanted = [Q(pool=pool, n__gte=n or 0) for pool, n in mine.items()]
    if not wanted:
        return {}
    rows = RatingEvent.objects.filter(reduce(or_, wanted), user=user).order_by("pool", "n")
    found: dict[tuple[str, str], list[float]] = {}
    for variant, pace, value in rows.values_list("pool__variant", "pool__pace", "rating_after"):
        found.setdefault((variant, pace), []).append(value)
    return found


def head_to_head(one: User, other: User, *, most: int = FORM) -> HeadToHead:
    """How two players did against each other, and their last matches, in four queries."""
    rows: Sequence[Played] = played(one, rival=other)
    last = SeatFacts.objects.filter(user=one, rival=other).order_by("-ended_at", "pk").values("seat__match")[:most]
    ids = [row["seat__match"] for row in last]
    matches = Match.objects.filter(pk__in=ids).prefetch_related("seats__user").order_by("-ended_at", "pk")
    return HeadToHead(
        one,
        other,
        total(rows),
        {str(key): value for key, value in by(lambda row: row.variant, rows).items()},
        lists.rows(matches, one),
    )
