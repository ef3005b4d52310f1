"""The neutral record of a match, between files and database rows.

`Record` is a whole match; `verify` replays it through the rules. `Reading` is the result of reading a file: it has a
record only if there are no faults, so that nothing is ever half imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from games import replay
from games.engine import SIDES, Rules, Side
from games.formats.errors import FormatError, sentence
from games.registry import ILLEGAL, RULES

_REFUSED: tuple[type[Exception], ...] = (replay.PlayRefused, *ILLEGAL)

LOW_DIE_FIRST = "Low die first"
"""The header with the games, counted from 1, whose opening roll has its lower die first in the file.

Every other roll is kept in its order by its action; that of an opening says which side rolled which die.
"""

Points = float
Action = tuple[str, str]
Clock = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: its number, the score before it (White's, Black's), its actions as (actor, text), and how it ended.

    `kind` is empty in a game that did not end; `winner` is empty in a draw too. `clocks` are the reserves of White
    and Black left after each action, in milliseconds, or empty when nothing was timed.
    """

    number: int
    score: tuple[Points, Points]
    actions: tuple[Action, ...]
    winner: str = ""
    points: Points = 0
    kind: str = ""
    resigned: bool = False
    clocks: tuple[Clock, ...] = ()

    @property
    def timed(self) -> Iterable[tuple[Action, Clock]]:
        """Each action with its clock."""
        return zip(self.actions, self.clocks or ((None, None),) * len(self.actions), strict=True)


@dataclass(frozen=True, slots=True)
class Record:
    """A match: its variant, its length (0: a money session) and options, the players, and its games.

    `headers` hold the other fields of a file, by the names of .mat (Match ID, Event, Round, Site, EventDate, EventTime,
    Unrated ...). `by` is how the match ended: score, resign, flag, absent, ended (a money session), or
    empty when it did not.
    """

    variant: str
    length: int
    players: Mapping[str, str]
    games: tuple[GameRecord, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    by: str = ""
    winner: str = ""

    @property
    def rules(self) -> Rules:
        """The rules of the variant. Raises FormatError."""
        if self.variant not in RULES:
            raise FormatError("variation", variation=self.variant[:40])
        return RULES[self.variant]

    @property
    def score(self) -> tuple[Points, Points]:
        """The points of White and Black after the last game that ended."""
        if not self.games:
            return (0, 0)
        last = self.games[-1]
        white, black = last.score
        if last.kind and not last.winner:
            return (white + last.points / 2, black + last.points / 2)
        return (white + last.points * (last.winner == "white"), black + last.points * (last.winner == "black"))

    @property
    def low_die_first(self) -> frozenset[int]:
        """The games, counted from 1, whose opening roll is written with its lower die first."""
        words = self.headers.get(LOW_DIE_FIRST, "").split()
        return frozenset(int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 5)

    @property
    def standing(self) -> str:
        """The score as text: `3-2`."""
        return "-".join(number(points) for points in self.score)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault or warning of a file: its game and move, the code and ruling of the rules, and the text in the file."""

    game: int
    move: int
    code: str
    ruling: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    def __str__(self) -> str:
        ruling = f" ({self.ruling})" if self.ruling else ""
        return f"game {self.game}, move {self.move}: {self.text}: {sentence(self.code, dict(self.params))}{ruling}"


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a file: the record if there is no fault, the faults, and the warnings."""

    format: str
    record: Record | None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


def number(points: Points) -> str:
    """Format points without a trailing `.0`."""
    return f"{points:g}"


def is_standard(record: Record, *, expressible: tuple[str, ...] = ()) -> bool:
    """Whether the match has no house rules, except those that a format can express."""
    terms = record.rules.terms(record.length)
    return not any(
        term.is_house_rule(record.options.get(key, term.default))
        for key, term in terms.items()
        if key not in expressible
    )


@dataclass(frozen=True, slots=True)
class FormatLimits:
    """The limits of a format: one variant by its standard rules, and the house rules that it can express."""

    variant: str
    house_rules: tuple[str, ...] = ()
    any_rules: bool = False

    def refusal(self, record: Record) -> FormatError | None:
        """Why a match cannot be written, or None: `wrong_game`, `not_standard`."""
        if record.variant != self.variant:
            return FormatError("wrong_game")
        if not self.any_rules and not is_standard(record, expressible=self.house_rules):
            return FormatError("not_standard")
        return None

    def check(self, record: Record) -> None:
        """Raise FormatError for a match that the format cannot hold."""
        if refusal := self.refusal(record):
            raise refusal


@dataclass(frozen=True, slots=True)
class _AwardedPoints:
    """Points awarded to reach a score without games."""

    winner: Side
    points: int
    kind: str = "given"
    black: Side | None = None  # no seat played Black (D9)


def state_at_score(
    rules: Rules, length: int, options: Mapping[str, Any], score: tuple[Points, Points], *, after_crawford: bool = False
) -> replay.State:
    """The state of a match to `length` before a game at `score`, for a file that starts there.

    Whether that game is the Crawford game follows from the score (B14), unless it was played already. Raises
    FormatError if the match is over at that score, or the points are not whole.
    """
    state = replay.start(rules, length, options)
    if any(points != int(points) for points in score):
        raise FormatError("bad_record", game=1)
    current = state.score
    for side, points in sorted(zip(SIDES, score, strict=True), key=lambda item: item[1]):
        if points:
            current = current.after(_AwardedPoints(side, int(points)))
    if after_crawford:
        current = current.after(_AwardedPoints("white", 0))
    if current.winner is not None:
        raise FormatError("bad_record", game=1)
    return replace(state, score=current, position=rules.start(current, options))


def record_from_actions(
    *,
    variant: str,
    length: int,
    options: Mapping[str, Any],
    players: Mapping[str, str],
    actions: Iterable[tuple[str, str, Clock]],
    headers: Mapping[str, str] | None = None,
    score: tuple[Points, Points] = (0, 0),
) -> Record:
    """Build the record of a match from its actions as (actor, text, reserves left in ms), in order.

    `score` is the one before the first game: not 0-0 for an imported match whose file starts later.

    The games, their scores and outcomes follow from replaying the actions. Raises FormatError.
    """
    record = Record(variant, length, dict(players), (), dict(options), dict(headers or {}))
    state = _first(replace(record, games=(GameRecord(1, score, ()),)))
    folded: list[tuple[replay.State, replay.State, str, str, Clock]] = []
    for actor, text, clock in actions:
        before, state = state, _step(state, actor, text)
        folded.append((before, state, actor, text, clock))
    games = []
    for game, steps in groupby(folded, key=lambda step: step[0].game):
        rows = list(steps)
        ended = rows[-1][1].ended if _game_over(rows[-1][0], rows[-1][1]) else None
        clocks = tuple(row[4] for row in rows)
        games.append(
            GameRecord(
                number=game,
                score=_score(rows[0][0]),
                actions=tuple((row[2], row[3]) for row in rows),
                clocks=clocks if any(clock != (None, None) for clock in clocks) else (),
                **outcome_fields(ended),
            )
        )
    result = state.result
    return replace(
        record, games=tuple(games), by=result.by if result else "", winner=(result.winner or "") if result else ""
    )


def outcome_fields(ended: Mapping[str, Any] | None) -> dict[str, Any]:
    """The outcome fields of a `GameRecord`, from the `ended` value of a replayed state."""
    if ended is None:
        return {}
    return {
        "winner": ended["winner"] or "",
        "points": ended["points"],
        "kind": ended["kind"],
        "resigned": ended["resigned"],
    }


def verify(record: Record) -> replay.State:
    """Verify that all fields of a record follow from its actions, and return the final state.

    Raises FormatError (`bad_record` with the game) if they do not.
    """
    state = _first(record)
    for game in record.games:
        if _score(state) != game.score or state.result is not None:
            raise FormatError("bad_record", game=game.number)
        ended: Mapping[str, Any] | None = None
        for actor, text in game.actions:
            if ended is not None:
                raise FormatError("bad_record", game=game.number)
            before = state
            state = _step(state, actor, text, game=game.number)
            ended = state.ended if _game_over(before, state) else None
        stated = replace(
            game, actions=(), clocks=(), **(outcome_fields(ended) or {"winner": "", "points": 0, "kind": ""})
        )
        if stated != replace(game, actions=(), clocks=()):
            raise FormatError("bad_record", game=game.number)
        if ended is None and game is not record.games[-1]:
            raise FormatError("bad_record", game=game.number)
    result = state.result
    if (record.by, record.winner) != ((result.by, result.winner or "") if result else ("", "")):
        raise FormatError("bad_record", game=record.games[-1].number if record.games else 0)
    return state


def _first(record: Record) -> replay.State:
    score = record.games[0].score if record.games else (0, 0)
    try:
        if score == (0, 0):
            return replay.start(record.rules, record.length, record.options)
        return state_at_score(record.rules, record.length, record.options, score)
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError("bad_record", game=1) from error


def _step(state: replay.State, actor: str, text: str, *, game: int = 0) -> replay.State:
    try:
        # Stored actions are canonical; any other form would be a false record.
        if actor in SIDES and ("/" in text or text[:1].isdigit()) and state.position.canonical(text) != text:
            raise FormatError("bad_record", game=game or state.game)
        return state.after(actor, text)
    except _REFUSED as error:
        raise FormatError("bad_record", game=game or state.game) from error


def _game_over(before: replay.State, after: replay.State) -> bool:
    return after.game != before.game or (after.result is not None and after.score != before.score)


def _score(state: replay.State) -> tuple[Points, Points]:
    return (state.score.points("white"), state.score.points("black"))


def summary(reading: Reading) -> dict[str, Any]:
    """A reading as JSON for scripts."""
    record = reading.record
    return {
        "format": reading.format,
        "record": None
        if record is None
        else {
            "variant": record.variant,
            "length": record.length,
            "options": dict(record.options),
            "players": dict(record.players),
            "headers": dict(record.headers),
            "games": [
                {
                    "number": game.number,
                    "score": list(game.score),
                    "actions": len(game.actions),
                    "winner": game.winner,
                    "points": game.points,
                    "kind": game.kind,
                    "resigned": game.resigned,
                }
                for game in record.games
            ],
            "score": list(record.score),
            "by": record.by,
            "winner": record.winner,
        },
        "faults": [_fault_json(fault) for fault in reading.faults],
        "warnings": [_fault_json(fault) for fault in reading.warnings],
    }


def _fault_json(fault: Fault) -> dict[str, Any]:
    return {
        "game": fault.game,
        "move": fault.move,
        "code": fault.code,
        "ruling": fault.ruling,
        "params": dict(fault.params),
        "text": fault.text,
        "words": sentence(fault.code, dict(fault.params)),
    }
