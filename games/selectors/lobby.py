"""The lists of the lobby; the number of queries does not depend on their length."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.relationships.selectors import separated_by_block
from games import events
from games.diagrams.picture import picture
from games.diagrams.points import PointsDiagram
from games.frames import possible_match_ids
from games.models import Match, Seat
from games.rating_pools import pool_of
from games.registry import RULES
from games.selectors.match_rows import MOST_ROWS, MatchRow, match_rows
from games.selectors.matches import fetch_seats, recently_active
from games.selectors.ratings import ratings_by_pool, stakes
from games.services import online

MOST_RECENT = 5
MOST_URGENT = 3


@dataclass(frozen=True, slots=True)
class Lobby:
    """Everything that the lobby lists for one viewer; `blocked` are the users separated from them by a block."""

    running: list[MatchRow] = field(default_factory=list)
    adjourned: list[MatchRow] = field(default_factory=list)
    challenges: list[MatchRow] = field(default_factory=list)
    offered: list[MatchRow] = field(default_factory=list)
    seeks: list[MatchRow] = field(default_factory=list)
    live: list[MatchRow] = field(default_factory=list)
    recent: list[MatchRow] = field(default_factory=list)
    online: int = 0
    blocked: frozenset[int] = frozenset()

    @property
    def urgent(self) -> list[MatchRow]:
        """The first of the viewer's matches that wait for them: they stand above everything."""
        return [row for row in self.running if row.waits or row.my_turn][:MOST_URGENT]

    @property
    def others(self) -> list[MatchRow]:
        """The viewer's other matches."""
        urgent = {row.match.pk for row in self.urgent}
        return [row for row in self.running if row.match.pk not in urgent]


def lobby(user: User | None) -> Lobby:
    """The lists of the lobby for a user, or for an anonymous visitor (None), without users separated by a block."""
    blocked = separated_by_block(user.pk if user else None)
    opened = _open_games(user, blocked)
    unfinished, live, recent = list(_unfinished(user)) if user else [], list(_live(blocked)), list(_recent())
    fetch_seats(unfinished, live, recent)
    own_rows = match_rows(unfinished, user, turns=True)
    own_ids = {row.match.pk for row in own_rows}
    return Lobby(
        running=sorted(
            (row for row in own_rows if not row.adjourned),
            key=lambda row: (row.match.status != Match.Status.OPEN, not row.my_turn),
        ),
        adjourned=sorted((row for row in own_rows if row.adjourned), key=lambda row: not row.opponent_waits),
        challenges=[row for row in opened if user and row.match.invited_id == user.pk],
        offered=[row for row in opened if user and row.match.creator_id == user.pk],
        seeks=sorted(
            (row for row in opened if not row.match.invited_id and not (user and row.match.creator_id == user.pk)),
            key=lambda row: row.match.rated and (user is None or user.is_guest),  # what they may join comes first
        ),
        live=[row for row in match_rows(live, None) if row.match.pk not in own_ids and not row.adjourned],
        recent=match_rows(recent, None),
        online=online.count(),
        blocked=blocked,
    )


def has_begun(match_id: str, *, creator: User) -> bool:
    """Whether somebody has joined this open game of its creator; no for what can be no id of a match."""
    matches = Match.objects.filter(pk__in=possible_match_ids([match_id]), creator=creator, status=Match.Status.LIVE)
    return matches.exists()


def _open_games(user: User | None, blocked: frozenset[int]) -> list[MatchRow]:
    """The open games and challenges that the user may see."""
    shown = Q(invited=None, listed=True) | (Q(invited=user) | Q(creator=user) if user else Q())
    # `ended_at` leads SQLite to the index of that and the status: it would read all matches of all players instead,
    # where no match was open when it last counted.
    opened = Q(status=Match.Status.OPEN, ended_at=None)
    matches = Match.objects.filter(shown, opened, arranged=False, creator__is_active=True)
    matches = matches.select_related("creator", "invited").order_by("-created_at")
    if user is None:
        matches = matches.filter(invited=None)
    if blocked:
        matches = matches.exclude(creator__in=blocked)
    return open_rows(matches[: 2 * MOST_ROWS], user)


def open_rows(matches: Iterable[Match], user: User | None) -> list[MatchRow]:
    """The rows of open games, with the ratings of their players and what they are about for the user."""
    opened = list(matches)
    pools = {
        match.pk: (match.variant, pool_of(match.clock_preset, (match.creator, match.invited, user))) for match in opened
    }
    players = {(match.creator_id, *pools[match.pk]) for match in opened}
    own = {(user.pk, *pool) for pool in pools.values()} if user else set()
    known = ratings_by_pool(players | own) if opened else {}
    present = online.among({match.creator_id for match in opened}) if opened else frozenset()
    rows = []
    for match in opened:
        rating = known.get((match.creator_id, *pools[match.pk]))
        row = MatchRow(match, [], rating=rating, online=match.creator_id in present)
        if user and match.rated and not user.is_guest and match.creator_id != user.pk:
            row = replace(row, stakes=stakes(match, known.get((user.pk, *pools[match.pk])), rating))
        rows.append(row)
    return rows


def _unfinished(user: User) -> QuerySet[Match]:
    """The user's live matches, after the arranged ones that have not started."""
    unfinished = Q(status=Match.Status.LIVE) | Q(status=Match.Status.OPEN, arranged=True)
    matches = Match.objects.filter(unfinished, seats__user=user, seats__ended_at=None)
    return matches.order_by("-status", "-started_at", "-created_at")[:MOST_ROWS]


def _live(blocked: frozenset[int]) -> QuerySet[Match]:
    """The live matches with a recent action."""
    live = recently_active(timezone.now())
    if blocked:
        live = live.exclude(pk__in=Seat.objects.filter(user__in=blocked, ended_at=None).values("match"))
    # Ordered by their start and not by the last action, so that the rows do not move with every play.
    return live.order_by("-started_at")[:MOST_ROWS]


def _recent() -> QuerySet[Match]:
    """The last matches that were played here; imported ones are left out."""
    return Match.objects.filter(status=Match.Status.OVER, source="").order_by("-ended_at")[:MOST_RECENT]


@dataclass(frozen=True, slots=True)
class FeaturedMatch:
    """A live match as a picture of its position."""

    row: MatchRow
    picture: SafeString


def featured_match(found: Lobby) -> FeaturedMatch | None:
    """The live match that the welcome shows: the first with 24 points, between people where there is one."""
    drawn = [row for row in found.live if RULES[row.match.variant].family == PointsDiagram.family]
    row = min(
        drawn, key=lambda row: any(seat.user is not None and seat.user.is_bot for seat in row.seats), default=None
    )
    if row is None:
        return None
    view = events.state_of(row.match).position.view(None)
    return FeaturedMatch(row, picture(view, view["dice"] or ()))
