"""Where each ruling is explained to players: the pages of the rules, and their sections in reading order.

A section's anchor is the number of its ruling (``B5``) or a word for what is no ruling. The prose is in
templates/rules/<language>/<page>.html; what the rulings mean to the code is in docs/rulings.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise
_RULING = re.compile(r"[A-Z][0-9]*")


@dataclass(frozen=True, slots=True)
class Section:
    """One ruling, or one matter beside the rulings, with the words of its heading."""

    anchor: str
    title: Words

    @property
    def is_ruling(self) -> bool:
        """Whether the anchor is the number of a ruling."""
        return _RULING.fullmatch(self.anchor) is not None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of rules: the key in its address, its title, a line for its card, and its sections."""

    key: str
    title: Words
    summary: Words
    sections: tuple[Section, ...]


def _page(key: str, title: Words, summary: Words, sections: dict[str, Words]) -> Page:
    return Page(key, title, summary, tuple(Section(anchor, words) for anchor, words in sections.items()))


PAGES = (
    _page(
        "backgammon",
        _("Backgammon"),
        _("The board, the roll, hitting, bearing off, and what a game is worth. Also nackgammon and hypergammon."),
        {
            "B1": _("The board"),
            "B2": _("Starting position"),
            "B3": _("The opening roll"),
            "B4": _("Moving with two dice"),
            "B5": _("Mandatory moves"),
            "B6": _("Open points and hits"),
            "B7": _("Entering from the bar"),
            "B8": _("No legal move"),
            "B9": _("Bearing off"),
            "B10": _("Getting hit while bearing off"),
            "B11": _("What a game is worth"),
            "variants": _("Variants"),
            "notation": _("Move notation"),
        },
    ),
    _page(
        "match",
        _("Match play"),
        _("The doubling cube, matches to N points, the Crawford game, resigning and taking back a play."),
        {
            "B12": _("The doubling cube"),
            "B13": _("A match to N points"),
            "B14": _("The Crawford game"),
            "B15": _("Resigning"),
            "B17": _("Taking back a play"),
        },
    ),
    _page(
        "clock",
        _("The clock"),
        _("Delay, reserve, whose clock is running, and what happens when time runs out."),
        {"T": _("The match clock"), "presets": _("Choosing a clock")},
    ),
    _page(
        "dice",
        _("Fair dice"),
        _("How the dice are secured before the match, and how to verify them yourself."),
        {
            "V": _("Dice anyone can verify"),
            "check": _("How to verify them"),
            "held": _("When a player's seed is missing"),
            "limits": _("What the proof does not cover"),
        },
    ),
    _page(
        "house",
        _("House options and money sessions"),
        _("Optional rules that two players can agree on, and sessions without a target score."),
        {
            "H1": _("Desahogo (breathing space)"),
            "H2": _("Free ace (as libre)"),
            "cap": _("Cube limit"),
            "B16": _("Money sessions"),
        },
    ),
    _page(
        "acey-deucey",
        _("Acey-deucey"),
        _("The sailors' game: all checkers start off the board, and with a 2-1 you name a double and roll again."),
        {
            "A1": _("The opening"),
            "A2": _("Entering and moving"),
            "A3": _("Mandatory moves and bearing off"),
            "A4": _("The 2-1"),
            "A5": _("End of the game"),
            "A6": _("Scoring"),
        },
    ),
    _page(
        "damas",
        _("Draughts"),
        _("Draughts on a 10×10 board, as the club plays it: flying kings and huffing."),
        {
            "D1": _("The board and the men"),
            "D2": _("Capturing"),
            "D3": _("Kings capture first"),
            "D4": _("Kings"),
            "D5": _("Crowning"),
            "D6": _("Winning"),
            "D7": _("Draws"),
            "D8": _("Huff, compel or let it pass"),
            "D9": _("The match"),
            "notation": _("Move notation"),
        },
    ),
    _page(
        "ladders",
        _("Ladders"),
        _("Challenges, deadlines, vacations, seasons and king of the hill."),
        {
            "L1": _("What is a ladder?"),
            "L2": _("Players you can challenge"),
            "L3": _("What a result changes"),
            "L4": _("Deadlines"),
            "L5": _("Vacations"),
            "L6": _("Inactive players"),
            "L7": _("King of the hill"),
            "L8": _("Seasons"),
            "L9": _("When the site is down"),
            "L10": _("What directors can do"),
            "L11": _("Leaving a ladder"),
            "L12": _("A finished match always counts once"),
        },
    ),
    _page(
        "tournaments",
        _("Tournaments"),
        _("Registration, late entries, penalties, corrected results, prizes, master points and seasons."),
        {
            "E1": _("Registration"),
            "E2": _("Late entries"),
            "E3": _("Penalty points"),
            "E4": _("Substitutes"),
            "E5": _("Pairing preferences"),
            "E6": _("Breaks"),
            "E7": _("Tie-breaks"),
            "E8": _("Double elimination"),
            "E9": _("Players without an account"),
            "E10": _("The loser of a walkover"),
            "E11": _("Time zone"),
            "E12": _("A win without a score"),
            "E13": _("Boards and late players"),
            "E14": _("Seeds"),
            "E15": _("Byes on request"),
            "E16": _("Third-place match"),
            "E17": _("Rulings"),
            "E18": _("The match clock over the board"),
            "E19": _("Roles at a tournament"),
            "E20": _("Team matches"),
            "E21": _("Teams and line-ups"),
            "E22": _("Weekends and shared boards"),
            "E23": _("One person in several tournaments"),
            "E24": _("Series"),
            "E25": _("Simultaneous exhibition"),
            "E26": _("Arenas"),
            "E27": _("At a venue without internet"),
            "E28": _("Reports to a federation"),
            "U1": _("Who a result belongs to"),
            "U2": _("Correcting a result"),
            "U3": _("Undoing and redoing"),
            "U4": _("Corrections and ratings"),
            "P1": _("Master points"),
            "P2": _("Seasons"),
            "P3": _("Overall standings"),
            "P4": _("Prizes"),
        },
    ),
    _page(
        "clubs",
        _("Clubs"),
        _("Roles, events, what counts for ratings, and recurring events."),
        {
            "K1": _("Creating a club"),
            "K2": _("Roles"),
            "K3": _("Membership end dates"),
            "K4": _("Club events"),
            "K5": _("What counts for ratings"),
            "K6": _("Records"),
            "K7": _("Recurring events"),
        },
    ),
    _page(
        "ratings",
        _("Ratings"),
        _("How ratings are calculated, what counts, and how anyone can verify them."),
        {
            "R1": _("The formula"),
            "R2": _("Match length"),
            "R3": _("Draughts"),
            "R4": _("What is rated"),
            "R5": _("Corrections"),
            "R6": _("Against computers"),
        },
    ),
)

PAGE_BY_KEY = {page.key: page for page in PAGES}
PAGE_BY_RULING = {section.anchor: page for page in PAGES for section in page.sections if section.is_ruling}
"""The page that explains a ruling, by its number."""
