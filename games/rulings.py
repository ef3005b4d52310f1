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
            "B2": _("The start"),
            "B3": _("The opening roll"),
            "B4": _("Two numbers, two moves"),
            "B5": _("The duty to play"),
            "B6": _("Open points and hits"),
            "B7": _("Entering from the bar"),
            "B8": _("When nothing can be played"),
            "B9": _("Bearing off"),
            "B10": _("Hit while bearing off"),
            "B11": _("What a game is worth"),
            "variants": _("Relatives of the game"),
            "notation": _("How plays are written"),
        },
    ),
    _page(
        "match",
        _("Match play"),
        _("The doubling cube, matches to N points, the Crawford game, and how to resign."),
        {
            "B12": _("The doubling cube"),
            "B13": _("A match to N points"),
            "B14": _("The Crawford game"),
            "B15": _("Resigning"),
        },
    ),
    _page(
        "clock",
        _("The clock"),
        _("The delay, the reserve, whose time runs when, and what happens when it runs out."),
        {"T": _("The match clock"), "presets": _("Which clock to choose")},
    ),
    _page(
        "dice",
        _("The dice"),
        _("How every roll is locked before the match, and how you can check it yourself."),
        {
            "V": _("Dice that anyone can check"),
            "check": _("How to check them"),
            "held": _("A seat without its key"),
            "limits": _("What the proof does not show"),
        },
    ),
    _page(
        "house",
        _("House options and free sessions"),
        _("What two players may agree on, and playing for points without end."),
        {
            "H1": _("Breathing space (desahogo)"),
            "H2": _("The free ace (as libre)"),
            "cap": _("A limit for the cube"),
            "B16": _("The free session"),
        },
    ),
    _page(
        "acey-deucey",
        _("Acey-deucey"),
        _("The sailors' game: all men start off the board, and a roll of 1-2 is worth a small fortune."),
        {
            "A1": _("The opening"),
            "A2": _("Entering and moving"),
            "A3": _("The duty to play, and bearing off"),
            "A4": _("The 1-2"),
            "A5": _("The end of the game"),
            "A6": _("The score"),
        },
    ),
    _page(
        "damas",
        _("Damas"),
        _("Draughts on a hundred squares, as the club plays it: flying kings, and huffing."),
        {
            "D1": _("The board and the men"),
            "D2": _("Taking"),
            "D3": _("The king takes first"),
            "D4": _("The king"),
            "D5": _("Crowning"),
            "D6": _("Winning"),
            "D7": _("Draws"),
            "D8": _("Huffing, compelling, letting it pass"),
            "D9": _("The match"),
            "notation": _("How moves are written"),
        },
    ),
    _page(
        "ladders",
        _("Ladders"),
        _("Challenges for a place, deadlines, vacations, seasons, and the king of the hill."),
        {
            "L1": _("What a ladder is"),
            "L2": _("Who may be called"),
            "L3": _("What a result does"),
            "L4": _("Deadlines"),
            "L5": _("Vacations"),
            "L6": _("Who is not seen"),
            "L7": _("The king of the hill"),
            "L8": _("Seasons"),
            "L9": _("When the site is away"),
            "L10": _("What a director may do"),
            "L11": _("Leaving a ladder"),
            "L12": _("A finished match always counts, once"),
        },
    ),
    _page(
        "tournaments",
        _("Tournaments"),
        _("Entering, coming late, penalties, wrong results put right, prizes, master points and seasons."),
        {
            "E1": _("Entering"),
            "E2": _("Coming late"),
            "E3": _("Penalty points"),
            "E4": _("Substitutes"),
            "E5": _("Wishes for the pairings"),
            "E6": _("Breaks"),
            "U1": _("Whose a result is"),
            "U2": _("Correcting a result"),
            "U3": _("Undoing and redoing"),
            "U4": _("Corrections and ratings"),
            "P1": _("Master points"),
            "P2": _("Seasons"),
            "P3": _("The order of everybody"),
            "P4": _("Prizes"),
        },
    ),
    _page(
        "clubs",
        _("Clubs"),
        _("Who may do what in a club, its events, what counts there, and nights that repeat."),
        {
            "K1": _("Opening a club"),
            "K2": _("Roles"),
            "K3": _("Until when one is a member"),
            "K4": _("The events of a club"),
            "K5": _("What counts in the ratings"),
            "K6": _("Records"),
            "K7": _("Nights that repeat"),
        },
    ),
    _page(
        "ratings",
        _("Ratings"),
        _("How a rating is computed, what counts for it, and how anybody can check it."),
        {
            "R1": _("The formula"),
            "R2": _("Lengths"),
            "R3": _("Damas"),
            "R4": _("What is rated"),
            "R5": _("Corrections"),
        },
    ),
)

PAGE = {page.key: page for page in PAGES}
PAGE_OF = {section.anchor: page for page in PAGES for section in page.sections if section.is_ruling}
"""The page that explains a ruling, by its number."""
