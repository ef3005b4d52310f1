"""Reads for the pages and the API of ladders."""

from ladders.selectors.entries import challenge_on, directed, ladder_with, place_on, player_on
from ladders.selectors.events import champions_of_club, history, season, seasons_of_club
from ladders.selectors.lists import ClubLadders, LadderRow, ladders_by_club, open_ladders
from ladders.selectors.pages import ChallengeView, LadderView, challenges_to_answer, page

__all__ = [
    "ChallengeView",
    "ClubLadders",
    "LadderRow",
    "LadderView",
    "challenge_on",
    "challenges_to_answer",
    "champions_of_club",
    "directed",
    "history",
    "ladder_with",
    "ladders_by_club",
    "open_ladders",
    "page",
    "place_on",
    "player_on",
    "season",
    "seasons_of_club",
]
