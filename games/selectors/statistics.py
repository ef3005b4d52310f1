"""Statistics of a player's finished matches, summed from `SeatFacts` (for dice see `dice_reports`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, TypeVar, cast

from django.db.models import Count, Q, QuerySet, Sum

from accounts.models import User
from games.clocks import Pace
from games.match_facts import Counts
from games.models import SeatFacts

PACES: tuple[Pace, ...] = ("live", "correspondence")
MOST_OPPONENTS = 10
Key = TypeVar("Key", str, int)


@dataclass(slots=True)
class PlayerStats(Counts):
    """Sums over some of a player's matches: played, won and lost, and the counts of `SeatFacts`."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    points: float = 0
    rival_points: float = 0
    games: int = 0
    games_won: int = 0
    games_lost: int = 0
    gammons_won: int = 0
    backgammons_won: int = 0
    gammons_lost: int = 0
    backgammons_lost: int = 0

    @property
    def level(self) -> int:
        return self.matches - self.won - self.lost

    @property
    def share(self) -> float | None:
        """The share of matches won; None without matches."""
        return self.won / self.matches if self.matches else None

    @property
    def games_share(self) -> float | None:
        return self.games_won / self.games if self.games else None

    @property
    def big_won(self) -> int:
        """Games won by a gammon or a backgammon."""
        return self.gammons_won + self.backgammons_won

    @property
    def big_lost(self) -> int:
        return self.gammons_lost + self.backgammons_lost

    @property
    def big_share(self) -> float | None:
        """The share of the games won that were gammons or backgammons."""
        return self.big_won / self.games_won if self.games_won else None

    @property
    def big_lost_share(self) -> float | None:
        return self.big_lost / self.games_lost if self.games_lost else None

    @property
    def doubles_received(self) -> int:
        return self.doubles_taken + self.doubles_dropped

    @property
    def taken_share(self) -> float | None:
        """The share of the received doubles that were taken."""
        return self.doubles_taken / self.doubles_received if self.doubles_received else None

    @property
    def cashed_share(self) -> float | None:
        """The share of the player's doubles that the opponent dropped."""
        return self.doubles_cashed / self.doubles_offered if self.doubles_offered else None

    @property
    def seconds_a_play(self) -> float | None:
        return self.thinking_ms / self.plays / 1000 if self.plays else None


NAMES = tuple(each.name for each in fields(PlayerStats))
# Prefixed, because an annotation may not have the name of a field.
_SUMS = {
    **{f"sum_{name}": Sum(name) for name in NAMES if name not in ("matches", "won", "lost")},
    "sum_matches": Count("pk"),
    "sum_won": Count("pk", filter=Q(won=True)),
    "sum_lost": Count("pk", filter=Q(won=False)),
}


@dataclass(frozen=True, slots=True)
class StatsRow:
    """The statistics of the matches of one variant, pace and length."""

    variant: str
    pace: str
    length: int
    stats: PlayerStats


@dataclass(frozen=True, slots=True)
class OpponentStats:
    """The statistics of the matches against one opponent."""

    opponent: User
    stats: PlayerStats


def _player_stats(row: Mapping[str, Any]) -> PlayerStats:
    return PlayerStats(**{name: row[f"sum_{name}"] or 0 for name in NAMES})


def _summed(facts: QuerySet[SeatFacts], *by: str) -> Iterable[dict[str, Any]]:
    return cast(Iterable[dict[str, Any]], facts.values(*by).annotate(**_SUMS).order_by(*by))


def _facts_of(user: User, variant: str, pace: str) -> QuerySet[SeatFacts]:
    wanted = {"variant": variant, "pace": pace}
    return SeatFacts.objects.filter(user=user, **{name: value for name, value in wanted.items() if value})


def stats_rows(user: User, *, opponent: User | None = None) -> list[StatsRow]:
    """The statistics of a player, or against one opponent, by variant, pace and length."""
    facts = SeatFacts.objects.filter(user=user, **({"opponent": opponent} if opponent else {}))
    rows = _summed(facts, "variant", "pace", "length")
    return [StatsRow(row["variant"], row["pace"], row["length"], _player_stats(row)) for row in rows]


def total_stats(rows: Iterable[StatsRow]) -> PlayerStats:
    """The sum of several rows."""
    return sum((row.stats for row in rows), PlayerStats())


def stats_by(key: Callable[[StatsRow], Key], rows: Iterable[StatsRow]) -> dict[Key, PlayerStats]:
    """The sums by a key such as variant or length, in the order of the key."""
    return {value: total_stats(group) for value, group in groupby(sorted(rows, key=key), key)}


def stats_by_opponent(user: User, *, variant: str = "", pace: str = "") -> list[OpponentStats]:
    """The statistics against the most frequent opponents, guests excluded."""
    facts = _facts_of(user, variant, pace).filter(opponent__is_guest=False).order_by()
    rows = (
        facts.values("opponent").annotate(sum_matches=Count("pk")).order_by("-sum_matches", "opponent")[:MOST_OPPONENTS]
    )
    most = [row["opponent"] for row in rows]
    people = User.objects.in_bulk(most)
    stats = {row["opponent"]: _player_stats(row) for row in _summed(facts.filter(opponent__in=most), "opponent")}
    return [OpponentStats(people[pk], stats[pk]) for pk in most]


def opponents_seconds_per_play(user: User, *, variant: str = "", pace: str = "") -> float | None:
    """The average seconds per play of the player's opponents."""
    wanted = {"variant": variant, "pace": pace}
    facts = SeatFacts.objects.filter(opponent=user, **{name: value for name, value in wanted.items() if value})
    sums = facts.aggregate(plays=Sum("plays"), thinking=Sum("thinking_ms"))
    return sums["thinking"] / sums["plays"] / 1000 if sums["plays"] else None
