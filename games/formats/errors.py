"""Why a file cannot be read or written: stable codes, with the sentences that people see.

Exception
└── FormatError        the whole file or text: nothing of it is used

A play that the rules refuse is no error of the file's form: it is a `Fault` (record.py), cited with its ruling.
Pure: sentences are marked here and translated by those who show them.
"""

from __future__ import annotations

from typing import Any


def gettext_noop(text: str) -> str:
    """Mark a sentence for the catalogues; whoever shows it translates it."""
    return text


_ = gettext_noop

# code -> sentence; %(name)s come from `params`.
TEXTS: dict[str, str] = {
    # the file
    "too_large": _("The file is too large: at most %(most)s bytes are read."),
    "too_long": _("The file holds more than %(most)s plays."),
    "empty": _("The file is empty."),
    "unknown_format": _("This is no match that can be read here: .mat, .sgf, .pdn and our own .json are."),
    "no_games": _("No game was found in the file."),
    "length": _("A match to %(length)s points cannot be read."),
    "variation": _("The file holds another game: %(variation)s."),
    "sgf": _("The SGF file is broken: %(what)s."),
    "json": _("The JSON file is not a match of ours: %(what)s."),
    "json_version": _("The file was written by another version: %(format)s."),
    "pdn": _("The PDN file is broken: %(what)s."),
    "bad_record": _("The match does not follow from its own actions (game %(game)s)."),
    "position_id": _("That is neither an XGID nor a GNU Backgammon position and match ID."),
    # what a format cannot hold
    "not_standard": _("Only standard backgammon can be written in this format; this match has house rules."),
    "wrong_game": _("That game cannot be written in this format."),
    # what is said of a play beside the rules' own codes
    "no_play": _("The game was given up before its first roll."),
    "opening_tie": _("An opening roll cannot be a tie."),
    "unreadable_play": _("This cannot be read as a play: %(what)s."),
    "out_of_turn": _("This player is not on turn."),
    "game_over": _("The game is over already."),
    "no_result": _("The game does not end, and the next one begins."),
    "points_impossible": _("A win of %(points)s points cannot be, and the next score does not tell what was won."),
    "not_the_start": _("The game begins from a position that was set up."),
    "names_differ": _("The players of the games are not the same two."),
    # warnings
    "score_differs": _("The score %(white)s-%(black)s of the file is not what the games give: %(ours)s."),
    "points_differ": _("The file says %(points)s points; the game gives %(ours)s."),
    "points_guessed": _("The file does not say how many points were won: %(ours)s is taken."),
    "winner_differs": _("The file names the other player as the winner."),
    "result_missing": _("The file does not say how the game ended; it follows from the next score."),
    "drop_missing": _("A double was not answered; the game ended, so it was dropped."),
    "dice_missing": _("The roll is not written; a roll that cannot be played is taken."),
    "cube_differs": _("The file says that the cube is at %(value)s; it is at %(ours)s."),
    "starts_late": _("The file does not begin at 0-0."),
    "no_crawford": _("The cube was used in the Crawford game: the match is read without that rule."),
    "line_ignored": _("A line was not understood and left out: %(line)s"),
    "variations_ignored": _("Only the main line was read."),
}


class FormatError(Exception):
    """A file, or a text, that cannot be read or written at all. `code` is stable; `params` fill its sentence."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params: dict[str, Any] = params

    @property
    def text(self) -> str:
        """The sentence in English."""
        return sentence(self.code, self.params)

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


def sentence(code: str, params: dict[str, Any]) -> str:
    """The English sentence of a code; a code of the rules stands for itself."""
    try:
        return TEXTS[code] % params if code in TEXTS else code
    except (KeyError, TypeError, ValueError):
        return TEXTS[code]
