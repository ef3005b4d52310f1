"""The dice really thrown, of the site, of a player or of a match, against those that fair dice throw.

Nothing here replays more than one match: the site and the players are summed from what was counted at each match's end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Sum

from accounts.models import User
from games import chance
from games.chance import Found
from games.engine import SIDES
from games.facts import Counted, Tally
from games.models import Match, RollCount, SeatFacts
from games.services.statistics import tallies_of

KEPT_FOR = 300
"""Seconds that the sums of the site stand: a fifth of a second's work over 100,000 matches."""
MANY = 100_000
_KEPT = "rolls-of-site"
_BAR = ("bar_rolls", "bar_entered", "bar_expected", "bar_variance")
_READ = ("match_id", "n", "actor", "text", "at", "white_ms", "black_ms")


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice that were thrown, against those that fair dice throw."""

    rolls: int = 0
    found: Mapping[int, Found] = field(default_factory=dict)
    chi_square: float = 0.0
    p_value: float = 1.0
    doubles: Found | None = None
    pips: Found | None = None
    bar: Found | None = None
    bar_rolls: int = 0

    @property
    def some(self) -> bool:
        """Whether there are rolls enough for a p-value."""
        return self.rolls >= chance.SOME

    @property
    def enough(self) -> bool:
        """Whether there are so many that loaded dice would show."""
        return self.rolls >= chance.LEAST

    @property
    def many(self) -> bool:
        """Whether they are so many that shares say more than counts."""
        return self.rolls >= MANY


@dataclass(frozen=True, slots=True)
class OfSite:
    """The dice of all counted matches, or of those of one game; `variants` are the games in which dice were thrown."""

    matches: int
    dice: Dice
    variants: list[str]


@dataclass(frozen=True, slots=True)
class OfMatch:
    """The dice of both players together, and each one's own."""

    both: Dice
    sides: Mapping[str, Dice]


def of_site(variant: str = "") -> OfSite:
    """The dice of the site, at most five minutes old; of all games where this is none. Two queries, or none."""
    kept: dict[str, dict[str, Any]] = cache.get_or_set(_KEPT, _summed, KEPT_FOR)  # type: ignore[assignment]
    chosen = [variant] if variant in kept else list(kept)
    tally = reduce(add, (Tally(**kept[key]["bar"], thrown=Counter(kept[key]["thrown"])) for key in chosen), Tally())
    return OfSite(sum(kept[key]["matches"] for key in chosen), report(tally.thrown, tally), sorted(kept))


def _summed() -> dict[str, dict[str, Any]]:
    """By variant: the matches, the rolls, and the men on the bar of both seats."""
    thrown: dict[str, dict[int, int]] = {}
    rows = RollCount.objects.order_by().values_list("variant", "dice").annotate(Sum("count"))
    for variant, dice, count in rows:
        thrown.setdefault(variant, {})[dice] = count
    facts = SeatFacts.objects.order_by().values("variant")
    # Under other names, because an annotation may not be called as a field is.
    sums = facts.annotate(seats=Count("pk"), **{f"sum_{name}": Sum(name) for name in _BAR})
    return {
        row["variant"]: {
            "matches": row["seats"] // len(SIDES),
            "bar": {name: row[f"sum_{name}"] for name in _BAR},  # type: ignore[literal-required]
            "thrown": thrown[row["variant"]],
        }
        for row in sums
        if row["variant"] in thrown
    }


def of_player(user: User, counted: Counted, *, variant: str = "", pace: str = "") -> Dice:
    """The rolls of a player in these matches; `counted` is what else is known of the same ones. One query."""
    wanted = {"variant": variant, "pace": pace}
    rows = RollCount.objects.filter(user=user, **{name: value for name, value in wanted.items() if value})
    thrown: Counter[int] = Counter()
    for dice, count in rows.values_list("dice", "count"):
        thrown[dice] += count
    return report(thrown, counted)


def of_match(match: Match) -> OfMatch:
    """The rolls of a match that was played here, counted from its actions. Two queries."""
    tallies = tallies_of(match, match.games.order_by("number")[:1], match.actions.order_by("n").only(*_READ))
    both = tallies["white"] + tallies["black"]
    return OfMatch(report(both.thrown, both), {side: report(tallies[side].thrown, tallies[side]) for side in SIDES})


def report(thrown: Mapping[int, int], counted: Counted) -> Dice:
    """Counted rolls and men on the bar beside what fair dice do. Reads nothing."""
    rolls = sum(thrown.values())
    if not rolls:
        return Dice()
    statistic, p_value = chance.chi_square(thrown)
    doubles = sum(count for dice, count in thrown.items() if dice // 10 == dice % 10)
    pips = sum(count * chance.pips_of(dice) for dice, count in thrown.items())
    entered = chance.summed(counted.bar_entered, counted.bar_expected, counted.bar_variance)
    return Dice(
        rolls=rolls,
        found={dice: chance.counted(thrown.get(dice, 0), rolls, chance.chance_of(dice)) for dice in chance.DICE},
        chi_square=statistic,
        p_value=p_value,
        doubles=chance.counted(doubles, rolls, chance.P_DOUBLE),
        pips=chance.summed(pips / rolls, chance.PIPS, chance.PIPS_VARIANCE / rolls),
        bar=entered if counted.bar_rolls else None,
        bar_rolls=counted.bar_rolls,
    )
