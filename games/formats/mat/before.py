"""The values that the pages still build for an export; `record.of_actions` and `write` take their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.formats.mat.writing import write
from games.formats.record import GameRecord as Game
from games.formats.record import Record


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: the score before it, its actions as (actor, text), and how it ended (`winner` empty: it did not)."""

    number: int
    white: int
    black: int
    actions: Sequence[tuple[str, str]]
    winner: str = ""
    points: int = 0


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match: White's and Black's names, its terms and its games. `result` is a sentence for an end without score."""

    key: str
    white: str
    black: str
    length: int
    variation: str
    games: Sequence[GameRecord]
    played: datetime | None = None
    rated: bool = False
    result: str = ""


def export(match: MatchRecord) -> str:
    """The whole match, lines ended by a line feed. Raises FormatError."""
    headers = {
        "Match ID": match.key,
        "EventDate": match.played.strftime("%Y.%m.%d") if match.played else "",
        "EventTime": match.played.strftime("%H.%M") if match.played else "",
        "Unrated": "Off" if match.rated else "On",
    }
    by = match.result.rsplit(" ", 1)[-1]
    winner = "white" if match.result.startswith(f"{match.white} ") else "black"
    games = tuple(
        Game(
            game.number,
            (game.white, game.black),
            tuple(game.actions),
            game.winner,
            game.points,
            "x" * bool(game.winner),
        )
        for game in match.games
    )
    players = {"white": match.white, "black": match.black}
    return write(Record(match.variation.lower(), match.length, players, games, {}, headers, by, winner if by else ""))
