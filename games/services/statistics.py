"""The numbers of finished matches, counted once. The rows drive the work: a match without facts is one to be counted.

Counting again gives the same: the facts are written anew, as after a corrected result, and the rolls only counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Q

from games import facts
from games.clocks import PRESETS, pace_of
from games.database import now
from games.engine import SIDES, rival
from games.events import start_of
from games.models import Action, Game, Match, RollCount, Seat, SeatFacts

RollKey = tuple[int, str, str, int]
"""Whose rolls (user id), in which variant, at which pace, and the dice: the key of a `RollCount`."""
Rolls = Counter[RollKey]

MOST_AT_ONCE = 150
"""Rows of rolls in one statement: SQLite takes 999 values."""
_WRITTEN = [field.name for field in SeatFacts._meta.concrete_fields if not field.primary_key]


def facts_make(*, match_id: str) -> bool:
    """Count a finished match between two players, in one transaction; whether there was anything to count.

    A match that was called off, or that came out of a file, counts for nobody.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().filter(countable(), pk=match_id).first()
        seats = list(Seat.objects.filter(match_id=match_id).select_related("facts")) if match else []
        if match is None or len(seats) != len(SIDES) or any(seat.user_id is None for seat in seats):
            return False
        known = any(hasattr(seat, "facts") for seat in seats)
        rows, rolls = facts_of(match, seats, match.games.all(), match.actions.order_by("n"))
        SeatFacts.objects.bulk_create(rows, update_conflicts=True, unique_fields=["seat"], update_fields=_WRITTEN)
        if not known:
            rolls_add(rolls)
    return True


def facts_of(
    match: Match, seats: Sequence[Seat], games: Iterable[Game], actions: Iterable[Action]
) -> tuple[list[SeatFacts], Rolls]:
    """The rows of a match's two seats, not saved, and the rolls that they add. Reads nothing but what it is given."""
    games = list(games)
    return facts_rows(match, seats, games, tallies_of(match, games, actions))


def tallies_of(match: Match, games: Iterable[Game], actions: Iterable[Action]) -> facts.Tallies:
    """What each side did in a match, from its actions in their order."""
    preset = PRESETS.get(match.clock_preset)
    deeds = (facts.Deed(row.actor, row.text, row.at, row.white_ms, row.black_ms) for row in actions)
    return facts.tally(start_of(match, games), delay=preset.delay if preset else 0, deeds=deeds)


def facts_rows(
    match: Match, seats: Sequence[Seat], games: Iterable[Game], tallies: facts.Tallies
) -> tuple[list[SeatFacts], Rolls]:
    """As `facts_of`, where the actions have been counted already."""
    by_side = {seat.side: seat for seat in seats}
    played = [game for game in games if game.points]  # one that the end of the match cut short has none
    rows, rolls = [], Rolls()
    for side in SIDES:
        seat, other, tally = by_side[side], by_side[rival(side)], tallies[side]
        row = SeatFacts(
            seat=seat,
            user_id=seat.user_id,  # type: ignore[misc] # both seats have players, and the match is over
            rival_id=other.user_id,  # type: ignore[misc]
            variant=match.variant,
            pace=pace_of(match.clock_preset),
            length=match.length,
            won=seat.won,
            points=seat.points,
            rival_points=other.points,
            ended_at=match.ended_at,  # type: ignore[misc]
            games=len(played),
            **_won_and_lost(side, played),
            **{name: getattr(tally, name) for name in facts.COUNTED},
        )
        rows.append(row)
        for dice, count in tally.thrown.items():
            rolls[seat.user_id, row.variant, row.pace, dice] += count  # type: ignore[index]
    return rows, rolls


def _won_and_lost(side: str, games: Sequence[Game]) -> dict[str, int]:
    won = Counter(game.kind for game in games if game.winner == side)
    lost = Counter(game.kind for game in games if game.winner == rival(side))  # type: ignore[arg-type]
    return {
        "games_won": won.total(),
        "games_lost": lost.total(),
        "gammons_won": won["gammon"],
        "backgammons_won": won["backgammon"],
        "gammons_lost": lost["gammon"],
        "backgammons_lost": lost["backgammon"],
    }


def rolls_add(rolls: Mapping[RollKey, int]) -> None:
    """Add to the counted rolls. In the order of the keys, so that two at once never wait for each other in a ring."""
    table = connection.ops.quote_name(RollCount._meta.db_table)
    keys = sorted(rolls)
    for start in range(0, len(keys), MOST_AT_ONCE):
        some = keys[start : start + MOST_AT_ONCE]
        places = ", ".join(["(%s, %s, %s, %s, %s)"] * len(some))
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {table} AS kept (user_id, variant, pace, dice, count) VALUES {places} "  # nosec B608  # noqa: S608
                "ON CONFLICT (user_id, variant, pace, dice) DO UPDATE SET count = kept.count + excluded.count",
                [value for key in some for value in (*key, rolls[key])],
            )


# Sweeping


def countable() -> Q:
    """Which matches have numbers: played here to an end, and not called off."""
    return Q(status=Match.Status.OVER, source="") & ~Q(ended_by=Match.EndedBy.STOPPED)


def facts_missing(*, days: int | None, most: int) -> list[str]:
    """The matches that ended in so many days (None: ever) and have not been counted, the last first."""
    matches = Match.objects.filter(countable(), seats__side="white", seats__user__isnull=False, seats__facts=None)
    if days is not None:
        matches = matches.filter(ended_at__gt=now() - timedelta(days=days))
    return list(matches.order_by("-ended_at").values_list("pk", flat=True)[:most])


def statistics_rebuild(*, progress: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Forget all numbers and count every finished match again; how many were counted.

    Should it be interrupted, the sweep goes on: what is forgotten is missing.
    """
    with transaction.atomic():
        _lock_tables()
        RollCount.objects.all().delete()
        SeatFacts.objects.all().delete()
    ids = list(Match.objects.filter(countable()).order_by("ended_at", "pk").values_list("pk", flat=True))
    counted = 0
    for done, match_id in enumerate(ids, 1):
        counted += facts_make(match_id=match_id)
        progress(done, len(ids))
    return counted


def _lock_tables() -> None:
    """Nobody counts between the two deletions, or his rolls would be counted twice (SQLite has one writer anyway)."""
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in (SeatFacts, RollCount))
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
