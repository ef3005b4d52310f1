"""Reads for screens with many boards: which matches could be shown, and each as any spectator sees it.

Every read takes the same number of queries however many matches there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from accounts import ties
from games import clocks, events, wall, words
from games.database import now
from games.engine import Json
from games.errors import NotFound
from games.models import Match, Rating, Seat
from games.selectors.lists import AGAIN, LATELY

MOST_READ = 200
"""Live matches among which is chosen: those in which somebody acted last."""
COLUMNS = ("variant", "length", "clock_preset", "clock_at", "started_at", "pause", "title", "from_url", "version")
SHOWN = (Match.Status.LIVE, Match.Status.OVER)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which matches a wall is to show: of one game, of one page (`from_url`), of some people; empty: all."""

    game: str = ""
    from_url: str = ""
    people: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A live match that could be shown: what the choice knows of it, and what a list says of it."""

    facts: wall.Facts
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
        return "–".join(words.points(points) for points in self.points)

    @property
    def event(self) -> str:
        """What it is part of, without the round."""
        return self.title.split(" · ")[0]


def candidates(wish: Wish) -> list[Candidate]:
    """The live matches where somebody acted lately, and which nobody has to come back to first; four queries."""
    moment = now()
    live = Match.objects.filter(status=Match.Status.LIVE, ended_at=None)
    lately = live.filter(clock_at__range=(moment - LATELY, moment + AGAIN)).only(*COLUMNS)
    if wish.game:
        lately = lately.filter(variant=wish.game)
    if wish.from_url:
        lately = lately.filter(from_url=wish.from_url)
    if wish.people is not None:
        lately = lately.filter(pk__in=Seat.objects.filter(user__in=wish.people, ended_at=None).values("match"))
    found = [one for one in _seated(lately.order_by("-clock_at"))[:MOST_READ] if not (one.pause or {}).get("adjourned")]
    ratings = _ratings(found)
    return [_candidate(match, ratings, (moment - (match.clock_at or moment)).total_seconds()) for match in found]


def _candidate(match: Match, ratings: dict[tuple[int, str, str], float], idle: float) -> Candidate:
    seats = list(match.seats.all())
    pace = clocks.pace_of(match.clock_preset)
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    known = (ratings.get((one, match.variant, pace)) for one in people)
    facts = wall.Facts(
        match.pk,
        live=pace == "live",
        humans=sum(seat.user is not None and not seat.user.is_bot for seat in seats),
        ratings=tuple(one for one in known if one is not None),
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
    """These matches as spectators see them (`games.wall.board`), each with what never changes in it under `about`.

    In the order asked for; what is not in play nor over, or is kept from this viewer by a block, is left out.
    """
    wanted = list(dict.fromkeys(ids))[: wall.MOST]
    if not wanted:
        return []
    apart, moment = ties.apart_from(user_id), now()
    read = {match.pk: match for match in _seated(Match.objects.filter(pk__in=wanted, status__in=SHOWN))}
    shown = [read[one] for one in wanted if one in read and read[one].snapshot and not _apart(read[one], apart)]
    ratings = _ratings(shown)
    return [_board(match, moment) | {"about": _about(match, ratings)} for match in shown]


def board_seen(match_id: str, *, user_id: int | None) -> None:
    """Whether this viewer may look at the board of a match, which may still wait for its players. Raises NotFound."""
    match = _seated(Match.objects.filter(pk=match_id)).first()
    waits = match is not None and match.arranged and match.status == Match.Status.OPEN
    if match is None or not (waits or (match.status in SHOWN and match.snapshot)):
        raise NotFound
    if _apart(match, ties.apart_from(user_id)):
        raise NotFound


def _board(match: Match, moment: Any) -> Json:
    state = events.state_of(match)
    return wall.board(
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
    pace = clocks.pace_of(match.clock_preset)
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
                "rating": ratings.get((seat.user_id or 0, match.variant, pace)),
            }
            for seat in match.seats.all()
        },
    }


def _apart(match: Match, apart: frozenset[int]) -> bool:
    return any(seat.user_id in apart for seat in match.seats.all())


def _seated(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.prefetch_related(Prefetch("seats", Seat.objects.select_related("user").order_by("-side")))


def _ratings(matches: Iterable[Match]) -> dict[tuple[int, str, str], float]:
    """The ratings of all who sit there, by player, game and pace."""
    shown = list(matches)
    people = {seat.user_id for match in shown for seat in match.seats.all() if seat.user_id is not None}
    rows = Rating.objects.filter(user__in=people, pool__variant__in={match.variant for match in shown})
    return {
        (user, variant, pace): rating
        for user, variant, pace, rating in rows.values_list("user", "pool__variant", "pool__pace", "rating")
    }
