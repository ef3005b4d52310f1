"""The last resort: this project's own small nets, in pure Python (`small_net`), with its own cube (`cube_equity`)."""

from __future__ import annotations

from collections.abc import Sequence

from games.bots import cube_equity, small_net
from games.bots.engine_boards import Board, flipped
from games.bots.judge import Judged, JudgedRoll
from games.bots.sage import Stakes


class Plain:
    """The small nets behind `games.bots.judge.Judge`: they run wherever Python runs, and look at one board only."""

    name = "Plain"
    deepest = 0

    def reason(self) -> str | None:
        """None: it needs nothing but this project."""
        return None

    def version(self) -> str:
        """The name with the version of the weights."""
        return f"Plain {small_net.VERSION}"

    def after_plays(self, boards: Sequence[Board], stakes: Stakes, *, ahead: int = 0) -> list[Judged]:
        """Value boards after a play; see `Judge.after_plays`."""
        found = [small_net.chances(board) for board in boards]
        return [Judged(cube_equity.worth(chances, stakes), chances) for chances in found]

    def before_roll(self, board: Board, stakes: Stakes, *, ahead: int = 0) -> JudgedRoll:
        """Value a board before a roll: the nets see it from the side that does not roll."""
        won, gammon, backgammon, lost_gammon, lost_backgammon = small_net.chances(flipped(board))
        chances = [1 - won, lost_gammon, lost_backgammon, gammon, backgammon]
        return JudgedRoll(cube_equity.cube_value(chances, stakes), chances)

    def to_chance(self, equity: float, stakes: Stakes) -> float:
        """The chance to win the match, from an equity."""
        return cube_equity.to_chance(equity, stakes)

    def match_chance(self, away: int, opponent_away: int, *, post_crawford: bool) -> float:
        """The chance to win the match before a game."""
        return cube_equity.match_chance(away, opponent_away, post_crawford=post_crawford)
