"""A match as the fold of its actions: `State.after(actor, text)` is the only way from one moment to the next.

Pure: no clock, no database, no dice of its own. `games.services` steps the same `State` in live play that the
history pages and the tests step from the recorded actions, so a match is replayed exactly from its `Action` rows.

Actors are the two sides, ``chance`` (``dice 31``) and ``server`` (``pass``, ``hold black``, ``flag white``, ``stop``,
``pause``, ``resume``, ``adjourn``, ``absent white``). What the rules of the games do not know belongs here: resigning,
offers of a draw, flags, the end of a money session, a match that its organisers pause or call off, that its players
adjourn, or that one of them has left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.engine import SIDES, Json, Outcome, Position, Rules, Score, Side, opponent

PLAY = re.compile(r"[0-9]|(?:bar|stock)/|pass$")
"""A play, which is drawn as the last one: `8/5 6/5`, `bar/20`, `11-16`, `17x28`, or `pass`."""
# The actions of a side in any match, whatever the rules of the game are.
_MATCH_ACTIONS = ("accept", "reject", "offer-draw", "claim-draw", "end")


class PlayRefused(Exception):
    """An action that live play itself refuses, by code (the rules raise their own `Illegal`)."""

    def __init__(self, code: str, ruling: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer of `seat`: to resign for `points` (level 1 single, 2 gammon, 3 backgammon; B15), or a `draw` (D7).

    A resignation stops the game until it is answered. A draw does not: it lapses when the opponent plays on.
    """

    seat: Side
    level: int = 0
    points: int = 0
    draw: bool = False

    def as_json(self) -> Json:
        return {"seat": self.seat, "level": self.level, "points": self.points, "draw": self.draw}


@dataclass(frozen=True, slots=True)
class Result:
    """The winner of a match (None: nobody, as when a session ends level), and how it ended.

    `by` is score, resign, flag, absent, ended or stopped.
    """

    winner: Side | None
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
    paused: bool = False
    closed: Position | None = field(default=None, compare=False)
    """The last position of the game that the latest step ended, to be recorded or shown."""

    # What happens next

    @property
    def opening(self) -> bool:
        """Whether both must roll: the first roll of a game. The clocks stand."""
        return self.result is None and len(self.position.rollers) == len(SIDES)

    @property
    def needs_dice(self) -> bool:
        """Whether every roller has rolled: chance is to act."""
        rollers = self.position.rollers
        return self.result is None and bool(rollers) and self.ready.issuperset(rollers)

    @property
    def roller(self) -> Side | None:
        """The side to roll alone though chance has the turn: the winner of an opening, who rolls both dice anew (A1).

        Every roll is an act of its seat, because its element belongs to the dice (ruling "Dice").
        """
        rollers = self.position.rollers
        return rollers[0] if self.result is None and len(rollers) == 1 and rollers[0] not in self.ready else None

    @property
    def on_clock(self) -> Side | None:
        """The side whose time runs: at an open resignation the opponent, at an opening or in a pause none.

        Ruling "Match clock".
        """
        turn = self.roller or self.position.turn
        if self.result is not None or self.paused or turn not in SIDES:
            return None
        if self.resignation is not None:
            return opponent(self.resignation.seat)
        return turn

    @property
    def resignation(self) -> Offer | None:
        """The resignation that waits for its answer."""
        return None if self.offer is None or self.offer.draw else self.offer

    def awaits(self, side: Side) -> bool:
        """Whether the match waits for `side`."""
        if self.result is not None or self.paused:
            return False
        if self.offer is not None and self.offer.seat != side:
            return True
        if self.opening:
            return side not in self.ready
        return self.resignation is None and side in (self.position.turn, self.roller)

    def may(self, side: Side | None) -> list[str]:
        """Every button that `side` has now."""
        if side is None or self.result is not None or self.paused:
            return []
        answers = ["accept", "reject"] if self.offer is not None and self.offer.seat != side else []
        if self.resignation is not None:
            return answers
        names = [] if self.opening and side in self.ready else list(self.position.may(side))
        names += ["roll"] if side == self.roller else []
        if not self.opening:
            names += self._draws(side)
            names += [f"resign {level}" for level, _ in self._resignations(side)]
        elif not self.score.length:
            names.append("end")
        return [*answers, *names, *(["resign match"] if self.score.length else [])]

    # One step

    def after(self, actor: str, text: str) -> State:
        """The state after one action. Raises `PlayRefused`, or the rules' `Illegal`; never changes this value."""
        if self.result is not None:
            raise PlayRefused("match_over")
        if self.paused and (actor, text) not in (("server", "resume"), ("server", "stop")):
            raise PlayRefused("paused", "T")
        if actor == "server":
            return self._server(text)
        if actor == "chance":
            return self._dice(text)
        if actor not in SIDES:
            raise PlayRefused("bad_action")
        side: Side = actor
        if text == "resign match" and self.score.length:
            return replace(self, offer=None, result=Result(opponent(side), "resign"))
        if text == "end":
            return self._end()
        if self.resignation is not None or text in ("accept", "reject"):
            return self._answer(side, text)
        if text.startswith("resign"):
            return self._resign(side, text)
        if text in ("offer-draw", "claim-draw"):
            return self._draw(side, text)
        if text.startswith("dice"):
            raise PlayRefused("server_only", "B3")
        if self.opening:
            return self._roll_opening(side, text)
        if side == self.roller and text == "roll":
            return replace(self, ready=frozenset({side}))
        if self.position.turn != side:
            raise PlayRefused("not_your_turn")
        return self._moved(side, text)

    def canonical(self, actor: str, text: str) -> str:
        """The stored form of what an actor wrote. Raises like `after`."""
        plain = " ".join(text.split())
        own_turn = self.position.turn == actor and self.resignation is None
        if own_turn and not plain.startswith("resign") and plain not in _MATCH_ACTIONS:
            if plain.startswith("dice"):
                raise PlayRefused("server_only", "B3")
            return self.position.canonical(plain)
        return plain

    def _server(self, text: str) -> State:
        verb, _, side = text.partition(" ")
        if text == "pass" and self.position.auto == "pass":
            return self._moved(self.position.turn, text)
        if text == "stop":
            return replace(self, offer=None, paused=False, result=Result(None, "stopped"))
        if text in ("pause", "adjourn", "resume"):
            if self.paused is not (text == "resume"):
                raise PlayRefused("not_paused", "T")
            return replace(self, paused=not self.paused)
        if verb == "hold" and side in SIDES and self.opening:
            return replace(self, ready=self.ready | {side})
        if verb == "absent" and side in SIDES:
            absent: Side = side
            winner = opponent(absent) if self.score.length else self._leader()
            return replace(self, offer=None, result=Result(winner, "absent"))
        if verb == "flag" and side in SIDES:
            loser: Side = side
            if self.rules.clock_kind(self.score.length) == "match":
                return replace(self, offer=None, result=Result(opponent(loser), "flag"))
            return self._end_if_over(self.position.flagged(loser))
        raise PlayRefused("bad_action")

    def _dice(self, text: str) -> State:
        position = self.position.after(text)
        return replace(
            self, position=position, ready=frozenset(), declined=(), dice=(int(text[-2]), int(text[-1])), ended=None
        )

    def _roll_opening(self, side: Side, text: str) -> State:
        if text != "roll":
            raise PlayRefused("not_your_turn", "B3")
        if side in self.ready:
            raise PlayRefused("waiting_for_rival", "B3")
        return replace(self, ready=self.ready | {side})

    def _resignations(self, side: Side) -> list[tuple[int, int]]:
        least = max((level for seat, level in self.declined if seat == side), default=0)
        return [(level, points) for level, points in self.position.resignations(side) if level > least]

    def _resign(self, side: Side, text: str) -> State:
        level = {"resign 1": 1, "resign 2": 2, "resign 3": 3}.get(text)
        if level is None or self.opening:
            raise PlayRefused("resign_level", "B15")
        if (side, level) in self.declined:
            raise PlayRefused("resign_again", "B15")
        points = dict(self._resignations(side)).get(level)
        if points is None:
            raise PlayRefused("resign_level", "B15")
        if self.position.resigns_at_once:
            return self._end_if_over(self.position.conceded(side, level), resigned=True)
        return replace(self, offer=Offer(side, level, points))

    def _draws(self, side: Side) -> list[str]:
        offered = self.offer is not None or (side, 0) in self.declined
        return [name for name in self.position.draws(side) if name == "claim-draw" or not offered]

    def _draw(self, side: Side, text: str) -> State:
        if text not in self._draws(side):
            raise PlayRefused("draw_not_now", "D7")
        if text == "claim-draw":
            return self._end_if_over(self.position.drawn("claim"))
        return replace(self, offer=Offer(side, draw=True))

    def _end(self) -> State:
        """End a money session between two games, by either player (ruling "Match clock")."""
        if self.score.length or not self.opening:
            raise PlayRefused("no_end", "B16")
        return replace(self, result=Result(self._leader(), "ended"))

    def _leader(self) -> Side | None:
        """The side with more points; None when they are equal."""
        return next((side for side in SIDES if self.score.points(side) > self.score.points(opponent(side))), None)

    def _answer(self, side: Side, text: str) -> State:
        offer = self.offer
        if offer is None:
            raise PlayRefused("no_offer", "B15")
        if offer.seat == side:
            raise PlayRefused("offer_open", "B15")
        if text == "reject":
            return replace(self, offer=None, declined=(*self.declined, (offer.seat, offer.level)))
        if text != "accept":
            raise PlayRefused("answer_offer", "B15")
        if offer.draw:
            return self._end_if_over(self.position.drawn("agreement"))
        return self._end_if_over(self.position.conceded(offer.seat, offer.level), resigned=True)

    def _moved(self, actor: str, text: str) -> State:
        changes: dict[str, Any] = {}
        if text == "roll":
            changes = {"ready": frozenset({side for side in SIDES if side == actor})}
        elif text == "compel":
            changes = {"last": None}
        elif text.startswith("name "):
            changes = {"dice": (int(text[5:]), int(text[5:]))}
        elif PLAY.match(text):
            changes = {
                "last": {"seat": actor, "dice": list(self.dice) if self.dice else None, "text": text},
                "dice": None,
                # Playing on answers the opponent's draw, and lets this side offer one again.
                "offer": self.offer if self.offer is not None and self.offer.seat == actor else None,
                "declined": tuple(each for each in self.declined if each != (actor, 0)),
                "ended": None,
            }
        return self._end_if_over(self.position.after(text), **changes)

    def _end_if_over(self, position: Position, *, resigned: bool = False, **changes: Any) -> State:
        """The state with this position and these changes, and where that ends a game, with its points and what follows.

        That is the next game, or the end of the match.
        """
        state, outcome = replace(self, position=position, **changes), position.outcome
        if outcome is None:
            return state
        score = self.score.after(outcome)
        ended = outcome_json(outcome, game=self.game, resigned=resigned)
        if (winner := score.winner) is not None:
            result = Result(winner, "score")
            return replace(state, score=score, closed=position, ended=ended, offer=None, result=result)
        return replace(
            state,
            score=score,
            position=self.rules.start(score, self.options),
            closed=position,
            game=self.game + 1,
            ready=frozenset(),
            offer=None,
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
            **({"paused": True} if self.paused else {}),
        }


def outcome_json(outcome: Outcome, *, game: int, resigned: bool) -> Json:
    """The outcome of a game, for pages and rows."""
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
        declined=tuple((seat, level) for seat, level in snapshot["declined"]),
        last=snapshot["last"],
        dice=(dice[0], dice[1]) if dice else None,
        ended=snapshot["ended"],
        result=Result(**result) if result else None,
        paused=snapshot.get("paused", False),
    )


def fold(state: State, actions: Iterable[tuple[str, str]]) -> State:
    """The state after all of `actions` (actor, text)."""
    for actor, text in actions:
        state = state.after(actor, text)
    return state
