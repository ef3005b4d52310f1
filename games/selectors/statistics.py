"""A player's finished matches in numbers, from the facts that were counted when they ended (and his dice: `rolls`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import groupby

from django.db.models import Count, Q, QuerySet, Sum

from accounts.models import User
from games.clocks import Pace
from games.facts import Counted
from games.models import SeatFacts

PACES: tuple[Pace, ...] = ("live", "correspondence")
MOST_RIVALS = 10


@dataclass(slots=True)
class Figures(Counted):
    """Sums over some of a player's matches: how many, how many of them won and lost, and what `SeatFacts` counts."""

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
        """Of the matches, how many were won; None of none."""
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
        """Of the games won, how many doubly or trebly."""
        return self.big_won / self.games_won if self.games_won else None

    @property
    def big_lost_share(self) -> float | None:
        return self.big_lost / self.games_lost if self.games_lost else None

    @property
    def doubles_received(self) -> int:
        return self.doubles_taken + self.doubles_dropped

    @property
    def taken_share(self) -> float | None:
        """Of the doubles that he was offered, how many he took."""
        return self.doubles_taken / self.doubles_received if self.doubles_received else None

    @property
    def cashed_share(self) -> float | None:
        """Of his own doubles, how many the rival passed."""
        return self.doubles_cashed / self.doubles_offered if self.doubles_offered else None

    @property
    def seconds_a_play(self) -> float | None:
        return self.thinking_ms / self.plays / 1000 if self.plays else None


NAMES = tuple(each.name for each in fields(Figures))
# Under other names, because an annotation may not be called as a field is.
_SUMS = {
    **{f"sum_{name}": Sum(name) for name in NAMES if name not in ("matches", "won", "lost")},
    "sum_matches": Count("pk"),
    "sum_won": Count("pk", filter=Q(won=True)),
    "sum_lost": Count("pk", filter=Q(won=False)),
}


@dataclass(frozen=True, slots=True)
class Played:
    """The figures of the matches of one variant, pace and length."""

    variant: str
    pace: str
    length: int
    figures: Figures


@dataclass(frozen=True, slots=True)
class Against:
    """The figures of the matches against one rival."""

    rival: User
    figures: Figures


def _figures(row: Mapping[str, float | None]) -> Figures:
    return Figures(**{name: row[f"sum_{name}"] or 0 for name in NAMES})  # type: ignore[arg-type]


def _summed(facts: QuerySet[SeatFacts], *by: str) -> Iterable[dict[str, float | None]]:
    return facts.values(*by).annotate(**_SUMS).order_by(*by)  # type: ignore[return-value]


def _chosen(user: User, variant: str, pace: str) -> QuerySet[SeatFacts]:
    wanted = {"variant": variant, "pace": pace}
    return SeatFacts.objects.filter(user=user, **{name: value for name, value in wanted.items() if value})


def played(user: User, *, rival: User | None = None) -> list[Played]:
    """All that a player (against one rival) has finished, by variant, pace and length."""
    facts = SeatFacts.objects.filter(user=user, **({"rival": rival} if rival else {}))
    rows = _summed(facts, "variant", "pace", "length")
    return [Played(row["variant"], row["pace"], row["length"], _figures(row)) for row in rows]  # type: ignore[arg-type]


def total(rows: Iterable[Played]) -> Figures:
    """The figures of all of these together."""
    return sum((row.figures for row in rows), Figures())


def by(key: Callable[[Played], str | int], rows: Iterable[Played]) -> dict[str | int, Figures]:
    """The figures by variant, by length or the like, in the order of the key."""
    return {value: total(some) for value, some in groupby(sorted(rows, key=key), key)}  # type: ignore[arg-type, type-var]


def by_rival(user: User, *, variant: str = "", pace: str = "") -> list[Against]:
    """The rivals that a player met most often; guests come and go, and are left out."""
    facts = _chosen(user, variant, pace).filter(rival__is_guest=False).order_by()
    rows = facts.values("rival").annotate(sum_matches=Count("pk")).order_by("-sum_matches", "rival")[:MOST_RIVALS]
    most = [row["rival"] for row in rows]
    people = User.objects.in_bulk(most)
    figures = {row["rival"]: _figures(row) for row in _summed(facts.filter(rival__in=most), "rival")}
    return [Against(people[pk], figures[pk]) for pk in most]  # type: ignore[index]


def seconds_of_rivals(user: User, *, variant: str = "", pace: str = "") -> float | None:
    """How long those who play against him think over a play."""
    wanted = {"variant": variant, "pace": pace}
    facts = SeatFacts.objects.filter(rival=user, **{name: value for name, value in wanted.items() if value})
    sums = facts.aggregate(plays=Sum("plays"), thinking=Sum("thinking_ms"))
    return sums["thinking"] / sums["plays"] / 1000 if sums["plays"] else None
