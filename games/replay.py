"""A match as the fold of its actions: `State.after(actor, text)` is the only way from one moment to the next.

Pure: no clock, no database, no dice of its own. `games/services.py` steps the same `State` in live play that the
history pages and the tests step from the recorded actions, so a match is replayed exactly from its `Action` rows.

Actors are the two sides, ``chance`` (``dice 31``) and ``server`` (``pass``, ``hold black``, ``flag white``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from games.engine import SIDES, Json, Outcome, Position, Rules, Score, Side, rival

Actor = Literal["white", "black", "chance", "server"]


class Impossible(Exception):
    """An action that live play itself refuses, by code (the rules raise their own `Illegal`)."""

    def __init__(self, code: str, ruling: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling


@dataclass(frozen=True, slots=True)
class Offer:
    """An open resignation: `seat` would give `points` (level 1 single, 2 gammon, 3 backgammon). Ruling B15."""

    seat: Side
    level: int
    points: int

    def as_json(self) -> Json:
        return {"seat": self.seat, "level": self.level, "points": self.points}


@dataclass(frozen=True, slots=True)
class Result:
    """Who won the match, and how: by score, resign or flag."""

    winner: Side
    by: str

    def as_json(self) -> Json:
        return {"winner": self.winner, "by": self.by}


@dataclass(frozen=True, slots=True)
class State:
    """A match at one moment, between any two actions."""

    rules: Rules
    options: Mapping[str, Any]
    score: Score
    position: Position
    game: int = 1
    ready: frozenset[Side] = frozenset()
    offer: Offer | None = None
    declined: tuple[tuple[Side, int], ...] = ()
    last: Json | None = None
    dice: tuple[int, int] | None = None
    ended: Json | None = None
    result: Result | None = None

    # What happens next

    @property
    def opening(self) -> bool:
        """Both must roll: the first roll of a game. The clocks stand."""
        return self.result is None and len(self.position.rollers) == len(SIDES)

    @property
    def needs_dice(self) -> bool:
        """Every roller has rolled: chance is to act."""
        rollers = self.position.rollers
        return self.result is None and bool(rollers) and (len(rollers) == 1 or self.ready.issuperset(rollers))

    @property
    def on_clock(self) -> Side | None:
        """Whose time runs: at an open resignation the rival's, at an opening roll nobody's (ruling "Match clock")."""
        if self.result is not None or self.position.turn not in SIDES:
            return None
        if self.offer is not None:
            return rival(self.offer.seat)
        return self.position.turn

    def may(self, side: Side | None) -> list[str]:
        """Every button that `side` has now."""
        if side is None or self.result is not None:
            return []
        if self.offer is not None:
            return [] if self.offer.seat == side else ["accept", "reject"]
        names = [] if self.opening and side in self.ready else list(self.position.may(side))
        if not self.opening:
            names += [f"resign {level}" for level, _ in self._resignations(side)]
        return [*names, "resign match"]

    # One step

    def after(self, actor: str, text: str) -> State:
        """The state after one action. Raises `Impossible`, or the rules' `Illegal`; never changes this value."""
        if self.result is not None:
            raise Impossible("match_over")
        if actor == "server":
            return self._server(text)
        if actor == "chance":
            return self._dice(text)
        if actor not in SIDES:
            raise Impossible("bad_action")
        side: Side = actor
        if text == "resign match":
            return replace(self, offer=None, result=Result(rival(side), "resign"))
        if self.offer is not None or text in ("accept", "reject"):
            return self._answer(side, text)
        if text.startswith("resign"):
            return self._resign(side, text)
        if text.startswith("dice"):
            raise Impossible("server_only", "B3")
        if self.opening:
            return self._roll_opening(side, text)
        if self.position.turn != side:
            raise Impossible("not_your_turn")
        return self._moved(side, text)

    def canonical(self, actor: str, text: str) -> str:
        """The stored form of what an actor wrote. Raises like `after`."""
        plain = " ".join(text.split())
        mine = self.position.turn == actor and self.offer is None
        if mine and not plain.startswith("resign") and plain not in ("accept", "reject"):
            if plain.startswith("dice"):
                raise Impossible("server_only", "B3")
            return self.position.canonical(plain)
        return plain

    def _server(self, text: str) -> State:
        verb, _, side = text.partition(" ")
        if text == "pass" and self.position.auto == "pass":
            return self._moved(self.position.turn, text)
        if verb == "hold" and side in SIDES and self.opening:
            return replace(self, ready=self.ready | {side})
        if verb == "flag" and side in SIDES:
            return replace(self, offer=None, result=Result(rival(side), "flag"))
        raise Impossible("bad_action")

    def _dice(self, text: str) -> State:
        position = self.position.after(text)
        return replace(
            self, position=position, ready=frozenset(), declined=(), dice=(int(text[-2]), int(text[-1])), ended=None
        )

    def _roll_opening(self, side: Side, text: str) -> State:
        if text != "roll":
            raise Impossible("not_your_turn", "B3")
        if side in self.ready:
            raise Impossible("waiting_for_rival", "B3")
        return replace(self, ready=self.ready | {side})

    def _resignations(self, side: Side) -> list[tuple[int, int]]:
        least = max((level for who, level in self.declined if who == side), default=0)
        return [(level, points) for level, points in self.position.resignations(side) if level > least]

    def _resign(self, side: Side, text: str) -> State:
        level = {"resign 1": 1, "resign 2": 2, "resign 3": 3}.get(text, 0)
        if not level or self.opening:
            raise Impossible("resign_level", "B15")
        if (side, level) in self.declined:
            raise Impossible("resign_again", "B15")
        points = dict(self._resignations(side)).get(level)
        if points is None:
            raise Impossible("resign_level", "B15")
        return replace(self, offer=Offer(side, level, points))

    def _answer(self, side: Side, text: str) -> State:
        offer = self.offer
        if offer is None:
            raise Impossible("no_offer", "B15")
        if offer.seat == side:
            raise Impossible("offer_open", "B15")
        if text == "reject":
            return replace(self, offer=None, declined=(*self.declined, (offer.seat, offer.level)))
        if text != "accept":
            raise Impossible("answer_offer", "B15")
        return replace(self, offer=None, position=self.position.conceded(offer.seat, offer.level))._settle(
            resigned=True
        )

    def _moved(self, actor: str, text: str) -> State:
        position = self.position.after(text)
        last = self.last
        if self.position.rollers or text in ("roll", "double", "take", "drop", "beaver"):
            pass
        else:
            last = {"seat": actor, "dice": list(self.dice) if self.dice else None, "text": text}
        return replace(self, position=position, last=last)._settle()

    def _settle(self, *, resigned: bool = False) -> State:
        """A finished game becomes points, and the next game or the end of the match."""
        outcome = self.position.outcome
        if outcome is None:
            return self
        score = self.score.after(outcome)
        ended = outcome_json(outcome, game=self.game, resigned=resigned)
        if (winner := score.winner) is not None:
            return replace(self, score=score, ended=ended, result=Result(winner, "score"))
        return replace(
            self,
            score=score,
            position=self.rules.start(score, self.options),
            game=self.game + 1,
            ready=frozenset(),
            declined=(),
            last=None,
            dice=None,
            ended=ended,
        )

    # Snapshots

    def snapshot(self) -> Json:
        """JSON from which `restore` makes an equal state."""
        return {
            "score": self.score.snapshot(),
            "position": self.position.snapshot(),
            "game": self.game,
            "ready": sorted(self.ready),
            "offer": self.offer.as_json() if self.offer else None,
            "declined": [list(item) for item in self.declined],
            "last": self.last,
            "dice": list(self.dice) if self.dice else None,
            "ended": self.ended,
            "result": self.result.as_json() if self.result else None,
        }


def outcome_json(outcome: Outcome, *, game: int, resigned: bool) -> Json:
    """How a game ended, for pages and rows."""
    return {
        "game": game,
        "winner": outcome.winner,
        "points": outcome.points,
        "kind": outcome.kind,
        "resigned": resigned,
    }


def start(rules: Rules, length: int, options: Mapping[str, Any]) -> State:
    """A match to `length` before its first roll."""
    score = rules.opening_score(length, options)
    return State(rules=rules, options=options, score=score, position=rules.start(score, options))


def restore(rules: Rules, options: Mapping[str, Any], snapshot: Json) -> State:
    """The state that `snapshot` was taken of."""
    offer, result, dice = snapshot["offer"], snapshot["result"], snapshot["dice"]
    return State(
        rules=rules,
        options=options,
        score=rules.restore_score(snapshot["score"]),
        position=rules.restore(snapshot["position"]),
        game=snapshot["game"],
        ready=frozenset(snapshot["ready"]),
        offer=Offer(**offer) if offer else None,
        declined=tuple((who, level) for who, level in snapshot["declined"]),
        last=snapshot["last"],
        dice=(dice[0], dice[1]) if dice else None,
        ended=snapshot["ended"],
        result=Result(**result) if result else None,
    )


def fold(state: State, actions: Iterable[tuple[str, str]]) -> State:
    """The state after all of `actions` (actor, text)."""
    for actor, text in actions:
        state = state.after(actor, text)
    return state
