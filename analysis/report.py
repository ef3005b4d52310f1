"""What an engine says of the decisions and rolls of a match, and what of it counts. Pure.

The definitions are those of docs/analysis.md: what is obvious, how errors are graded, what the error rate (PR) is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from analysis import explanations
from analysis.engine import Analyst, Candidate, Cube, Depth, Plays
from analysis.moments import Moment
from analysis.phases import phase_of
from games.bots.engine_boards import after, board_of
from games.engine import SIDES, Json, Position, Side, opponent
from games.replay import State

SHAPE = 1
Grade = Literal["", "doubtful", "error", "blunder"]
GRADES: dict[Grade, float] = {"blunder": 0.08, "error": 0.04, "doubtful": 0.02}
"""The equity that a decision of each grade loses at least, the worst first."""
HAIR = 0.001
"""Plays that are all this close to the best one leave nothing to decide."""
CLEAR = 0.16
"""Not to double where doubling would lose so much is no decision (GNU Backgammon draws that line here, too)."""
SHOWN = 5
"""Plays of a decision that are kept, besides the one that was played."""


@dataclass(slots=True)
class MatchAnalyser:
    """Judges the moments of one game in their order: `judge` takes each, and `decisions` and `rolls` hold the result.

    A double and its answer are judged from one look at the position.
    """

    analyst: Analyst
    depth: Depth
    decisions: list[Json] = field(default_factory=list)
    rolls: list[Json] = field(default_factory=list)
    thrown: int = 0
    _cube: Cube | None = None

    def judge(self, moment: Moment) -> None:
        """Take one moment; what is neither a decision nor a roll adds nothing. Raises EngineMissing."""
        action, state = moment.action, moment.before
        if action.actor == "chance":
            self._rolled(moment)
            return
        side = next((each for each in SIDES if each == action.actor), None)
        if side is None or state.resignation is not None or state.opening:
            return
        if action.text in ("take", "drop") and state.position.turn == side:
            self._answered(moment, side)
        elif action.text in ("roll", "double"):
            if "double" in state.position.may(side):
                self._offered(moment, side)
        elif moment.after.position is not state.position and is_play(action.text):
            self._played(moment, side)

    # Dice

    def _rolled(self, moment: Moment) -> None:
        position, after_roll = moment.before.position, moment.after.position
        opening = len(position.rollers) == len(SIDES)
        if opening and after_roll.turn not in SIDES:
            return  # a tie is thrown again
        side = cast(Side, after_roll.turn) if opening else position.rollers[0]
        self.thrown += 1
        high, low = sorted((int(moment.action.text[-2]), int(moment.action.text[-1])), reverse=True)
        score = moment.before.score.view()
        found = self.analyst.roll(position, score, side, (high, low), self.depth, opening=opening)
        rolled, average = (self.analyst.mwc(worth, position, score, side) for worth in (found.equity, found.average))
        self.rolls.append(
            {
                "n": moment.action.n,
                "side": side,
                "dice": [high, low],
                "luck": round(found.luck, 4),
                "mwc": None if rolled is None or average is None else round(rolled - average, 5),
                "opening": opening,
            }
        )

    # Checkers

    def _played(self, moment: Moment, side: Side) -> None:
        position, score, text = moment.before.position, moment.before.score.view(), moment.action.text
        found = self.analyst.plays(position, score, side, self.depth, text)
        played = found.of(text)
        entry = self._entry(moment, side, "play", played=text, best=found.best.play)
        view = position.view(None)
        entry["dice"] = sorted(moment.before.dice or (), reverse=True)
        entry["choices"] = len(found.candidates)
        entry["obvious"] = all(each.loss < HAIR for each in found.candidates)
        entry["plays"] = [_candidate_json(each) for each in _candidates_to_keep(found, played)]
        self._close(entry, position, score, loss=played.loss, equity=played.equity)
        if entry["grade"]:
            board = board_of(view, side)
            entry["words"] = explanations.explain_play(board, after(board, text), after(board, found.best.play))

    # The cube

    def _offered(self, moment: Moment, side: Side) -> None:
        """To roll or to double, where both were possible."""
        position, score, text = moment.before.position, moment.before.score.view(), moment.action.text
        self._cube = cube = self.analyst.cube(position, score, side, self.depth)
        best = "double" if cube.offered > cube.hold else "roll"
        entry = self._entry(moment, side, "double", played=text, best=best)
        equity = cube.offered if text == "double" else cube.hold
        entry["obvious"] = text == "roll" and cube.hold - cube.offered > CLEAR
        entry["cube"] = cube_json(cube)
        self._close(entry, position, score, loss=cube.best - equity, equity=equity)
        if entry["grade"]:
            entry["words"] = explanations.explain_double(text, cube)

    def _answered(self, moment: Moment, side: Side) -> None:
        """To take or to drop; the equities of the cube are those of the doubler."""
        position, score, text = moment.before.position, moment.before.score.view(), moment.action.text
        cube = self._cube or self.analyst.cube(position, score, opponent(side), self.depth)
        self._cube = None
        best = "take" if cube.double_take <= cube.double_drop else "drop"
        entry = self._entry(moment, side, "take", played=text, best=best)
        equity = -(cube.double_take if text == "take" else cube.double_drop)
        entry["cube"] = cube_json(cube)
        self._close(entry, position, score, loss=equity * -1 - cube.offered, equity=equity)
        if entry["grade"]:
            entry["words"] = explanations.explain_cube_response(text, cube)

    # What all decisions have

    def _entry(self, moment: Moment, side: Side, kind: str, *, played: str, best: str) -> Json:
        state = moment.before
        board = board_of(state.position.view(None), side)
        entry: Json = {
            "n": moment.action.n,
            "side": side,
            "kind": kind,
            "phase": phase_of(board, roll=max(self.thrown, 1), cube=kind != "play"),
            "xgid": xgid_of(state.position),
            "dice": None,
            "played": played,
            "best": best,
            "obvious": False,
        }
        self.decisions.append(entry)
        return entry

    def _close(self, entry: Json, position: Position, score: Json, *, loss: float, equity: float) -> None:
        side: Side = entry["side"]
        entry["loss"] = round(max(loss, 0.0), 4)
        entry["grade"] = grade_of(entry["loss"])
        entry["equity"] = round(equity, 4)
        chance = self.analyst.mwc(equity, position, score, side)
        entry["mwc"] = None if chance is None else round(chance if side == "white" else 1 - chance, 4)


def is_play(text: str) -> bool:
    """Whether an action of a side moves checkers: ``8/5 6/5``, ``bar/20``."""
    return text[:1].isdigit() or text.startswith("bar/")


def grade_of(loss: float) -> Grade:
    """How bad it is to lose so much equity."""
    return next((grade for grade, least in GRADES.items() if loss >= least), "")


def xgid_of(position: Position) -> str:
    """The position in eXtreme Gammon's notation, which only backgammon and its kin have; "" for what it cannot say."""
    try:
        return str(cast(Any, position).xgid())
    except ValueError:
        return ""


def cube_json(cube: Cube) -> Json:
    """A cube decision as rows keep it: equities and chances of the side that may double."""
    points = {
        name: None if (value := getattr(cube, name)) is None else round(value, 4)
        for name in ("take_point", "double_point", "cash_point", "too_good_point")
    }
    return {
        "hold": round(cube.hold, 4),
        "taken": round(cube.double_take, 4),
        "dropped": round(cube.double_drop, 4),
        "chances": cube.chances.as_list(),
        "answer": cube.answer,
        **points,
    }


def _candidates_to_keep(found: Plays, played: Candidate) -> list[Candidate]:
    """The best plays and the played one, those searched deepest first."""
    deepest = found.best.plies
    best = [each for each in found.candidates if each.plies == deepest][:SHOWN]
    return best if played in best else [*best, played]


def _candidate_json(each: Candidate) -> Json:
    return {
        "play": each.play,
        "equity": round(each.equity, 4),
        "loss": round(each.loss, 4),
        "chances": each.chances.as_list(),
        "plies": each.plies,
    }


def game_json(state: State, number: int, analyst: Analyst) -> Json:
    """The head of a game that begins with `state`; its decisions and its end are added as they come."""
    score = state.score.view()
    start = analyst.score_mwc(score, "white")
    return {
        "number": number,
        "score": score,
        "start": None if start is None else round(start, 4),
        "winner": "",
        "points": 0,
        "kind": "",
        "decisions": [],
        "rolls": [],
    }


def of_side(games: Iterable[Json], side: Side, name: Literal["decisions", "rolls"]) -> list[Json]:
    """The decisions or the rolls of a side in all games."""
    return [each for game in games for each in game[name] if each["side"] == side]
