"""Reads for the replay of a finished match: its initial contents, and the frames of single games on request."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.urls import reverse

from games import replay_frames, take_back
from games.engine import Json
from games.errors import NotFound
from games.models import Action, Game, Match

_READ = ("match_id", "n", "game_number", "actor", "text", "asked", "client_id")
_GAMES = """
SELECT g.*, counted.actions FROM games_game g
LEFT JOIN (
    SELECT game_number, count(*) AS actions FROM games_action WHERE match_id = %s GROUP BY game_number
) counted ON counted.game_number = g.number
WHERE g.match_id = %s ORDER BY g.number
"""
"""The games of a match with the number of their actions. The ORM would read all actions once for each game."""


def replay_contents_of(match: Match) -> Json:
    """The initial contents of the replay: the games, and the frames of the first one. Two queries."""
    games: list[Any] = list(Game.objects.raw(_GAMES, [match.pk, match.pk]))
    counts = _standing_counts(match) if match.taken_back else {game.number: game.actions or 0 for game in games}
    url = f"{reverse('match-game', args=[match.pk, 0])}?{replay_frames.FRAMES_VERSION}"
    contents = replay_frames.replay_contents(match, games, counts, url)
    for first in contents["games"][:1]:
        first |= replay_frames.game_frames(match, games, first["number"], _actions(match, first["number"]))
    return contents


def game_frames_of(match: Match, number: int) -> Json:
    """The frames of one game. Two queries. Raises NotFound."""
    games: list[Game] = list(match.games.order_by("number"))
    found = replay_frames.game_frames(match, games, number, _actions(match, number))
    if not found["frames"]:
        raise NotFound
    return found


def _standing_counts(match: Match) -> dict[int, int]:
    """The number of actions of each game, without those that were taken back."""
    return Counter(row.game_number for row in take_back.standing(match.actions.order_by("n").only(*_READ)))


def _actions(match: Match, number: int) -> list[Action]:
    return take_back.standing(match.actions.filter(game_number__lte=number).order_by("n").only(*_READ))
