"""Reads for the pages of ladders."""

from games.selectors.ladders.entries import directed, has_challenge, player_on
from games.selectors.ladders.events import season, story
from games.selectors.ladders.listed import of_clubs
from games.selectors.ladders.pages import LadderView, calls_on, page

__all__ = [
    "LadderView",
    "calls_on",
    "directed",
    "has_challenge",
    "of_clubs",
    "page",
    "player_on",
    "season",
    "story",
]
