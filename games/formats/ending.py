"""How a game of a file ended: what its play, its winner's line and the next score say, as far as it is possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import replay
from games.engine import SIDES, Side, rival
from games.formats.fold import Fold, Stop
from games.formats.record import GameRecord, outcome_of
from games.formats.told import ToldGame


class Ending(Fold):
    """The end of each game, once its steps are folded."""

    def _doubled(self, side: Side) -> bool:
        """Whether a double waits for the answer of this side."""
        return self.state.position.turn == side and "take" in self.state.position.may(side)

    def _end(self, game: ToldGame, following: ToldGame | None, began: replay.State) -> None:
        over = self.state.game != began.game or self.state.score != began.score
        if not over and following is None and self.told.by and not game.winner:
            self._end_of_match()
        elif not over:
            over = self._given_up(game, following, began)
        ended = self.state.ended if over else None
        if ended is not None:
            self._compare(game, ended)
        if over or self.actions or following is None:
            self.games.append(
                GameRecord(
                    number=began.game if not self._late else game.number,
                    score=(began.score.points("white"), began.score.points("black")),
                    actions=tuple(self.actions),
                    **outcome_of(ended),
                )
            )
        if over and following is None and self.told.by == "ended" and self.state.result is None:
            self._end_session()
        if not over and following is not None:
            raise Stop("no_result")

    @property
    def _late(self) -> bool:
        return any(note.code == "starts_late" for note in self.warnings)

    def _end_of_match(self) -> None:
        """A match that ended without a score: given up as a whole, lost on time or by absence, or a session left."""
        winner = self.told.winner
        if self.told.by == "resign" and winner:
            self._act(rival(winner), "resign match")
        elif self.told.by in ("flag", "absent") and winner:
            self._server(f"{self.told.by} {rival(winner)}")

    def _end_session(self) -> None:
        """The end of a money session belongs to the game that would have come next, as in live play."""
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

    def _given_up(self, game: ToldGame, following: ToldGame | None, began: replay.State) -> bool:
        """A game that the play has not ended: a double that was not answered, or a resignation (B15)."""
        gained = self._gained(following, began)
        winner = self._winner(game, gained)
        if winner is None:
            return False
        if self.state.opening or (not game.steps):
            raise Stop("no_play", "B15")
        if self._doubled(rival(winner)) and game.points in (None, self._stake(rival(winner))):
            self._act(rival(winner), "drop")
            self._warn(game, game.steps[-1].move, "drop_missing")
            return True
        possible = self.state.position.resignations(rival(winner))
        level, points = self._level(game, possible, gained, winner)
        if game.winner is None and game.points is None:
            self._warn(game, game.steps[-1].move, "result_missing")
        elif game.points is None:
            self._warn(game, game.steps[-1].move, "points_guessed", ours=points)
        self._act(rival(winner), f"resign {level}")
        if self.state.resignation is not None:
            self._act(winner, "accept")
        return True

    def _stake(self, loser: Side) -> int:
        return self.state.position.resignations(loser)[0][1]

    def _gained(self, following: ToldGame | None, began: replay.State) -> tuple[Side, int] | None:
        """Who won how much by the next score line; None where it does not tell."""
        if following is None or following.score is None:
            return None
        before = (began.score.points("white") + self.drift[0], began.score.points("black") + self.drift[1])
        gains = [int(now - then) for now, then in zip(following.score, before, strict=True)]
        won = [(side, gain) for side, gain in zip(SIDES, gains, strict=True) if gain > 0]
        return won[0] if len(won) == 1 and min(gains) == 0 else None

    def _winner(self, game: ToldGame, gained: tuple[Side, int] | None) -> Side | None:
        """Who won a game that was given up: not he who says so, else the next score, else the winner's line."""
        if game.steps and game.steps[-1].kind == "resign":
            return rival(game.steps[-1].side)
        if gained is not None:
            if game.winner and game.winner != gained[0]:
                self._warn(game, game.steps[-1].move if game.steps else 0, "winner_differs")
            return gained[0]
        return game.winner

    def _level(
        self, game: ToldGame, possible: list[tuple[int, int]], gained: tuple[Side, int] | None, winner: Side
    ) -> tuple[int, int]:
        """The level and points of a resignation. What the file says, if it can be; else what the next score says;
        else, at the end of a match, the least that ends it.
        """
        for said in (game.points, gained[1] if gained else None):
            for level, points in possible:
                if points == said:
                    return level, points
        if gained is not None:
            raise Stop("points_impossible", "B15", points=gained[1])
        chosen = possible[0]
        if game.match_won and self.told.length:
            missing = self.told.length - self.state.score.points(winner)
            chosen = next((each for each in possible if each[1] >= missing), possible[-1])
        return chosen

    def _compare(self, game: ToldGame, ended: Mapping[str, Any]) -> None:
        move = game.steps[-1].move if game.steps else 0
        if game.points is not None and game.points != ended["points"]:
            self._warn(game, move, "points_differ", points=game.points, ours=ended["points"])
        if game.winner is not None and game.winner != ended["winner"] and not ended["resigned"]:
            self._warn(game, move, "winner_differs")
