"""Errors of reading and writing files: stable codes, with the sentences that users see.

Exception
└── FormatError        the whole file or text: nothing of it is used

A play that the rules refuse is not a FormatError but a `Fault` (record.py), cited with its ruling.
Pure: sentences are only marked for translation here.
"""

from __future__ import annotations

from typing import Any


def gettext_noop(text: str) -> str:
    """Mark a sentence for translation; it is translated when it is shown."""
    return text


_ = gettext_noop

# code -> sentence; %(name)s come from `params`.
TEXTS: dict[str, str] = {
    # the file
    "too_large": _("The file is too large: the limit is %(most)s bytes."),
    "too_long": _("The file has more than %(most)s moves."),
    "empty": _("The file is empty."),
    "unknown_format": _(
        "This file format is not supported. Use .mat, .sgf, .pdn or a .json file exported from Tablero."
    ),
    "no_games": _("There are no games in the file."),
    "length": _("Matches to %(length)s points are not supported."),
    "variation": _("This game is not supported: %(variation)s."),
    "sgf": _("The SGF file is not valid: %(reason)s."),
    "json": _("The JSON file is not a valid Tablero match: %(reason)s."),
    "json_version": _("The file has an unsupported format version: %(format)s."),
    "pdn": _("The PDN file is not valid: %(reason)s."),
    "bad_record": _("The actions in the file do not give a valid match (game %(game)s)."),
    "position_id": _("Enter an XGID or a GNU Backgammon position and match ID."),
    # what a format cannot hold
    "not_standard": _("This format only supports standard backgammon, and this match has house rules."),
    "wrong_game": _("This format does not support that game."),
    # faults of plays, beside the codes of the rules
    "no_play": _("The game was resigned before its first roll."),
    "opening_tie": _("An opening roll can't be a double."),
    "unreadable_play": _("This move can't be read: %(text)s."),
    "out_of_turn": _("It is not this player's turn."),
    "game_over": _("The game is already over."),
    "no_result": _("The next game starts before this one ends."),
    "points_impossible": _("You can't win %(points)s points here, and the next score does not show how many were won."),
    "not_the_start": _("The game starts from a custom position."),
    "names_differ": _("The players are not the same in every game."),
    # warnings
    "score_differs": _("The file says %(white)s-%(black)s, but the games add up to %(expected)s."),
    "points_differ": _("The file says %(points)s points, but the game is worth %(expected)s."),
    "points_guessed": _("The file does not say how many points were won. We used %(expected)s."),
    "winner_differs": _("The file names the other player as the winner."),
    "result_missing": _("The file does not say how the game ended. We used the next score."),
    "drop_missing": _("A double was not answered and the game ended there. We counted it as a drop."),
    "dice_missing": _("A roll is missing. We used one with no legal move."),
    "cube_differs": _("The file says the cube is at %(value)s, but it is at %(expected)s."),
    "starts_late": _("The file does not start at 0-0."),
    "no_crawford": _("The cube was used in the Crawford game, so we read the match without the Crawford rule."),
    "line_ignored": _("We skipped a line that we could not read: %(line)s"),
    "variations_ignored": _("Only the main line was read. Variations were skipped."),
}


class FormatError(Exception):
    """A file or text that cannot be read or written at all. `code` is stable; `params` fill its sentence."""

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
    """The English sentence of a code; codes of the rules are returned as they are."""
    try:
        return TEXTS[code] % params if code in TEXTS else code
    except (KeyError, TypeError, ValueError):
        return TEXTS[code]
