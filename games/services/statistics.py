"""Statistics of finished matches, counted once. The rows drive the work: a match without facts is still to be counted.

Counting is idempotent: the facts are written anew, as after a corrected result, and the rolls are counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Q

from games import match_facts, take_back
from games.clocks import PRESETS, pace_of
from games.database import now
from games.engine import SIDES, Side, opponent
from games.events import start_state
from games.models import Action, Game, Match, RollCount, Seat, SeatFacts

RollKey = tuple[int, str, str, int]
"""User id, variant, pace and dice: the key of a `RollCount`."""
Rolls = Counter[RollKey]

ROLLS_PER_STATEMENT = 150
"""SQLite takes 999 values in one statement."""
_WRITTEN = [field.name for field in SeatFacts._meta.concrete_fields if not field.primary_key]


def facts_make(*, match_id: str) -> bool:
    """Count a finished match between two players, in one transaction; whether there was anything to count.

    A match that was called off, in which a play was taken back, or that was imported from a file is not counted.
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
    """The unsaved rows of a match's two seats, and the rolls that they add. No queries."""
    games = list(games)
    return facts_rows(match, seats, games, tallies_of(match, games, actions))


def tallies_of(match: Match, games: Iterable[Game], actions: Iterable[Action]) -> match_facts.Tallies:
    """The tally of each side of a match, from its actions in their order."""
    preset = PRESETS.get(match.clock_preset)
    played = take_back.standing(actions)
    timed = (match_facts.TimedAction(row.actor, row.text, row.at, row.white_ms, row.black_ms) for row in played)
    return match_facts.tally(start_state(match, games), delay=preset.delay if preset else 0, actions=timed)


def facts_rows(
    match: Match, seats: Sequence[Seat], games: Iterable[Game], tallies: match_facts.Tallies
) -> tuple[list[SeatFacts], Rolls]:
    """As `facts_of`, where the actions have been counted already."""
    by_side = {seat.side: seat for seat in seats}
    played = [game for game in games if game.points]  # an unfinished game has none
    rows, rolls = [], Rolls()
    for side in SIDES:
        seat, other, tally = by_side[side], by_side[opponent(side)], tallies[side]
        row = SeatFacts(
            seat=seat,
            user_id=seat.user_id,  # type: ignore[misc] # both seats have players, and the match is over
            opponent_id=other.user_id,
            variant=match.variant,
            pace=pace_of(match.clock_preset),
            length=match.length,
            won=seat.won,
            points=seat.points,
            rival_points=other.points,
            ended_at=match.ended_at,
            games=len(played),
            **_won_and_lost(side, played),
            **{name: getattr(tally, name) for name in match_facts.COUNT_FIELDS},
        )
        rows.append(row)
        for dice, count in tally.dice.items():
            rolls[seat.user_id, row.variant, row.pace, dice] += count  # type: ignore[index]
    return rows, rolls


def _won_and_lost(side: Side, games: Sequence[Game]) -> dict[str, int]:
    won = Counter(game.kind for game in games if game.winner == side)
    lost = Counter(game.kind for game in games if game.winner == opponent(side))
    return {
        "games_won": won.total(),
        "games_lost": lost.total(),
        "gammons_won": won["gammon"],
        "backgammons_won": won["backgammon"],
        "gammons_lost": lost["gammon"],
        "backgammons_lost": lost["backgammon"],
    }


def rolls_add(rolls: Mapping[RollKey, int]) -> None:
    """Add to the counted rolls, in the order of the keys, so that two transactions never deadlock."""
    table = connection.ops.quote_name(RollCount._meta.db_table)
    keys = sorted(rolls)
    for start in range(0, len(keys), ROLLS_PER_STATEMENT):
        batch = keys[start : start + ROLLS_PER_STATEMENT]
        places = ", ".join(["(%s, %s, %s, %s, %s)"] * len(batch))
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {table} AS kept (user_id, variant, pace, dice, count) VALUES {places} "  # nosec B608  # noqa: S608
                "ON CONFLICT (user_id, variant, pace, dice) DO UPDATE SET count = kept.count + excluded.count",
                [value for key in batch for value in (*key, rolls[key])],
            )


# Sweeping


def countable() -> Q:
    """The matches that are counted: finished here, not called off, and without a play that was taken back (B17)."""
    return Q(status=Match.Status.OVER, source="", taken_back=0) & ~Q(ended_by=Match.EndedBy.STOPPED)


def facts_missing(*, days: int | None, most: int) -> list[str]:
    """The uncounted matches that ended in the last `days` (None: ever), the last first."""
    matches = Match.objects.filter(countable(), seats__side="white", seats__user__isnull=False, seats__facts=None)
    if days is not None:
        matches = matches.filter(ended_at__gt=now() - timedelta(days=days))
    return list(matches.order_by("-ended_at").values_list("pk", flat=True)[:most])


def statistics_rebuild(*, progress: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Delete all statistics and count every finished match again; returns how many were counted.

    If it is interrupted, the sweep goes on: what was deleted is missing.
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
    """Lock both tables: a match counted between the deletions would count twice (SQLite has one writer)."""
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in (SeatFacts, RollCount))
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
