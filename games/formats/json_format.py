"""The JSON format: every game and every action with its clock, without loss (docs/formats.md).

`{"format": "tablero-match/1", "variant", "length", "options", "players": {"white", "black"}, "headers", "games": [
{"number", "score": [white, black], "actions": [[actor, text] or [actor, text, white ms, black ms], ...], "winner",
"points", "kind", "resigned"}, ...], "by", "winner"}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from games.engine import SIDES
from games.formats.decoding import plain
from games.formats.errors import FormatError
from games.formats.rebuild_base import MOST_PLAYS
from games.formats.record import Action, Clock, GameRecord, Reading, Record, verify

FORMAT = "tablero-match/1"
MOST_ACTIONS = 4 * MOST_PLAYS
"""A play is up to three actions: the roll, the dice and the play."""
LONGEST_ACTION = 120
MOST_ENTRIES = 60
_ACTORS = (*SIDES, "chance", "server")


def write(record: Record) -> str:
    """Write a match as JSON text."""
    return json.dumps(as_json(record), ensure_ascii=False, indent=1) + "\n"


def as_json(record: Record) -> dict[str, Any]:
    """The match as JSON values."""
    return {
        "format": FORMAT,
        "variant": record.variant,
        "length": record.length,
        "options": dict(record.options),
        "players": dict(record.players),
        "headers": dict(record.headers),
        "games": [_game_json(game) for game in record.games],
        "by": record.by,
        "winner": record.winner,
    }


def _game_json(game: GameRecord) -> dict[str, Any]:
    return {
        "number": game.number,
        "score": list(game.score),
        "actions": [[*action, *clock] if game.clocks else list(action) for action, clock in game.timed],
        "winner": game.winner,
        "points": game.points,
        "kind": game.kind,
        "resigned": game.resigned,
    }


def read(text: str) -> Reading:
    """Read a match from JSON text and verify it by the rules. Raises FormatError."""
    try:
        value = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        _refuse("it is nested too deep")
    except ValueError as error:
        raise FormatError("json", reason=str(error)[:80]) from error
    if not isinstance(value, dict):
        _refuse("it is no object")
    if value.get("format") != FORMAT:
        raise FormatError("json_version", format=str(value.get("format"))[:40])
    record = _record(value)
    verify(record)
    return Reading("json", record)


def _record(value: Mapping[str, Any]) -> Record:
    """The record of a JSON object. Raises FormatError (`json`) for a value of the wrong form."""
    players = _texts(value, "players")
    if set(players) != set(SIDES):
        _refuse("players")
    games = _list(value, "games", most=1000)
    record = Record(
        variant=_text(value, "variant"),
        length=_integer(value, "length"),
        players=players,
        games=tuple(_game(game) for game in games),
        options=_entries(value, "options"),
        headers=_texts(value, "headers"),
        by=_text(value, "by"),
        winner=_text(value, "winner"),
    )
    if not games:
        raise FormatError("no_games")
    if sum(len(game.actions) for game in record.games) > MOST_ACTIONS:
        raise FormatError("too_long", most=MOST_PLAYS)
    return record


def _game(value: Any) -> GameRecord:
    if not isinstance(value, dict):
        _refuse("games")
    score = _list(value, "score", most=2)
    if len(score) != 2:
        _refuse("score")
    rows = _list(value, "actions", most=MOST_ACTIONS)
    pairs = [_action(row) for row in rows]
    timed = any(len(row) == 4 for row in rows)
    if timed and not all(len(row) == 4 for row in rows):
        _refuse("clocks")
    resigned = value.get("resigned")
    if not isinstance(resigned, bool):
        _refuse("resigned")
    return GameRecord(
        number=_integer(value, "number"),
        score=(_points(score[0]), _points(score[1])),
        actions=tuple(action for action, _ in pairs),
        winner=_text(value, "winner"),
        points=_points(value.get("points")),
        kind=_text(value, "kind"),
        resigned=resigned,
        clocks=tuple(clock for _, clock in pairs) if timed else (),
    )


def _action(row: Any) -> tuple[Action, Clock]:
    if not isinstance(row, list) or len(row) not in (2, 4):
        _refuse("actions")
    actor, text, *clock = row
    if actor not in _ACTORS or not isinstance(text, str) or not 0 < len(text) <= LONGEST_ACTION:
        _refuse("actions")
    if any(not (ms is None or (type(ms) is int and 0 <= ms < 2**31)) for ms in clock):
        _refuse("clocks")
    return (actor, text), (clock[0], clock[1]) if clock else (None, None)


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or text != plain(text):
        _refuse(name)
    return text


def _integer(value: Mapping[str, Any], name: str) -> int:
    found = value.get(name)
    if type(found) is not int or not 0 <= found < 2**15:
        _refuse(name)
    return found


def _points(value: Any) -> float:
    """Points: whole, or halves where games can be drawn."""
    if type(value) not in (int, float) or not 0 <= value < 2**31 or value * 2 != int(value * 2):
        _refuse("points")
    points: float = value
    return points


def _list(value: Mapping[str, Any], name: str, *, most: int) -> list[Any]:
    found = value.get(name)
    if not isinstance(found, list):
        _refuse(name)
    if len(found) > most:
        raise FormatError("too_long", most=MOST_PLAYS)
    return found


def _entries(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = value.get(name)
    if not isinstance(found, dict) or len(found) > MOST_ENTRIES:
        _refuse(name)
    if any(type(entry) not in (str, int, bool) for entry in found.values()):
        _refuse(name)
    return found


def _texts(value: Mapping[str, Any], name: str) -> dict[str, str]:
    found = _entries(value, name)
    if any(not isinstance(entry, str) or entry != plain(entry, 200) for entry in found.values()):
        _refuse(name)
    return found


def _refuse(problem: str) -> NoReturn:
    raise FormatError("json", reason=problem)
