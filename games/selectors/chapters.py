"""Reads for the page of a finished match: what it opens with, and one game after another as the reader asks for it."""

from __future__ import annotations

from django.db.models import Count
from django.urls import reverse

from games import chapters
from games.engine import Json
from games.errors import NotFound
from games.models import Action, Game, Match

_READ = ("match_id", "n", "game_number", "actor", "text", "asked", "client_id")


def contents_of(match: Match) -> Json:
    """A finished match as its page opens: its games, and the frames of the first one. Three queries."""
    games = list(match.games.order_by("number"))
    by_game = match.actions.order_by().values_list("game_number").annotate(Count("n"))
    url = f"{reverse('match-game', args=[match.pk, 0])}?{chapters.SHAPE}"
    contents = chapters.contents(match, games, dict(by_game), url)
    for first in contents["games"][:1]:
        first |= chapters.chapter(match, games, first["number"], _actions(match, first["number"]))
    return contents


def chapter_of(match: Match, number: int) -> Json:
    """The frames of one game. Two queries. Raises NotFound."""
    games: list[Game] = list(match.games.order_by("number"))
    found = chapters.chapter(match, games, number, _actions(match, number))
    if not found["frames"]:
        raise NotFound
    return found


def _actions(match: Match, number: int) -> list[Action]:
    return list(match.actions.filter(game_number__lte=number).order_by("n").only(*_READ))
