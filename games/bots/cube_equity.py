"""The match equity table and cubeful equities of our own, in pure Python, from the chances of a position.

For engines that know no cube (`games.bots.small_net`). The table is computed here, not taken from anywhere: both
players are equal, and a fixed share of games ends by a drop, and another one by a gammon at a cube of 2. It differs
from the Kazaross-XG2 table by 0.024 at most up to 15 points away, and by 0.012 on average. Cubeful equities interpolate
between a dead and a fully live cube (Janowski, "Take-Points in Money Games", 1993).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from games.bots.sage import Stakes

GAMMONS = 0.3
"""The share of gammons among games that are played to their end."""
LIFE = 0.68
"""How much of its full value a cube has."""
LAST_AWAY = 25

Chances = list[float]


@cache
def match_chance(away: int, opponent_away: int, *, post_crawford: bool = False) -> float:
    """The chance to win a match in which both sides need so many points; 1 point away is the Crawford game first."""
    if away <= 0 or opponent_away <= 0:
        return 1.0 if away <= 0 else 0.0
    away, opponent_away = min(away, LAST_AWAY), min(opponent_away, LAST_AWAY)
    if away == opponent_away:
        return 0.5
    if away < opponent_away:
        return 1 - match_chance(opponent_away, away, post_crawford=post_crawford)
    if opponent_away > 1:
        return _with_cube(away, opponent_away)
    # The leader needs one point. After the Crawford game the other side doubles at once.
    value = 2 if post_crawford else 1
    won = match_chance(away - value, 1, post_crawford=True)
    gammon = match_chance(away - 2 * value, 1, post_crawford=True)
    return 0.5 * ((1 - GAMMONS) * won + GAMMONS * gammon)


def _with_cube(away: int, opponent_away: int) -> float:
    """The chance of a side that is behind, both needing two points or more: the game is won for a cube of 1 or 2.

    Each side wins half of the games: by a drop, or to the end at a cube of 2, in which the same share are gammons.
    """

    def after(points: int, opponent_points: int) -> float:
        return match_chance(away - points, opponent_away - opponent_points)

    dropped = 0.5 * (after(1, 0) + after(0, 1))
    played = 0.5 * ((1 - GAMMONS) * (after(2, 0) + after(0, 2)) + GAMMONS * (after(4, 0) + after(0, 4)))
    return DROPPED * dropped + (1 - DROPPED) * played


DROPPED = 0.3
"""The share of games that end by a drop or an undoubled single game."""


@dataclass(frozen=True, slots=True)
class CubeValue:
    """Equities of the side on roll, 1.0 being what the cube shows now."""

    hold: float
    double_take: float
    double_drop: float


def cubeless(chances: Chances) -> float:
    """The equity in points at a cube of 1."""
    won, gammon, backgammon, lost_gammon, lost_backgammon = chances
    return 2 * won - 1 + gammon + backgammon - lost_gammon - lost_backgammon


def mwc(chances: Chances, stakes: Stakes) -> float:
    """The chance to win the match if the cube stays where it is."""
    won, gammon, backgammon, lost_gammon, lost_backgammon = chances
    shares = (won - gammon, gammon - backgammon, backgammon)
    lost = (1 - won - lost_gammon, lost_gammon - lost_backgammon, lost_backgammon)
    total = sum(share * match_after(stakes, (n + 1) * stakes.value) for n, share in enumerate(shares))
    return total + sum(share * match_after(stakes, -(n + 1) * stakes.value) for n, share in enumerate(lost))


def match_after(stakes: Stakes, points: int) -> float:
    """The chance to win the match after so many points of this game, negative ones being lost."""
    away, opponent_away = stakes.away - max(points, 0), stakes.opponent_away + min(points, 0)
    late = stakes.crawford or 1 in (stakes.away, stakes.opponent_away)
    return match_chance(away, opponent_away, post_crawford=late)


def to_equity(chance: float, stakes: Stakes) -> float:
    """An equity from a chance to win the match: 1.0 is winning the cube's value, -1.0 losing it."""
    won, lost = match_after(stakes, stakes.value), match_after(stakes, -stakes.value)
    return 2 * (chance - (won + lost) / 2) / (won - lost)


def to_chance(equity: float, stakes: Stakes) -> float:
    """The chance to win the match from an equity."""
    won, lost = match_after(stakes, stakes.value), match_after(stakes, -stakes.value)
    return min(1.0, max(0.0, (won + lost) / 2 + equity * (won - lost) / 2))


def won(points: int, stakes: Stakes) -> float:
    """The equity of winning so many points now."""
    return to_equity(match_after(stakes, points), stakes) if stakes.match else points / stakes.value


def worth(chances: Chances, stakes: Stakes) -> float:
    """The equity with the cube where it is, at its present value; `stakes` and chances are of the same side."""
    dead = to_equity(mwc(chances, stakes), stakes) if stakes.match else cubeless(chances)
    if stakes.owner is None or not _alive(stakes):
        return dead
    return (1 - LIFE) * dead + LIFE * _live(chances, stakes, dead)


def _alive(stakes: Stakes) -> bool:
    """Whether the cube can still change what is won."""
    if not stakes.match:
        return True
    return not stakes.crawford and (stakes.away > stakes.value or stakes.opponent_away > stakes.value)


def _live(chances: Chances, stakes: Stakes, dead: float) -> float:
    """The equity of a cube that is turned exactly at the opponent's last take: piecewise linear in the games won."""
    won = chances[0]
    win = (chances[0] + chances[1] + chances[2]) / won if won > 0 else 1.0
    lose = (1 - won + chances[3] + chances[4]) / (1 - won) if won < 1 else 1.0
    take = _take_point(stakes, win, lose)
    cash = 1 - _take_point(mirrored(stakes), lose, win)
    mine, theirs = stakes.owner in ("player", "centered"), stakes.owner in ("opponent", "centered")
    low, low_at = (-1.0, take) if theirs else (-lose, 0.0)
    high, high_at = (1.0, cash) if mine else (win, 1.0)
    if won <= low_at or won >= high_at or high_at - low_at < 0.01:
        return (
            dead
            if not (mine and won >= high_at) and not (theirs and won <= low_at)
            else (max(dead, 1.0) if won >= high_at else min(dead, -1.0))
        )
    return low + (high - low) * (won - low_at) / (high_at - low_at)


def _take_point(stakes: Stakes, win: float, lose: float) -> float:
    """The games that the player of `stakes` has to win to take a double, with a cube that lives afterwards."""
    if not stakes.match:
        return (lose - 0.5) / (win + lose + 0.5 * LIFE)
    doubled = replace(stakes, value=2 * stakes.value)
    drop = match_after(stakes, -stakes.value)
    best, worst = match_after(doubled, doubled.value), match_after(doubled, -doubled.value)
    point = (drop - worst) / (best - worst) if best > worst else 0.5
    return min(0.5, max(0.05, point * (1 - 0.18 * LIFE)))


def mirrored(stakes: Stakes) -> Stakes:
    """The same stakes, seen from the other side."""
    owner = {"player": "opponent", "opponent": "player"}.get(stakes.owner or "", stakes.owner)
    return replace(stakes, away=stakes.opponent_away, opponent_away=stakes.away, owner=owner)


def cube_value(chances: Chances, stakes: Stakes) -> CubeValue:
    """What holding and doubling are worth to the side on roll."""
    hold = worth(chances, stakes)
    if not stakes.match:
        taken = replace(stakes, owner="opponent")
        return CubeValue(hold, 2 * worth(chances, taken), 1.0)
    taken = replace(stakes, value=2 * stakes.value, owner="opponent")
    return CubeValue(hold, to_equity(to_chance(worth(chances, taken), taken), stakes), 1.0)
