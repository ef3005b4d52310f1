"""Finished matches in pages, and the marks that a player keeps on them.

Pages have cursors (`Cursor`) instead of numbers: the database walks an index from there, so page 4,000 costs as much as
page 1, and nothing appears twice when a match ends meanwhile. The total is counted only up to `MOST_COUNTED`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.models import FROM_FILE, Match, MatchMark, MatchTag, Seat
from games.selectors.match_filter import LONGEST, OLDEST, MatchFilter
from games.selectors.match_rows import MatchMarks, MatchRow, match_rows
from games.selectors.matches import with_seats

PAGE = 25
MOST_COUNTED = 1000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DEFERRED = ("snapshot", "clock", "headers")  # large columns that a list does not show


@dataclass(frozen=True, slots=True)
class Cursor:
    """The match before a page, with the columns that lists are ordered by; `str` of it is the URL parameter."""

    ended_at: datetime
    length: int
    match_id: str

    def __str__(self) -> str:
        return f"{(self.ended_at - EPOCH) // timedelta(microseconds=1)}.{self.length}.{self.match_id}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Parse a URL parameter; None if it is invalid."""
        parts = text.split(".")
        if len(parts) != 3 or not all(part.isascii() and part.isalnum() and len(part) <= 16 for part in parts):
            return None
        try:
            return cls(EPOCH + timedelta(microseconds=int(parts[0])), int(parts[1]), parts[2])
        except (ValueError, OverflowError):
            return None


@dataclass(frozen=True, slots=True)
class MatchPage:
    """One page of finished matches. `before` and `after` are the cursors of its neighbours, or None."""

    rows: list[MatchRow] = field(default_factory=list)
    count: int = 0
    before: Cursor | None = None
    after: Cursor | None = None

    @property
    def uncounted(self) -> bool:
        """Whether there are more matches than were counted."""
        return self.count > MOST_COUNTED


@dataclass(frozen=True, slots=True)
class _Source:
    """Matches of one kind in the order of an index; `ended` is the column with the time of their end.

    The terms go into one `filter()`, or the ORM would join the seats again for each.
    """

    terms: Q
    ended: str = "ended_at"

    def matches(self, cursor: Q | None = None) -> QuerySet[Match]:
        return Match.objects.filter(self.terms if cursor is None else self.terms & cursor)


def match_page(
    match_filter: MatchFilter, *, after: str = "", before: str = "", size: int = PAGE, counted: int | None = None
) -> MatchPage:
    """The page of matches after a cursor, or before one; the first page without either.

    `counted`: how many there are in all, where that is known.
    """
    back = after == "" and Cursor.read(before) is not None
    cursor = Cursor.read(before if back else after)
    sources = _sources(match_filter)
    down = (match_filter.order != OLDEST) != back
    found = _ids(sources, match_filter.order, cursor, down=down, most=size + 1)
    more, found = len(found) > size, found[:size]
    if back:
        found.reverse()
    if counted is None:
        counted = len(found) if cursor is None and not more else _count(sources)
    return MatchPage(
        rows=_rows(found, match_filter),
        count=counted,
        before=found[0] if found and (more if back else cursor is not None) else None,
        after=found[-1] if found and (more or back) else None,
    )


def _sources(match_filter: MatchFilter) -> list[_Source]:
    """The sources of a list: the site, or a player's seats, and their imported files in their own list."""
    owner, terms = match_filter.owner, match_filter.lookups() & _marked(match_filter)
    if owner is None:
        return [_Source(terms & Q(status=Match.Status.OVER) & _span(match_filter, "ended_at"))]
    seat = Q(seats__user=owner, seats__ended_at__isnull=False) & _span(match_filter, "seats__ended_at")
    if result := match_filter.value("result"):
        won = {"won": True, "lost": False}.get(result)
        seat &= ~Q(ended_by=Match.EndedBy.STOPPED) & (Q(seats__won__isnull=True) if won is None else Q(seats__won=won))
    if opponent := match_filter.value("rival"):
        seat &= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=match_filter.opponent_ids)))
    sources = [_Source(terms & seat, "seats__ended_at")]
    if match_filter.private and not result:  # the owner has no seat in an imported match, so no result
        read = FROM_FILE & Q(creator=owner) & _span(match_filter, "ended_at")
        if opponent:
            read &= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), written_name__icontains=opponent)))
        sources.append(_Source(terms & read))
    return sources


def _span(match_filter: MatchFilter, ended: str) -> Q:
    return Q(**{f"{ended}__{lookup}": moment for lookup, moment in match_filter.days()})


def _marked(match_filter: MatchFilter) -> Q:
    """The filters by the owner's marks, which exist only in the owner's own list."""
    found = Q()
    if match_filter.value("favourite"):
        found &= Q(pk__in=MatchMark.objects.filter(user=match_filter.owner, favourite=True).values("match"))
    if match_filter.value("noted"):
        found &= Q(pk__in=MatchMark.objects.filter(user=match_filter.owner).exclude(note="").values("match"))
    if tag := match_filter.value("tag"):
        found &= Q(pk__in=MatchTag.objects.filter(user=match_filter.owner, key=tag).values("match"))
    return found


def _ids(sources: list[_Source], order: str, cursor: Cursor | None, *, down: bool, most: int) -> list[Cursor]:
    """The first matches after a cursor: each source walks its own index, and two sources are merged."""
    sign = "-" if down else ""
    found = []
    for source in sources:
        keys = ["length", source.ended, "pk"] if order == LONGEST else [source.ended, "pk"]
        matches = source.matches(_past(cursor, source, order, down=down) if cursor else None)
        matches = matches.order_by(*(f"{sign}{key}" for key in keys))
        found.append([Cursor(*row) for row in matches.values_list(source.ended, "length", "pk")[:most]])

    def key(row: Cursor) -> Any:
        return (row.length, row.ended_at) if order == LONGEST else row.ended_at

    return list(heapq.merge(*found, key=key, reverse=down))[:most]


def _past(cursor: Cursor, source: _Source, order: str, *, down: bool) -> Q:
    """The lookups after a cursor. Each key has its own bound, so that the index is entered there and not filtered."""
    past = "lt" if down else "gt"
    ended = Q(**{f"{source.ended}__{past}e": cursor.ended_at}) & (
        Q(**{f"{source.ended}__{past}": cursor.ended_at}) | Q(**{f"pk__{past}": cursor.match_id})
    )
    if order != LONGEST:
        return ended
    return Q(**{f"length__{past}e": cursor.length}) & (Q(**{f"length__{past}": cursor.length}) | ended)


def _count(sources: list[_Source]) -> int:
    """The number of matches, counted up to one more than `MOST_COUNTED`."""
    count = 0
    for source in sources:
        count += source.matches().values("pk")[: MOST_COUNTED + 1 - count].count()
        if count > MOST_COUNTED:
            break
    return count


def _rows(found: list[Cursor], match_filter: MatchFilter) -> list[MatchRow]:
    ids = [cursor.match_id for cursor in found]
    matches = with_seats(Match.objects.filter(pk__in=ids).defer(*DEFERRED)).in_bulk()
    rows = match_rows((matches[pk] for pk in ids), match_filter.owner)
    if not match_filter.private or match_filter.owner is None:
        return rows
    marks = marks_of(match_filter.owner, ids)
    return [replace(row, mark=marks[row.match.pk]) for row in rows]


def marks_of(user: User, match_ids: Iterable[str]) -> dict[str, MatchMarks]:
    """The marks of `user` on these matches, in two queries."""
    ids = list(match_ids)
    tags: dict[str, list[str]] = {pk: [] for pk in ids}
    for match_id, name in (
        MatchTag.objects.filter(user=user, match__in=ids).order_by("key").values_list("match", "name")
    ):
        tags[match_id].append(name)
    rows = MatchMark.objects.filter(user=user, match__in=ids).values_list("match", "favourite", "note")
    marks = {match_id: (favourite, note) for match_id, favourite, note in rows}
    return {pk: MatchMarks(*marks.get(pk, (False, "")), tuple(tags[pk])) for pk in ids}


def may_mark(match: Match, user: User | None) -> bool:
    """Whether `user` may mark this match: it is over, and they played or imported it. Seats are fetched."""
    if user is None or match.status != Match.Status.OVER:
        return False
    imported = match.from_file and match.creator_id == user.pk
    return imported or any(seat.user_id == user.pk for seat in match.seats.all())
