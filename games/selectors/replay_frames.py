"""Reads for the replay of a finished match: its initial contents, and the frames of single games on request."""

from __future__ import annotations

from collections import Counter

from django.db.models import Count
from django.urls import reverse

from games import replay_frames, take_back
from games.engine import Json
from games.errors import NotFound
from games.models import Action, Game, Match

_READ = ("match_id", "n", "game_number", "actor", "text", "asked", "client_id")


def replay_contents_of(match: Match) -> Json:
    """The initial contents of the replay: the games, and the frames of the first one. Three queries."""
    games = list(match.games.order_by("number"))
    url = f"{reverse('match-game', args=[match.pk, 0])}?{replay_frames.FRAMES_VERSION}"
    contents = replay_frames.replay_contents(match, games, _counts(match), url)
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


def _counts(match: Match) -> dict[int, int]:
    """The number of actions of each game, without those that were taken back."""
    if match.taken_back:
        return Counter(row.game_number for row in take_back.standing(match.actions.order_by("n").only(*_READ)))
    return dict(match.actions.order_by().values_list("game_number").annotate(Count("n")))


def _actions(match: Match, number: int) -> list[Action]:
    return take_back.standing(match.actions.filter(game_number__lte=number).order_by("n").only(*_READ))
