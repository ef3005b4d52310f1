"""Statistics of the dice rolled on the site, by a player or in a match, compared with fair dice.

Never replays more than one match: site and players are summed from the counts stored at the end of each match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any, cast

from django.core.cache import cache
from django.db.models import Count, Sum

from accounts.models import User
from games import dice_statistics
from games.dice_statistics import Comparison
from games.engine import SIDES
from games.match_facts import Counts, Tally
from games.models import Match, RollCount, SeatFacts
from games.services.statistics import tallies_of

CACHE_SECONDS = 300
"""Seconds that the sums of the site are cached: they take 0.2 s over 100,000 matches."""
MANY = 100_000
_CACHE_KEY = "rolls-of-site"
_BAR = ("bar_rolls", "bar_entered", "bar_expected", "bar_variance")
_READ = ("match_id", "n", "actor", "text", "at", "white_ms", "black_ms")


@dataclass(frozen=True, slots=True)
class DiceReport:
    """The dice rolled, compared with fair dice."""

    rolls: int = 0
    found: Mapping[int, Comparison] = field(default_factory=dict)
    chi_square: float = 0.0
    p_value: float = 1.0
    doubles: Comparison | None = None
    pips: Comparison | None = None
    bar: Comparison | None = None
    bar_rolls: int = 0

    @property
    def has_p_value(self) -> bool:
        """Whether there are enough rolls for a p-value."""
        return self.rolls >= dice_statistics.MIN_ROLLS_FOR_P_VALUE

    @property
    def enough(self) -> bool:
        """Whether there are enough rolls to detect loaded dice."""
        return self.rolls >= dice_statistics.MIN_ROLLS

    @property
    def many(self) -> bool:
        """Whether there are so many rolls that shares say more than counts."""
        return self.rolls >= MANY


@dataclass(frozen=True, slots=True)
class SiteDice:
    """The dice of all counted matches, or of one game; `variants` are the games with rolls."""

    matches: int
    dice: DiceReport
    variants: list[str]


@dataclass(frozen=True, slots=True)
class MatchDice:
    """The dice of both players together, and of each player."""

    both: DiceReport
    sides: Mapping[str, DiceReport]


def site_dice(variant: str = "") -> SiteDice:
    """The dice of the site, at most five minutes old; of all games if `variant` has no rolls. Two queries, or none."""
    sums = cast(dict[str, dict[str, Any]], cache.get_or_set(_CACHE_KEY, _summed, CACHE_SECONDS))
    chosen = [variant] if variant in sums else list(sums)
    tally = reduce(add, (Tally(**sums[key]["bar"], dice=Counter(sums[key]["thrown"])) for key in chosen), Tally())
    return SiteDice(sum(sums[key]["matches"] for key in chosen), dice_report(tally.dice, tally), sorted(sums))


def _summed() -> dict[str, dict[str, Any]]:
    """By variant: the matches, the rolls, and the bar entries of both seats."""
    thrown: dict[str, dict[int, int]] = {}
    rows = RollCount.objects.order_by().values_list("variant", "dice").annotate(Sum("count"))
    for variant, dice, count in rows:
        thrown.setdefault(variant, {})[dice] = count
    facts = SeatFacts.objects.order_by().values("variant")
    # Prefixed, because an annotation may not have the name of a field.
    totals = facts.annotate(seats=Count("pk"), **{f"sum_{name}": Sum(name) for name in _BAR})
    return {
        row["variant"]: {
            "matches": row["seats"] // len(SIDES),
            "bar": {name: row[f"sum_{name}"] for name in _BAR},  # type: ignore[literal-required]
            "thrown": thrown[row["variant"]],
        }
        for row in totals
        if row["variant"] in thrown
    }


def player_dice(user: User, counted: Counts, *, variant: str = "", pace: str = "") -> DiceReport:
    """The rolls of a player; `counted` holds the other counts of the same matches. One query."""
    wanted = {"variant": variant, "pace": pace}
    rows = RollCount.objects.filter(user=user, **{name: value for name, value in wanted.items() if value})
    thrown: Counter[int] = Counter()
    for dice, count in rows.values_list("dice", "count"):
        thrown[dice] += count
    return dice_report(thrown, counted)


def match_dice(match: Match) -> MatchDice:
    """The rolls of a match that was played here, counted from its actions. Two queries."""
    tallies = tallies_of(match, match.games.order_by("number")[:1], match.actions.order_by("n").only(*_READ))
    both = tallies["white"] + tallies["black"]
    return MatchDice(
        dice_report(both.dice, both), {side: dice_report(tallies[side].dice, tallies[side]) for side in SIDES}
    )


def dice_report(thrown: Mapping[int, int], counted: Counts) -> DiceReport:
    """Compare counted rolls and bar entries with fair dice. Reads nothing."""
    rolls = sum(thrown.values())
    if not rolls:
        return DiceReport()
    statistic, p_value = dice_statistics.chi_square(thrown)
    doubles = sum(count for dice, count in thrown.items() if dice // 10 == dice % 10)
    pips = sum(count * dice_statistics.pips_of(dice) for dice, count in thrown.items())
    entered = dice_statistics.compare_sum(counted.bar_entered, counted.bar_expected, counted.bar_variance)
    return DiceReport(
        rolls=rolls,
        found={
            dice: dice_statistics.compare_count(thrown.get(dice, 0), rolls, dice_statistics.probability_of(dice))
            for dice in dice_statistics.DICE
        },
        chi_square=statistic,
        p_value=p_value,
        doubles=dice_statistics.compare_count(doubles, rolls, dice_statistics.P_DOUBLE),
        pips=dice_statistics.compare_sum(pips / rolls, dice_statistics.PIPS, dice_statistics.PIPS_VARIANCE / rolls),
        bar=entered if counted.bar_rolls else None,
        bar_rolls=counted.bar_rolls,
    )
