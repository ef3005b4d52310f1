"""The end of a game of a file: inferred from its play, its winner's line and the next score, within the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import replay
from games.engine import SIDES, Side, opponent
from games.formats.parsed import ParsedGame
from games.formats.rebuild_base import GameUnreadable, RebuildBase
from games.formats.record import GameRecord, outcome_fields


class GameEnding(RebuildBase):
    """Ends each game, after its steps were replayed."""

    def _doubled(self, side: Side) -> bool:
        """Whether this side has to answer a double."""
        return self.state.position.turn == side and "take" in self.state.position.may(side)

    def _end(self, game: ParsedGame, following: ParsedGame | None, began: replay.State) -> None:
        over = self.state.game != began.game or self.state.score != began.score
        if not over and following is None and self.parsed.by and not game.winner:
            self._end_of_match()
        elif not over:
            over = self._end_by_resignation(game, following, began)
        ended = self.state.ended if over else None
        if ended is not None:
            self._compare(game, ended)
        if over or self.actions or following is None:
            self.games.append(
                GameRecord(
                    number=began.game if not self._late else game.number,
                    score=(began.score.points("white"), began.score.points("black")),
                    actions=tuple(self.actions),
                    **outcome_fields(ended),
                )
            )
        if over and following is None and self.parsed.by == "ended" and self.state.result is None:
            self._end_session()
        if not over and following is not None:
            raise GameUnreadable("no_result")

    @property
    def _late(self) -> bool:
        return any(note.code == "starts_late" for note in self.warnings)

    def _end_of_match(self) -> None:
        """End a match that has no final score: resigned as a whole, lost on time or by absence, or an ended session."""
        winner = self.parsed.winner
        if self.parsed.by == "resign" and winner:
            self._act(opponent(winner), "resign match")
        elif self.parsed.by in ("flag", "absent") and winner:
            self._server(f"{self.parsed.by} {opponent(winner)}")

    def _end_session(self) -> None:
        """Record the end of a money session in the next game, as in live play."""
        began = self.state
        self.actions = []
        self._act("white", "end")
        self.games.append(
            GameRecord(
                number=began.game,
                score=(began.score.points("white"), began.score.points("black")),
                actions=tuple(self.actions),
            )
        )

    def _end_by_resignation(self, game: ParsedGame, following: ParsedGame | None, began: replay.State) -> bool:
        """End a game that its play did not end: by an unanswered double or a resignation (B15)."""
        gained = self._gained(following, began)
        winner = self._winner(game, gained)
        if winner is None:
            return False
        if self.state.opening or (not game.steps):
            raise GameUnreadable("no_play", "B15")
        if self._doubled(opponent(winner)) and game.points in (None, self._stake(opponent(winner))):
            self._act(opponent(winner), "drop")
            self._warn(game, game.steps[-1].move, "drop_missing")
            return True
        possible = self.state.position.resignations(opponent(winner))
        level, points = self._level(game, possible, gained, winner)
        if game.winner is None and game.points is None:
            self._warn(game, game.steps[-1].move, "result_missing")
        elif game.points is None:
            self._warn(game, game.steps[-1].move, "points_guessed", expected=points)
        self._act(opponent(winner), f"resign {level}")
        if self.state.resignation is not None:
            self._act(winner, "accept")
        return True

    def _stake(self, loser: Side) -> int:
        return self.state.position.resignations(loser)[0][1]

    def _gained(self, following: ParsedGame | None, began: replay.State) -> tuple[Side, int] | None:
        """The winner and points by the next score line; None if it does not show them."""
        if following is None or following.score is None:
            return None
        before = (began.score.points("white") + self.drift[0], began.score.points("black") + self.drift[1])
        gains = [int(now - then) for now, then in zip(following.score, before, strict=True)]
        won = [(side, gain) for side, gain in zip(SIDES, gains, strict=True) if gain > 0]
        return won[0] if len(won) == 1 and min(gains) == 0 else None

    def _winner(self, game: ParsedGame, gained: tuple[Side, int] | None) -> Side | None:
        """The winner of a resigned game: by the resignation, else by the next score, else by the winner's line."""
        if game.steps and game.steps[-1].kind == "resign":
            return opponent(game.steps[-1].side)
        if gained is not None:
            if game.winner and game.winner != gained[0]:
                self._warn(game, game.steps[-1].move if game.steps else 0, "winner_differs")
            return gained[0]
        return game.winner

    def _level(
        self, game: ParsedGame, possible: list[tuple[int, int]], gained: tuple[Side, int] | None, winner: Side
    ) -> tuple[int, int]:
        """The level and points of a resignation: those of the file, if possible; else those of the next score; else,
        at the end of a match, the least that ends it.
        """
        for points_claimed in (game.points, gained[1] if gained else None):
            for level, points in possible:
                if points == points_claimed:
                    return level, points
        if gained is not None:
            raise GameUnreadable("points_impossible", "B15", points=gained[1])
        chosen = possible[0]
        if game.match_won and self.parsed.length:
            missing = self.parsed.length - self.state.score.points(winner)
            chosen = next((each for each in possible if each[1] >= missing), possible[-1])
        return chosen

    def _compare(self, game: ParsedGame, ended: Mapping[str, Any]) -> None:
        move = game.steps[-1].move if game.steps else 0
        if game.points is not None and game.points != ended["points"]:
            self._warn(game, move, "points_differ", points=game.points, expected=ended["points"])
        if game.winner is not None and game.winner != ended["winner"] and not ended["resigned"]:
            self._warn(game, move, "winner_differs")
