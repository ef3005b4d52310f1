"""Reads for live boards, TV and overlays: the candidates to show, and their boards as spectators see them.

The number of queries does not depend on the number of matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from accounts.relationships import selectors as relationship_selectors
from games import clocks, events, labels, live_boards
from games.database import now
from games.engine import Json
from games.errors import NotFound
from games.models import Match, Rating, Seat
from games.selectors.matches import recently_active, with_seats
from games.selectors.ratings import pool_of_match

MOST_READ = 200
"""How many live matches are candidates: those with the latest actions."""
COLUMNS = ("variant", "length", "clock_preset", "clock_at", "started_at", "pause", "title", "from_url", "version")
SHOWN = (Match.Status.LIVE, Match.Status.OVER)


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """Which matches to show: of one game, of one event page (`from_url`), of some people; empty: all."""

    game: str = ""
    from_url: str = ""
    people: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A live match that can be shown: the facts that rank it, and the fields of its list entry."""

    facts: live_boards.MatchInterest
    people: frozenset[int]
    names: tuple[str, ...]
    points: tuple[float, ...]
    variant: str
    length: int
    title: str
    from_url: str

    @property
    def match_id(self) -> str:
        return self.facts.match_id

    @property
    def score(self) -> str:
        return "–".join(labels.points(points) for points in self.points)

    @property
    def event(self) -> str:
        """The name of the tournament or ladder, without the round."""
        return self.title.split(" · ")[0]


def candidates(board_filter: BoardFilter) -> list[Candidate]:
    """The live matches with a recent action that are not adjourned; four queries."""
    moment = now()
    matches = recently_active(moment).only(*COLUMNS)
    if board_filter.game:
        matches = matches.filter(variant=board_filter.game)
    if board_filter.from_url:
        matches = matches.filter(from_url=board_filter.from_url)
    if board_filter.people is not None:
        seats = Seat.objects.filter(user__in=board_filter.people, ended_at=None)
        matches = matches.filter(pk__in=seats.values("match"))
    latest = with_seats(matches.order_by("-clock_at"))[:MOST_READ]
    found = [match for match in latest if not (match.pause or {}).get("adjourned")]
    ratings = _ratings(found)
    return [_candidate(match, ratings, (moment - (match.clock_at or moment)).total_seconds()) for match in found]


def _candidate(match: Match, ratings: dict[tuple[int, str, str], float], idle: float) -> Candidate:
    seats = list(match.seats.all())
    pace = clocks.pace_of(match.clock_preset)
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    pool = pool_of_match(match)
    known = (ratings.get((user_id, match.variant, pool)) for user_id in people)
    facts = live_boards.MatchInterest(
        match.pk,
        live=pace == "live",
        humans=sum(seat.user is not None and not seat.user.is_bot for seat in seats),
        ratings=tuple(rating for rating in known if rating is not None),
        length=match.length,
        points=sum(seat.points for seat in seats),
        idle=max(0.0, idle),
    )
    return Candidate(
        facts,
        frozenset(people),
        names=tuple(seat.name for seat in seats),
        points=tuple(seat.points for seat in seats),
        variant=match.variant,
        length=match.length,
        title=match.title,
        from_url=match.from_url,
    )


def boards(ids: Iterable[str], *, user_id: int | None) -> list[Json]:
    """The boards of matches as spectators see them (`games.live_boards.board_json`), constant fields under `about`.

    In the order of `ids`. Matches that are neither live nor over, or hidden from this viewer by a block, are left out.
    """
    wanted = list(dict.fromkeys(ids))[: live_boards.MAX_BOARDS]
    if not wanted:
        return []
    blocked, moment = relationship_selectors.separated_by_block(user_id), now()
    found = {match.pk: match for match in with_seats(Match.objects.filter(pk__in=wanted, status__in=SHOWN))}
    shown = [match for pk in wanted if (match := found.get(pk)) and match.snapshot and not _has_seat_of(match, blocked)]
    ratings = _ratings(shown)
    return [_board(match, moment) | {"about": _about(match, ratings)} for match in shown]


def check_board_visible(match_id: str, *, user_id: int | None) -> None:
    """Check that a viewer may see the board of a match, which may still wait for its players. Raises NotFound."""
    match = with_seats(Match.objects.filter(pk=match_id)).first()
    waits = match is not None and match.arranged and match.status == Match.Status.OPEN
    if match is None or not (waits or (match.status in SHOWN and match.snapshot)):
        raise NotFound
    if _has_seat_of(match, relationship_selectors.separated_by_block(user_id)):
        raise NotFound


def _board(match: Match, moment: Any) -> Json:
    state = events.state_of(match)
    return live_boards.board_json(
        {
            "version": match.version,
            "match": {
                "id": match.pk,
                "status": match.status,
                "game": state.game,
                "score": state.score.view(),
                "result": events.result_json(match),
            },
            "position": events.position_json(state),
            "offer": state.offer.as_json() if state.offer else None,
            "last": state.last,
            "ended": state.ended,
            "clock": events.clock_json(match, moment),
            "paused": events.pause_json(match, moment),
        }
    )


def _about(match: Match, ratings: dict[tuple[int, str, str], float]) -> Json:
    pool = pool_of_match(match)
    return {
        "variant": match.variant,
        "length": match.length,
        "clock": match.clock_preset,
        "rated": match.rated,
        "title": match.title,
        "from_url": match.from_url,
        "players": {
            seat.side: {
                **events.player_json(seat),
                "rating": ratings.get((seat.user_id or 0, match.variant, pool)),
            }
            for seat in match.seats.all()
        },
    }


def _has_seat_of(match: Match, users: frozenset[int]) -> bool:
    return any(seat.user_id in users for seat in match.seats.all())


def _ratings(matches: Iterable[Match]) -> dict[tuple[int, str, str], float]:
    """The ratings of all players of some matches, by player, game and pool."""
    shown = list(matches)
    people = {seat.user_id for match in shown for seat in match.seats.all() if seat.user_id is not None}
    rows = Rating.objects.filter(user__in=people, pool__variant__in={match.variant for match in shown})
    return {
        (user, variant, pace): rating
        for user, variant, pace, rating in rows.values_list("user", "pool__variant", "pool__pace", "rating")
    }
