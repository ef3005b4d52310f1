"""Finished matches in pages, and what a player keeps about them.

A page begins after a match and not at a number (`Place`): the database walks an index from there, so page 4,000 costs
what page 1 does, and nothing is shown twice when a match ends while somebody reads on. How many there are is counted
only up to `MOST_COUNTED`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from games.models import FROM_FILE, Match, MatchMark, MatchTag, Seat
from games.selectors import lists
from games.selectors.filters import LONGEST, OLDEST, MatchFilter

PAGE = 25
MOST_COUNTED = 1000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LEFT_OUT = ("snapshot", "clock", "headers")  # a list shows nothing of them, and they are most of a row


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: the match before it, by what lists are ordered by. `str` of it stands in the address."""

    ended_at: datetime
    length: int
    match_id: str

    def __str__(self) -> str:
        return f"{(self.ended_at - EPOCH) // timedelta(microseconds=1)}.{self.length}.{self.match_id}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The place that an address names; None for what is none."""
        parts = text.split(".")
        if len(parts) != 3 or not all(part.isascii() and part.isalnum() and len(part) <= 16 for part in parts):
            return None
        try:
            return cls(EPOCH + timedelta(microseconds=int(parts[0])), int(parts[1]), parts[2])
        except (ValueError, OverflowError):
            return None


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of finished matches. `before` and `after` are the places of its neighbours, None where there is none."""

    rows: list[lists.Row] = field(default_factory=list)
    count: int = 0
    before: Place | None = None
    after: Place | None = None

    @property
    def uncounted(self) -> bool:
        """Whether there are more than anybody counted."""
        return self.count > MOST_COUNTED


@dataclass(frozen=True, slots=True)
class _Source:
    """Matches of one kind in an order that an index holds; `ended` is the column of it that says when they ended.

    The terms go into one `filter()`, or the ORM would join the seats once more for each.
    """

    terms: Q
    ended: str = "ended_at"

    def matches(self, place: Q | None = None) -> QuerySet[Match]:
        return Match.objects.filter(self.terms if place is None else self.terms & place)


def listing(wanted: MatchFilter, *, after: str = "", before: str = "", size: int = PAGE) -> Listing:
    """The page of the wanted matches that comes after a place, or before one; the first without either."""
    back = after == "" and Place.read(before) is not None
    place = Place.read(before if back else after)
    sources = _sources(wanted)
    down = (wanted.order != OLDEST) != back
    found = _ids(sources, wanted.order, place, down=down, most=size + 1)
    more, found = len(found) > size, found[:size]
    if back:
        found.reverse()
    whole = place is None and not more
    return Listing(
        rows=_rows(found, wanted),
        count=len(found) if whole else _count(sources),
        before=found[0] if found and (more if back else place is not None) else None,
        after=found[-1] if found and (more or back) else None,
    )


def _sources(wanted: MatchFilter) -> list[_Source]:
    """Where the matches of a list come from: the site's, or a player's seats, and his own files where he looks."""
    owner, terms = wanted.owner, wanted.terms() & _marked(wanted)
    if owner is None:
        return [_Source(terms & Q(status=Match.Status.OVER) & _span(wanted, "ended_at"))]
    seat = Q(seats__user=owner, seats__ended_at__isnull=False) & _span(wanted, "seats__ended_at")
    if result := wanted.value("result"):
        won = {"won": True, "lost": False}.get(result)
        seat &= ~Q(ended_by=Match.EndedBy.STOPPED) & (Q(seats__won__isnull=True) if won is None else Q(seats__won=won))
    if rival := wanted.value("rival"):
        seat &= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=wanted.rivals)))
    sources = [_Source(terms & seat, "seats__ended_at")]
    if wanted.private and not result:  # in a file nobody is the viewer: nothing was won or lost by him
        read = FROM_FILE & Q(creator=owner) & _span(wanted, "ended_at")
        if rival:
            read &= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), written_name__icontains=rival)))
        sources.append(_Source(terms & read))
    return sources


def _span(wanted: MatchFilter, ended: str) -> Q:
    return Q(**{f"{ended}__{lookup}": moment for lookup, moment in wanted.days()})


def _marked(wanted: MatchFilter) -> Q:
    """The choices by the owner's own marks; the filter knows them only where he looks himself."""
    found = Q()
    if wanted.value("favourite"):
        found &= Q(pk__in=MatchMark.objects.filter(user=wanted.owner, favourite=True).values("match"))
    if wanted.value("noted"):
        found &= Q(pk__in=MatchMark.objects.filter(user=wanted.owner).exclude(note="").values("match"))
    if tag := wanted.value("tag"):
        found &= Q(pk__in=MatchTag.objects.filter(user=wanted.owner, key=tag).values("match"))
    return found


def _ids(sources: list[_Source], order: str, place: Place | None, *, down: bool, most: int) -> list[Place]:
    """The first matches after a place: each source walks its own index, and two are merged as they come."""
    sign = "-" if down else ""
    found = []
    for source in sources:
        keys = ["length", source.ended, "pk"] if order == LONGEST else [source.ended, "pk"]
        matches = source.matches(_past(place, source, order, down=down) if place else None)
        matches = matches.order_by(*(f"{sign}{key}" for key in keys))
        found.append([Place(*row) for row in matches.values_list(source.ended, "length", "pk")[:most]])

    def key(one: Place) -> Any:
        return (one.length, one.ended_at) if order == LONGEST else one.ended_at

    return list(heapq.merge(*found, key=key, reverse=down))[:most]


def _past(place: Place, source: _Source, order: str, *, down: bool) -> Q:
    """What comes after a place. Each key is bounded by itself, so that the index is entered there and not filtered."""
    past = "lt" if down else "gt"
    ended = Q(**{f"{source.ended}__{past}e": place.ended_at}) & (
        Q(**{f"{source.ended}__{past}": place.ended_at}) | Q(**{f"pk__{past}": place.match_id})
    )
    if order != LONGEST:
        return ended
    return Q(**{f"length__{past}e": place.length}) & (Q(**{f"length__{past}": place.length}) | ended)


def _count(sources: list[_Source]) -> int:
    """How many there are, counted up to one more than `MOST_COUNTED`."""
    count = 0
    for source in sources:
        count += source.matches().values("pk")[: MOST_COUNTED + 1 - count].count()
        if count > MOST_COUNTED:
            break
    return count


def _rows(found: list[Place], wanted: MatchFilter) -> list[lists.Row]:
    ids = [place.match_id for place in found]
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("-side"))
    matches = Match.objects.filter(pk__in=ids).defer(*LEFT_OUT).prefetch_related(seats).in_bulk()
    rows = lists.rows((matches[pk] for pk in ids), wanted.owner)
    if not wanted.private or wanted.owner is None:
        return rows
    marks = marks_of(wanted.owner, ids)
    return [replace(row, mark=marks[row.match.pk]) for row in rows]


def marks_of(user: User, match_ids: Iterable[str]) -> dict[str, lists.Mark]:
    """What `user` keeps about these matches, in two queries."""
    ids = list(match_ids)
    tags: dict[str, list[str]] = {pk: [] for pk in ids}
    for match_id, name in (
        MatchTag.objects.filter(user=user, match__in=ids).order_by("key").values_list("match", "name")
    ):
        tags[match_id].append(name)
    rows = MatchMark.objects.filter(user=user, match__in=ids).values_list("match", "favourite", "note")
    kept = {match_id: (favourite, note) for match_id, favourite, note in rows}
    return {pk: lists.Mark(*kept.get(pk, (False, "")), tuple(tags[pk])) for pk in ids}


def may_mark(match: Match, user: User | None) -> bool:
    """Whether `user` keeps marks on this match: it is over, and he played it or brought it in. Seats are fetched."""
    if user is None or match.status != Match.Status.OVER:
        return False
    brought = match.from_file and match.creator_id == user.pk
    return brought or any(seat.user_id == user.pk for seat in match.seats.all())
