"""The computer opponent at backgammon: bgsage (Open Sage, MPL-2.0), its nets without search or one roll ahead.

Properties of the library that this module relies on:

- Its nets evaluate a board just after a play; a board before a roll is evaluated from the opponent's side. The net is
  selected by the board *before* the play, so a play is evaluated with both.
- `BgBotAnalyzer` reads all weights again for each cube decision (30 ms) and starts a thread pool for each play. The
  lower-level calls below agree with it, and take microseconds on one thread.
- Its match equity table ends at 25 points: beyond, every outcome weighs the same and any play would do. See `Stakes`.
- After a deeper search in a parent process, a forked child hangs. Nets are created in the process that uses them.
- A deeper search keeps a cache between calls, which yields stale numbers: it is cleared before each decision. On one
  thread it starts no pool; two plies cost about 2 ms a play, so only the best plays of 1-ply are searched.
- Without search it ignores that a double which wins the match is redoubled at once, as nothing is lost by it. There
  the taker's cube is counted as fully alive: a quarter of the loss, measured against its own search at 3-ply.
- Without a match length it plays Jacoby and beavers unless told not to. This project's rules have neither yet.
- In races its nets see backgammons that can no longer happen: a resignation is first checked against the rules.
- It supports games of 15 checkers: of hypergammon's three it takes a certain gammon for none or half of one, so that
  game is not in `variants`.
- Releases before 2.0.20260907 had another licence (AGPL); they are not used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from games.bots.engine import EngineMissing, RatedAction
from games.bots.engine_boards import Board, after, board_of
from games.bots.offers import accepts_resignation, wins_match
from games.engine import Position, Side, opponent

OLDEST = (2, 0, 20260907)
LAST_AWAY = 25
"""The largest number of points away in the library's match equity table."""
COURTESY = 0.02
"""The equity that the bot gives away to accept a resignation of a beaten opponent."""
SEARCH_MARGIN, MAX_SEARCHED = 0.09, 6
"""Only plays within this equity of the best at 1-ply are searched deeper, and at most so many."""
DEEP = 5
"""The effort from which plays are searched one roll ahead."""

Probabilities = list[float]


@cache
def _unavailable_reason() -> str | None:
    """Why bgsage cannot be used on this machine, or None. Imports it without creating a net."""
    try:
        import bgbot_cpp  # noqa: F401
        from bgsage.weights import default_weights

        version = metadata.version("bgsage")
        missing = [path for path in default_weights().weight_paths_list if not Path(path).is_file()]
    except (ImportError, OSError) as error:  # no wheel for this platform, or one that does not load
        return f"bgsage cannot be loaded: {error}"
    if tuple(int(part) for part in version.split(".")[:3] if part.isdecimal()) < OLDEST:
        return f"bgsage {version} is older than {'.'.join(map(str, OLDEST))}"
    if missing:
        return f"bgsage's weights are missing: {missing[0]}"
    return None


@lru_cache(maxsize=1)
def _nets(pid: int) -> Any:
    """The nets and the exact bear-off table of this process; a forked child has another `pid` and creates its own."""
    import bgbot_cpp
    from bgsage.weights import bearoff_db_path, default_weights

    weights = default_weights()
    nets = bgbot_cpp.create_strategy(weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
    table = bgbot_cpp.BearoffDB()
    path = bearoff_db_path()
    return bgbot_cpp.BearoffStrategy(nets, table) if path and table.load(path) else nets


@lru_cache(maxsize=1)
def _search(pid: int) -> Any:
    """The nets of this process with a search one roll ahead (2-ply), on the calling thread, with an empty cache."""
    import bgbot_cpp
    from bgsage.weights import bearoff_db_path, default_weights

    weights = default_weights()
    nets = (weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
    search = bgbot_cpp.create_multipy(*nets, n_plies=2, parallel_evaluate=False, parallel_threads=1)
    table = bgbot_cpp.BearoffDB()
    path = bearoff_db_path()
    if path and table.load(path):
        bgbot_cpp.multipy_set_bearoff_db(search, table)
    return search


@dataclass(frozen=True, slots=True)
class CubeEquities:
    """Equities of the side to roll, 1.0 being what the cube shows now."""

    hold: float
    double_take: float
    double_drop: float
    doubles: bool

    @property
    def offered(self) -> float:
        """The equity of doubling against the best answer."""
        return min(self.double_take, self.double_drop)

    @property
    def best(self) -> float:
        """The equity with the right to double."""
        return self.offered if self.doubles else self.hold


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a game, seen from one side: the points that both sides need, and the cube.

    `away` and `opponent_away` are 0 where points count at face value: without a match length, and when both sides need
    more points than the match equity table has. One side alone beyond the table counts as at its edge.
    """

    away: int
    opponent_away: int
    crawford: bool
    value: int
    owner: str | None
    """``player``, ``opponent`` or ``centered``; None: the game has no cube."""

    @classmethod
    def of(cls, view: Mapping[str, Any], score_view: Mapping[str, Any], side: Side) -> Stakes:
        """The stakes of `side` in a position's view and the match's score."""
        length = score_view["length"]
        away, opponent_away = (length - score_view[seat] if length else 0 for seat in (side, opponent(side)))
        if min(away, opponent_away) > LAST_AWAY:
            away = opponent_away = 0
        cube = view["cube"]
        owner = None if cube is None else {None: "centered", side: "player"}.get(cube["owner"], "opponent")
        return cls(
            away=min(away, LAST_AWAY),
            opponent_away=min(opponent_away, LAST_AWAY),
            crawford=bool(score_view.get("crawford")),
            value=1 if cube is None else cube["value"],
            owner=owner,
        )

    @property
    def match(self) -> bool:
        """Whether the match score matters."""
        return self.away > 0

    def worth(self, probs: Probabilities, board: Board) -> float:
        """The equity of the side that has just moved to `board`, with the cube where it is."""
        import bgbot_cpp

        if self.owner is None:
            return self._cubeless(probs)
        life = bgbot_cpp.cube_efficiency(probs, bgbot_cpp.is_race(board), *bgbot_cpp.pip_counts(board))
        scale = (self.away, self.opponent_away, self.crawford)
        return float(bgbot_cpp.cl2cf(probs, self.value, self._owner, life, *scale, jacoby=False))

    def won(self, points: int) -> float:
        """The equity of winning `points` now."""
        if not self.match:
            return points / self.value
        level = points // self.value
        return self._cubeless([1.0, float(level > 1), float(level > 2), 0.0, 0.0])

    def cube(self, board: Board, *, deep: bool = False) -> CubeEquities:
        """The equities of holding and doubling for the side on roll; `deep`: searching every roll."""
        import bgbot_cpp

        owner = bgbot_cpp.CubeOwner.OPPONENT if self.owner is None else self._owner
        score = (self.away, self.opponent_away, self.crawford)
        nets = _search(os.getpid()) if deep else _nets(os.getpid())
        if deep:
            nets.clear_cache()
        [found] = bgbot_cpp.batch_evaluate_positions(
            [(board, self.value, owner, *score)], nets, 1, jacoby=False, beaver=False
        )
        probs, double_drop = found["probs"], found["equity_dp"]
        if self.owner is None:
            return CubeEquities(self._cubeless(probs), found["equity_dt"], double_drop, False)
        hold, double_take, doubles = found["equity_nd"], found["equity_dt"], found["should_double"]
        if self.match and self.away <= 2 * self.value < self.opponent_away:
            double_take = bgbot_cpp.cube_decision_1ply(probs, self.value, owner, 1.0, *score, jacoby=False).equity_dt
            doubles = bgbot_cpp.can_double_match(*score[:2], self.value, owner, self.crawford) and (
                min(double_take, double_drop) > hold
            )
        return CubeEquities(hold, double_take, double_drop, bool(doubles))

    @property
    def _owner(self) -> Any:
        import bgbot_cpp

        return getattr(bgbot_cpp.CubeOwner, str(self.owner).upper())

    def _cubeless(self, probs: Probabilities) -> float:
        import bgbot_cpp

        if not self.match:
            return float(bgbot_cpp.cubeless_equity(probs))
        scale = (self.away, self.opponent_away, self.value, self.crawford)
        return float(bgbot_cpp.mwc2eq(bgbot_cpp.cubeless_mwc(probs, *scale), *scale))


class Sage:
    """bgsage behind `games.bots.engine.Engine`: a millisecond a decision, or about ten at the highest effort.

    It never resigns, and rates only legal actions, so house rules of a variant apply to it too.
    """

    name: ClassVar[str] = "Sage"
    variants: ClassVar[frozenset[str]] = frozenset({"backgammon", "nackgammon"})
    options: ClassVar[frozenset[str]] = frozenset({"cube", "cube_cap", "crawford"})

    def available(self) -> bool:
        """Whether bgsage loads here, in a usable release, with its weights. Creates no net."""
        return _unavailable_reason() is None

    def reason(self) -> str | None:
        """Why it is not available."""
        return _unavailable_reason()

    def choose(self, position: Position, score_view: Mapping[str, Any], side: Side) -> str:
        """The best of the legal actions of `side` at 1-ply, by match equity; see `Engine.choose`."""
        self._require_available()
        if position.turn == "chance" and side in position.rollers:
            return "roll"
        return self.rate_actions(position, score_view, side)[0].action

    def rate_actions(
        self, position: Position, score_view: Mapping[str, Any], side: Side, *, effort: int = 1
    ) -> list[RatedAction]:
        """The legal actions of `side` by match equity, the best first; from effort `DEEP` on one roll ahead."""
        self._require_available()
        actions = list(position.actions()) if position.turn == side else []
        if not actions:
            raise ValueError(f"{side} has nothing to decide")
        if len(actions) == 1:
            return [RatedAction(actions[0], 0.0)]
        if "take" in actions:
            return self._rate_answers(position, score_view, side, deep=effort >= DEEP)
        view = position.view(None)
        if "double" in actions:
            cube = Stakes.of(view, score_view, side).cube(board_of(view, side), deep=effort >= DEEP)
            held, doubled = RatedAction("roll", cube.hold), RatedAction("double", cube.offered)
            return [doubled, held] if cube.doubles else [held, doubled]
        ranked = [RatedAction(*pair) for pair in self._ranked(view, score_view, side, actions)]
        return self._searched(view, score_view, side, ranked) if effort >= DEEP else ranked

    def accepts(self, position: Position, score_view: Mapping[str, Any], side: Side, level: int) -> bool:
        """Accept the most that can be won, what wins the match, and the equity of playing on (within `COURTESY`)."""
        self._require_available()

        def is_enough(points: int) -> bool:
            stakes = Stakes.of(position.view(None), score_view, side)
            return stakes.won(points) >= self.equity(position, score_view, side) - COURTESY

        return accepts_resignation(position, score_view, side, level, is_enough=is_enough)

    def ranked(self, position: Position, score_view: Mapping[str, Any], side: Side) -> list[tuple[str, float]]:
        """Every legal play of `side`, whose dice are on the board, with its equity, the best first.

        Equal equities (a lost game) are ordered without the cube, then by the board.
        """
        self._require_available()
        return self._ranked(position.view(None), score_view, side, position.actions())

    def equity(self, position: Position, score_view: Mapping[str, Any], side: Side) -> float:
        """The equity of the unfinished game for `side` with best play by both; 1.0 is the present cube value."""
        self._require_available()
        view = position.view(None)

        def rolling(roller: Side) -> CubeEquities:
            return Stakes.of(view, score_view, roller).cube(board_of(view, roller))

        if position.turn == "chance":
            worth = [rolling(roller).hold * (1 if roller == side else -1) for roller in position.rollers]
            return sum(worth) / len(worth)
        if position.turn == "over":
            raise ValueError("the game is over")
        mover = position.turn
        actions = list(position.actions())
        if "take" in actions:
            worth_to_mover = -rolling(opponent(mover)).offered
        elif "roll" in actions:
            worth_to_mover = rolling(mover).best if "double" in actions else rolling(mover).hold
        else:
            worth_to_mover = self._ranked(view, score_view, mover, actions)[0][1]
        return worth_to_mover if mover == side else -worth_to_mover

    def _ranked(
        self, view: Mapping[str, Any], score_view: Mapping[str, Any], side: Side, plays: Iterable[str]
    ) -> list[tuple[str, float]]:
        before, stakes, nets = board_of(view, side), Stakes.of(view, score_view, side), _nets(os.getpid())
        rated = []
        for play in plays:
            board = after(before, play)
            found = nets.evaluate_board(board, before)
            rated.append((-stakes.worth(found["probs"], board), -found["equity"], board, play))
        return [(play, -equity) for equity, _, _, play in sorted(rated)]

    def _searched(
        self, view: Mapping[str, Any], score_view: Mapping[str, Any], side: Side, ranked: list[RatedAction]
    ) -> list[RatedAction]:
        """Rate the best plays one roll deeper; the others stay behind them at the same distance."""
        near = [rated for rated in ranked[:MAX_SEARCHED] if ranked[0].equity - rated.equity <= SEARCH_MARGIN]
        if len(near) == 1:
            return ranked
        before, stakes, search = board_of(view, side), Stakes.of(view, score_view, side), _search(os.getpid())
        search.clear_cache()
        deeper = []
        for rated in near:
            board = after(before, rated.action)
            deeper.append(
                RatedAction(rated.action, stakes.worth(list(search.evaluate_board(board, before)["probs"]), board))
            )
        deeper.sort(key=lambda rated: (-rated.equity, rated.action))
        worst = deeper[-1].equity
        fall = max(0.0, ranked[len(near) - 1].equity - worst)
        return [*deeper, *(RatedAction(rated.action, min(worst, rated.equity - fall)) for rated in ranked[len(near) :])]

    def _rate_answers(
        self, position: Position, score_view: Mapping[str, Any], side: Side, *, deep: bool
    ) -> list[RatedAction]:
        view = position.view(None)
        doubler = opponent(side)
        stakes = Stakes.of(view, score_view, doubler)
        cube = stakes.cube(board_of(view, doubler), deep=deep)
        take, drop = RatedAction("take", -cube.double_take), RatedAction("drop", -cube.double_drop)
        if wins_match(score_view, doubler, stakes.value):
            return [take, RatedAction("drop", take.equity - 1.0)]  # dropping loses the match
        return [take, drop] if cube.double_take <= cube.double_drop else [drop, take]

    def _require_available(self) -> None:
        if reason := self.reason():
            raise EngineMissing(reason)
