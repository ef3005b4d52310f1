"""Records and badges of a player. Other apps add their badges in the slot "badges" of the profile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rating_pools import COMPUTERS
from games.selectors.ratings import RatingCard
from games.selectors.statistics import StatsRow


@dataclass(frozen=True, slots=True)
class Badge:
    """Something earned: what stands on it, and what it is for."""

    mark: str
    name: Promise


@dataclass(frozen=True, slots=True)
class Records:
    """The best of a player: wins in a row, gammons and backgammons won, the highest rating (None without one)."""

    streak: int
    gammons: int
    backgammons: int
    peak: float | None
    badges: list[Badge]


def records_of(rows: Sequence[StatsRow], cards: Sequence[RatingCard], won: Iterable[bool]) -> Records:
    """The records and badges of a player, from statistics, ratings, and which of the last matches they won.

    Of the ratings those among people count (R6).
    """
    cards = [card for card in cards if card.pace != COMPUTERS]
    total = {
        name: sum(getattr(row.stats, name) for row in rows)
        for name in ("matches", "won", "gammons_won", "backgammons_won", "doubles_cashed")
    }
    streak = longest_streak(won)
    earned = (
        (total["won"] >= 1, Badge("1", _("First match won"))),
        (total["gammons_won"] >= 1, Badge("G", _("First gammon"))),
        (total["backgammons_won"] >= 1, Badge("B", _("First backgammon"))),
        (total["doubles_cashed"] >= 10, Badge("64", _("Ten doubles dropped by opponents"))),
        (5 <= streak < 10, Badge("5", _("Five matches won in a row"))),
        (streak >= 10, Badge("10", _("Ten matches won in a row"))),
        (100 <= total["matches"] < 1000, Badge("C", _("A hundred matches"))),
        (total["matches"] >= 1000, Badge("M", _("A thousand matches"))),
        (any(not card.provisional for card in cards), Badge("R", _("An established rating"))),
        (any(card.rank == 1 for card in cards), Badge("★", _("First in a rating list"))),
    )
    return Records(
        streak,
        total["gammons_won"],
        total["backgammons_won"],
        max((card.peak for card in cards), default=None),
        [badge for is_earned, badge in earned if is_earned],
    )


def longest_streak(results: Iterable[bool | None]) -> int:
    """The most wins in a row."""
    longest = current = 0
    for won in results:
        current = current + 1 if won else 0
        longest = max(longest, current)
    return longest
