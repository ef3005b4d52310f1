"""Ratings follow from the log of rated matches: a match that ends adds a line, a correction changes one.

The order of locks is match, then pool, always: the row of a pool gives its lines their numbers without gaps, and its
log, events and ratings are written only under its lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef

from games import ratings
from games.engine import SIDES
from games.models import Action, Game, Match, RatedMatch, Rating, RatingEvent, RatingPool, ResultCorrection, Seat
from games.rating_pools import pool_of
from games.ratings import Line, Standing, Standings, Step
from games.registry import RULES
from games.services import match_sql

NOT_PLAYING = ("roll", "accept", "reject", "offer-draw", "claim-draw", "end")
"""Actions that are not playing: a player with no other action never took part."""
STANDING_FIELDS = (
    "rating",
    "experience",
    "deviation",
    "volatility",
    "matches",
    "wins",
    "form",
    "peak",
    "peak_at",
    "last_at",
)
EVENT_FIELDS = (
    *("user_id", "at", "rating_before", "rating_after", "experience_before", "deviation_before", "deviation_after"),
    *("volatility_before", "volatility_after", "formula"),
)
BATCH = 500


# A match that has ended


def match_rate(match: Match, seats: Sequence[Seat]) -> bool:
    """Add a finished match to the log of its pool, where it is rated (R4). Idempotent.

    In the transaction that ended the match, whose row is locked.
    """
    if match.ended_by == Match.EndedBy.STOPPED or not is_ratable(match, seats):
        return False
    if RatedMatch.objects.filter(match=match).exists():
        return False
    _append(match, seats)
    return True


def is_ratable(match: Match, seats: Sequence[Seat]) -> bool:
    """Whether a finished match can be rated (R4): two members or bots, a winner, usual rules, and both took part.

    No event is rated against a computer (R6), and no match in which a play was taken back (B17). The moves of a match
    over the board are not recorded: there the club's word counts (K5).
    """
    if not (match.rated and match.winner and match.length and match.ended_at):
        return False
    if len(seats) != len(SIDES) or any(seat.user is None or seat.user.is_guest for seat in seats):
        return False
    if match.taken_back or (match.arranged and any(seat.user is not None and seat.user.is_bot for seat in seats)):
        return False
    terms = RULES[match.variant].terms(match.length)
    if any(terms[key].is_house_rule(value) for key, value in match.options.items()):
        return False
    if match.over_the_board:
        return True
    acts = Action.objects.filter(match=match, actor__in=SIDES).exclude(text__in=NOT_PLAYING)
    acted = acts.exclude(text__startswith="resign").values_list("actor", flat=True).order_by().distinct()
    return len(acted) == len(SIDES)


def _append(match: Match, seats: Sequence[Seat]) -> None:
    """Add the next line of the pool, and apply what it changes."""
    rules = RULES[match.variant]
    players: dict[str, Any] = {seat.side: seat.user_id for seat in seats}
    ended_at: Any = match.ended_at
    pool = _pool_lock(match.variant, pool_of(match.clock_preset, [seat.user for seat in seats]))
    pool.matches += 1
    row = RatedMatch(
        pool=pool,
        n=pool.matches,
        match=match,
        at=ended_at,
        white_id=players["white"],
        black_id=players["black"],
        weight=rules.rating_weight(match.length),
        winner=match.winner,
        results=results_of(match),
    )
    row.save()
    pool.save(update_fields=["matches"])
    known = pool.ratings.filter(user__in=players.values())
    standings: Standings = {rating.user_id: standing_of(rating) for rating in known}
    steps = list(ratings.steps([line_of(row)], system=rules.rating, standings=standings))
    RatingEvent.objects.bulk_create([_event(row, step) for step in steps])
    _ratings_write(pool, {step.player: step.after for step in steps})


def _pool_lock(variant: str, pace: str) -> RatingPool:
    """The pool, locked until the end of the transaction; the first match creates it."""
    locked = RatingPool.objects.select_for_update()
    pool = locked.filter(variant=variant, pace=pace).first()
    if pool is None:
        pool = locked.get(pk=RatingPool.objects.get_or_create(variant=variant, pace=pace)[0].pk)
    return pool


def results_of(match: Match) -> list[float]:
    """White's points for the log: of the match, or of each game where games are rated (R3).

    A game that went on when the match was resigned counts as lost. Where a director names another winner than play did,
    the match counts as one game.
    """
    played = (match.snapshot.get("result") or {}).get("winner")
    if RULES[match.variant].rating == "fibs" or played != match.winner:
        return [float(match.winner == "white")]
    games = Game.objects.filter(match=match).order_by("number").values_list("winner", "points")
    value = {"white": 1.0, "black": 0.0, "": 0.5}
    return [value[winner if points else match.winner] for winner, points in games]


# A result that is corrected


def correct_log(match: Match, seats: Sequence[Seat], *, counts: bool) -> None:
    """Correct the log to a corrected result (the match is locked, with its new winner), and the pool from there on."""
    row = RatedMatch.objects.filter(match=match).first()
    if row is None:
        if counts and is_ratable(match, seats):
            _append(match, seats)
        return
    pool = RatingPool.objects.select_for_update().get(pk=row.pool_id)
    row.counts = counts and bool(match.winner)
    if match.winner:
        row.winner, row.results = match.winner, results_of(match)
    row.save(update_fields=["counts", "winner", "results"])
    _refold(pool, since=row.n)


def lines_place_by_time(matches: Iterable[Match]) -> None:
    """Move the lines of matches that were reported late to where they belong by the time they were played.

    In the transaction that recorded them. The other lines keep their order.
    """
    rows = RatedMatch.objects.filter(match__in=[match.pk for match in matches]).order_by("pool")
    for pool_id, lines in groupby(rows, key=lambda row: row.pool_id):
        _lines_place(RatingPool.objects.select_for_update().get(pk=pool_id), list(lines))


def _lines_place(pool: RatingPool, late: list[RatedMatch]) -> None:
    late.sort(key=lambda row: (row.at, row.n))
    others = pool.log.exclude(pk__in=[row.pk for row in late])
    later = others.filter(at__gt=late[0].at).aggregate(n=Min("n"))["n"]
    start = min(row.n for row in late) if later is None else min(later, *(row.n for row in late))
    order: list[RatedMatch] = []
    waiting = iter(late)
    following = next(waiting, None)
    for row in others.filter(n__gte=start).order_by("n"):
        while following is not None and following.at < row.at:
            order.append(following)
            following = next(waiting, None)
        order.append(row)
    order += [] if following is None else [following, *waiting]
    if all(row.n == n for n, row in enumerate(order, start)):
        return
    pool.events.filter(n__gte=start).delete()
    pool.log.filter(n__gte=start).update(n=F("n") + pool.matches)  # out of the way: a number is there once
    for n, row in enumerate(order, start):
        row.n = n
    for first in range(0, len(order), BATCH):
        RatedMatch.objects.bulk_update(order[first : first + BATCH], ["n"])
    _refold(pool, since=start)


def counts_now(match: Match) -> bool:
    """Whether a match counts in the ratings now."""
    return RatedMatch.objects.filter(match=match, counts=True).exists()


# The whole log again


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored row that differs from what follows from the log: an event (of line `n`), or a rating (`n` is None).

    `pk` is that of the stored row, or None where one is missing.
    """

    user_id: int
    n: int | None
    pk: int | None
    stored: tuple[Any, ...] | None
    correct: tuple[Any, ...] | None


def pool_rebuild(*, pool_id: int, check: bool = False) -> list[Difference]:
    """Fold the log of a pool again and correct what differs; with `check` only return the differences."""
    with transaction.atomic():
        return _refold(RatingPool.objects.select_for_update().get(pk=pool_id), check=check)


def matches_unrated() -> list[str]:
    """The rated matches without a line, in the order of their end; a director's correction of one is final."""
    corrected = ResultCorrection.objects.filter(match=OuterRef("pk"))
    over = Match.objects.filter(status=Match.Status.OVER, rated=True, rated_match=None).exclude(Exists(corrected))
    over = over.exclude(ended_by=Match.EndedBy.STOPPED).order_by("ended_at", "pk").prefetch_related("seats__user")
    return [match.pk for match in over.iterator(chunk_size=BATCH) if is_ratable(match, list(match.seats.all()))]


def match_rate_late(*, match_id: str) -> bool:
    """Rate a match that ended without its line in the log; whether it was rated."""
    with transaction.atomic():
        match = match_sql.match_lock(match_id)
        return match is not None and match_rate(match, list(match.seats.select_related("user")))


def _refold(pool: RatingPool, *, since: int = 1, check: bool = False) -> list[Difference]:
    """Rebuild the locked pool from its log; correct rows are not touched. Events before `since` are correct."""
    log = {row.n: row for row in pool.log.order_by("n")}
    standings: Standings = {}
    correct_events: dict[tuple[int, Any], RatingEvent] = {}
    for step in ratings.steps(map(line_of, log.values()), system=RULES[pool.variant].rating):
        standings[step.player] = step.after
        if step.line.n >= since:
            correct_events[step.line.n, step.player] = _event(log[step.line.n], step)
    differences = [
        *_compare(
            pool.events.filter(n__gte=since), correct_events, lambda event: (event.n, event.user_id), EVENT_FIELDS
        ),
        *_compare(
            pool.ratings.all(), _ratings(pool, standings), lambda rating: (None, rating.user_id), STANDING_FIELDS
        ),
    ]
    if not check:
        _correct_rows(pool, differences, correct_events, standings)
    return differences


def _compare(stored: Iterable[Any], correct: dict[Any, Any], key: Any, names: Sequence[str]) -> Iterator[Difference]:
    def values(row: Any) -> tuple[Any, ...] | None:
        return None if row is None else tuple(getattr(row, name) for name in names)

    found = {key(row): row for row in stored}
    for n, user_id in found.keys() | correct.keys():
        row = found.get((n, user_id))
        before, after = values(row), values(correct.get((n, user_id)))
        if before != after:
            yield Difference(user_id, n, row.pk if row is not None else None, before, after)


def _correct_rows(
    pool: RatingPool, differences: list[Difference], events: dict[Any, RatingEvent], standings: Standings
) -> None:
    for start in range(0, len(differences), BATCH):
        part = differences[start : start + BATCH]
        RatingEvent.objects.filter(pk__in=[each.pk for each in part if each.n and each.pk]).delete()
        RatingEvent.objects.bulk_create([events[each.n, each.user_id] for each in part if each.n and each.correct])
        users = {each.user_id for each in part if each.n is None}
        pool.ratings.filter(user__in=users - standings.keys()).delete()
        _ratings_write(pool, {user: standings[user] for user in users & standings.keys()})


# Rows and values


def line_of(row: RatedMatch) -> Line:
    """A row of the log as the formula reads it; players by their keys."""
    return Line(
        *(row.n, row.at, row.white_id, row.black_id, row.weight, row.winner),
        results=tuple(row.results),
        counts=row.counts,
    )


def standing_of(rating: Rating) -> Standing:
    """A row of the list as the formula reads it."""
    return Standing(**{name: getattr(rating, name) for name in STANDING_FIELDS})


def _event(row: RatedMatch, step: Step) -> RatingEvent:
    user_id: Any = step.player
    before, after = step.before, step.after
    return RatingEvent(
        rated=row,
        pool_id=row.pool_id,
        n=row.n,
        user_id=user_id,
        at=row.at,
        rating_before=before.rating,
        rating_after=after.rating,
        experience_before=before.experience,
        deviation_before=before.deviation,
        deviation_after=after.deviation,
        volatility_before=before.volatility,
        volatility_after=after.volatility,
        formula=step.formula,
    )


def _ratings(pool: RatingPool, standings: Mapping[Any, Standing]) -> dict[tuple[None, Any], Rating]:
    return {
        (None, user): Rating(pool=pool, user_id=user, **dict(zip(STANDING_FIELDS, astuple(standing), strict=True)))
        for user, standing in standings.items()
    }


def _ratings_write(pool: RatingPool, standings: Standings) -> None:
    Rating.objects.bulk_create(
        _ratings(pool, standings).values(),
        update_conflicts=True,
        unique_fields=["pool", "user"],
        update_fields=STANDING_FIELDS,
    )
