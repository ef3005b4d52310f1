"""The analyst: bgsage (Open Sage, MPL-2.0), looking two or three plies ahead where it matters.

What the bot's module says of the library (games.bots.sage) holds here too. Facts about its search:

- `MultiPlyStrategy.evaluate_board` is the search itself, on one thread: 0.6 to 2 ms for a board at 2-ply, 12 to 25 ms
  at 3-ply. `batch_checker_play` with such a strategy makes a pool of threads for each call, which costs 30 ms.
- It remembers what it has judged from call to call, out of which stale numbers may come, and to empty that table takes
  tens of milliseconds: it is switched off, so that the same decision is always judged alike.
- Its cube decisions from `batch_evaluate_positions` convert the chances found by the search (Janowski); the recursive
  ones with the cube in the tree take a hundred times as long.
- Where losing the game at the cube's value loses the match anyway, the cube is turned at the first chance (after the
  Crawford game, or by the player doubled to the opponent's match point). The conversion does not know that: see
  `doubled_soon`. There the recursive decisions are right from 3-ply on, and are asked (0.16 s).
- `get_met(a, b, True)` is the table after the Crawford game, whatever the argument is called.
- A play is screened without search first; the best few, and the one that was played, are then searched to one depth,
  so that no loss is a difference of depths.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import metadata
from typing import Any, ClassVar

from analysis.engine import Candidate, Chances, Cube, Depth, Plays, Roll
from games.bots.engine import EngineMissing
from games.bots.engine_boards import Board, after, board_of
from games.bots.sage import Sage, Stakes
from games.engine import Position, Side, opponent

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
NET = 1
"""The plies of the nets alone."""


@dataclass(frozen=True, slots=True)
class Search:
    """How far a depth looks: plies, how many plays are searched, and within what distance of the best one."""

    plies: int
    most: int
    within: float
    luck: int


SEARCHES: Mapping[Depth, Search] = {
    "quick": Search(plies=2, most=4, within=0.12, luck=NET),
    "normal": Search(plies=3, most=4, within=0.12, luck=NET),
    "deep": Search(plies=3, most=10, within=0.25, luck=2),
}
LUCKY = 2
"""How many plays of each roll are searched for its luck."""


@lru_cache(maxsize=1)
def _table(pid: int) -> Any:
    """The exact bear-off table of this process, or None."""
    import bgbot_cpp
    from bgsage.weights import bearoff_db_path

    table, path = bgbot_cpp.BearoffDB(), bearoff_db_path()
    return table if path and table.load(path) else None


@lru_cache(maxsize=8)
def _strategy(pid: int, plies: int) -> Any:
    """What judges a board after a play; a forked child has another `pid` and makes its own."""
    import bgbot_cpp
    from bgsage.weights import default_weights

    weights = default_weights()
    shape = (weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
    table = _table(pid)
    if plies == NET:
        nets = bgbot_cpp.create_strategy(*shape)
        return nets if table is None else bgbot_cpp.BearoffStrategy(nets, table)
    search = bgbot_cpp.create_multipy(*shape, n_plies=plies)
    search.set_cache_enabled(False)
    if table is not None:
        bgbot_cpp.multipy_set_bearoff_db(search, table)
    return search


def _strategy_here(plies: int) -> Any:
    return _strategy(os.getpid(), plies)


@cache
def _version() -> str:
    return metadata.version("bgsage")


class SageAnalyst:
    """bgsage behind `analysis.engine.Analyst`."""

    variants: ClassVar[frozenset[str]] = Sage.variants
    options: ClassVar[frozenset[str]] = Sage.options

    @property
    def name(self) -> str:
        return f"Sage {_version()}" if self.available() else "Sage"

    def available(self) -> bool:
        """Whether bgsage loads here, in a release that may be used, with its weights. Makes no net."""
        return Sage().available()

    def reason(self) -> str | None:
        """Why it is not available."""
        return Sage().reason()

    def plays(
        self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth, played: str = ""
    ) -> Plays:
        """Every legal play, the searched ones first; see `Analyst.plays`."""
        self._demand()
        view = position.view(None)
        texts = [text for text in position.actions() if text not in ("roll", "double", "take", "drop")]
        if position.turn != side or not texts:
            raise ValueError(f"{side} has no play to choose")
        before, stakes, search = board_of(view, side), Stakes.of(view, score_view, side), SEARCHES[depth]
        boards = {text: after(before, text) for text in texts}
        screened = _judged(texts, boards, before, stakes, NET)
        if len(texts) == 1:
            return Plays(tuple(screened))
        chosen = [each.play for each in screened[: search.most] if each.loss <= search.within]
        chosen += [played] if played in boards and played not in chosen else []
        searched = _judged(chosen, boards, before, stakes, search.plies)
        return Plays((*searched, *(each for each in screened if each.play not in chosen)))

    def cube(self, position: Position, score_view: Mapping[str, Any], side: Side, depth: Depth) -> Cube:
        """What holding and doubling are worth; see `Analyst.cube`."""
        self._demand()
        view = position.view(None)
        return _cube(board_of(view, side), Stakes.of(view, score_view, side), SEARCHES[depth].plies)

    def roll(
        self,
        position: Position,
        score_view: Mapping[str, Any],
        side: Side,
        dice: tuple[int, int],
        depth: Depth,
        *,
        opening: bool = False,
    ) -> Roll:
        """How lucky the dice were; see `Analyst.roll`.

        Who wins an opening roll is luck, too: what is average there is a game that either side begins.
        """
        self._demand()
        view, plies = position.view(None), SEARCHES[depth].luck
        rolls = _rolls(board_of(view, side), Stakes.of(view, score_view, side), plies, opening)
        high, low = max(dice), min(dice)
        average = _average(rolls)
        if opening:
            opponent_rolls = _rolls(
                board_of(view, opponent(side)), Stakes.of(view, score_view, opponent(side)), plies, opening
            )
            average = (average - _average(opponent_rolls)) / 2
        return Roll(rolls[high, low], average)

    def mwc(self, equity: float, position: Position, score_view: Mapping[str, Any], side: Side) -> float | None:
        """The chance to win the match; see `Analyst.mwc`."""
        import bgbot_cpp

        stakes = Stakes.of(position.view(None), score_view, side)
        if not stakes.match:
            return None
        away, opponent_away, crawford = stakes.away, stakes.opponent_away, stakes.crawford
        found = float(bgbot_cpp.eq2mwc(equity, away, opponent_away, stakes.value, crawford))
        return min(1.0, max(0.0, found))

    def score_mwc(self, score_view: Mapping[str, Any], side: Side) -> float | None:
        """The chance to win the match before a game; see `Analyst.score_mwc`."""
        import bgbot_cpp

        stakes = Stakes.of({"cube": None}, score_view, side)
        if not score_view["length"]:
            return None
        if score_view[side] >= score_view["length"] or score_view[opponent(side)] >= score_view["length"]:
            return 1.0 if score_view[side] >= score_view["length"] else 0.0
        if not stakes.match:
            return 0.5
        after_crawford = 1 in (stakes.away, stakes.opponent_away) and not stakes.crawford
        return float(bgbot_cpp.get_met(stakes.away, stakes.opponent_away, after_crawford))

    def _demand(self) -> None:
        if reason := self.reason():
            raise EngineMissing(reason)


def doubled_soon(stakes: Stakes) -> Stakes | None:
    """The stakes after the double that is certain to come at the next turn, because it risks nothing.

    None where there is no such double: no match, the Crawford game, nobody at match point, or a cube out of reach.
    """
    player_at_match_point, opponent_at_match_point = stakes.away <= stakes.value, stakes.opponent_away <= stakes.value
    if not stakes.match or stakes.crawford or player_at_match_point == opponent_at_match_point:
        return None
    if stakes.owner not in ("centered", "opponent" if player_at_match_point else "player"):
        return None
    return replace(stakes, value=2 * stakes.value, owner="player" if player_at_match_point else "opponent")


def cubeful_equity(stakes: Stakes, probs: list[float], board: Board) -> float:
    """As `Stakes.worth`, with a double that is certain to come; still at the cube's present value."""
    import bgbot_cpp

    soon = doubled_soon(stakes)
    if soon is None:
        return stakes.worth(probs, board)
    score = (stakes.away, stakes.opponent_away)
    chance = bgbot_cpp.eq2mwc(soon.worth(probs, board), *score, soon.value, stakes.crawford)
    return float(bgbot_cpp.mwc2eq(chance, *score, stakes.value, stakes.crawford))


def _judged(
    texts: list[str], boards: Mapping[str, Board], before: Board, stakes: Stakes, plies: int
) -> list[Candidate]:
    """These plays at one depth, the best first; equal equities are told apart without the cube, then by the board."""
    strategy = _strategy_here(plies)
    found = []
    for text in texts:
        answer = strategy.evaluate_board(boards[text], before)
        equity = cubeful_equity(stakes, answer["probs"], boards[text])
        found.append((-equity, -answer["equity"], boards[text], text, answer["probs"]))
    found.sort()
    best = -found[0][0]
    return [Candidate(text, -minus, best + minus, Chances(*probs), plies) for minus, _, _, text, probs in found]


def _cube(board: Board, stakes: Stakes, plies: int) -> Cube:
    import bgbot_cpp

    owner = getattr(bgbot_cpp.CubeOwner, (stakes.owner or "opponent").upper())
    score = (stakes.away, stakes.opponent_away, stakes.crawford)
    [found] = bgbot_cpp.batch_evaluate_positions(
        [(board, stakes.value, owner, *score)], _strategy_here(plies), 1, jacoby=False, beaver=False
    )
    probs, hold, double_take = found["probs"], found["equity_nd"], found["equity_dt"]
    if stakes.match and stakes.away <= 2 * stakes.value < stakes.opponent_away:
        # A double that wins the match is redoubled at once, nothing being lost by it: see games.bots.sage.
        double_take = bgbot_cpp.cube_decision_1ply(probs, stakes.value, owner, 1.0, *score, jacoby=False).equity_dt
    if doubled_soon(stakes) is not None and stakes.away > stakes.value:
        hold = _recursive(board, stakes, owner)["equity_nd"]
    return Cube(hold, double_take, found["equity_dp"], Chances(*probs), **_points(board, stakes, probs))


def _recursive(board: Board, stakes: Stakes, owner: Any) -> Any:
    """A cube decision with the cube in the tree."""
    import bgbot_cpp
    from bgsage.weights import default_weights

    weights = default_weights()
    return bgbot_cpp.cube_decision_nply_unified(
        board,
        stakes.value,
        owner,
        3,
        weights.strategy_type,
        weights.weight_paths_list,
        weights.hidden_sizes_list,
        n_threads=1,
        away1=stakes.away,
        away2=stakes.opponent_away,
        is_crawford=stakes.crawford,
        jacoby=False,
        beaver=False,
        bearoff_db=_table(os.getpid()),
    )


def _points(board: Board, stakes: Stakes, probs: list[float]) -> dict[str, float | None]:
    """The window of the market with these shares of gammons, where the side may double."""
    import bgbot_cpp
    from bgsage.cube_points import cube_action_points

    if stakes.owner in (None, "opponent") or stakes.crawford:
        return {}
    life = bgbot_cpp.cube_efficiency(probs, bgbot_cpp.is_race(board), *bgbot_cpp.pip_counts(board))
    found = cube_action_points(
        probs,
        stakes.owner or "",
        stakes.value,
        stakes.away,
        stakes.opponent_away,
        stakes.crawford,
        cube_life_index=life,
        jacoby=False,
    )
    cash = found.cash.janowski
    return {
        "take_point": _share(1 - cash),
        "double_point": _share(found.double.janowski),
        "cash_point": _share(cash),
        "too_good_point": _share(found.too_good.janowski),
    }


def _share(value: float) -> float | None:
    return None if math.isnan(value) else value


def _rolls(board: Board, stakes: Stakes, plies: int, opening: bool) -> dict[tuple[int, int], float]:
    """What each roll is worth to the side about to roll, with its best play."""
    import bgbot_cpp

    rolls = [(high, low) for high, low in ROLLS if not (opening and high == low)]
    owner = getattr(bgbot_cpp.CubeOwner, (stakes.owner or "opponent").upper())
    queries = [
        {
            "board": board,
            "die1": high,
            "die2": low,
            "cube_value": stakes.value,
            "cube_owner": owner,
            "away1": stakes.away,
            "away2": stakes.opponent_away,
            "is_crawford": stakes.crawford,
        }
        for high, low in rolls
    ]
    answers = bgbot_cpp.batch_checker_play(queries, _strategy_here(NET), LUCKY, 0.08, 1, jacoby=False)
    return {dice: _best(answer["moves"], board, stakes, plies) for dice, answer in zip(rolls, answers, strict=True)}


def _best(moves: list[Any], before: Board, stakes: Stakes, plies: int) -> float:
    """The equity of the best of some plays that the nets have judged and put in order."""
    if plies == NET:
        if stakes.owner is not None and doubled_soon(stakes) is None:
            return float(moves[0]["equity"])
        return max(cubeful_equity(stakes, move["probs"], move["board"]) for move in moves)
    search = _strategy_here(plies)
    return max(
        cubeful_equity(stakes, search.evaluate_board(move["board"], before)["probs"], move["board"])
        for move in moves[:LUCKY]
    )


def _average(rolls: Mapping[tuple[int, int], float]) -> float:
    """Over all rolls; those of two unequal dice fall twice as often."""
    weights = {dice: 1 if dice[0] == dice[1] else 2 for dice in rolls}
    return sum(worth * weights[dice] for dice, worth in rolls.items()) / sum(weights.values())
