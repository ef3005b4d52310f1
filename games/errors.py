"""The two families of errors: `Refused` is the player's, coded and translated; everything else is a bug.

    Exception
    └── Refused            the player asked for something that cannot be; nothing was changed
        ├── Stale          he had not seen the last version: the answer carries the state
        └── NotFound       no such match, or none that he may see
"""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# code -> sentence. The rules' own codes (Illegal) stand beside those of live play; %(name)s come from `params`.
TEXTS: dict[str, str | Promise] = {
    # live play
    "bad_frame": _("That message could not be read."),
    "too_large": _("That message is too long."),
    "too_many": _("Too many messages in a short time. Wait a moment."),
    "unknown_command": _("This server does not know that command."),
    "bad_action": _("That is not an action of this game."),
    "bad_id": _("Every action needs an id of 1 to 40 letters, digits and dashes."),
    "bad_version": _("The version of the match must be a whole number."),
    "id_reused": _("This id was already used for another action."),
    "stale": _("The match has moved on. Look again before you act."),
    "not_found": _("There is no such match."),
    "not_seated": _("Only the two players can act in this match."),
    "not_live": _("This match is not in play."),
    "match_over": _("This match is over."),
    "not_your_turn": _("It is not your turn."),
    "time_up": _("The time is up."),
    "server_only": _("The dice are rolled by the server."),
    "waiting_for_rival": _("Your roll is in. Your rival still has to roll."),
    "answer_offer": _("Accept or reject the resignation first."),
    "offer_open": _("Your resignation is waiting for an answer."),
    "no_offer": _("There is no resignation to answer."),
    "resign_level": _("That resignation is not possible in this position."),
    "resign_again": _("Your rival has just rejected that. Roll first."),
    "element": _("The dice element must be 64 hexadecimal digits."),
    # lobby
    "variant": _("That game is not played here."),
    "length": _("A match is played to 1 to 99 points."),
    "clock": _("There is no such clock."),
    "options": _("Those options do not fit this game."),
    "guest_rated": _("Guests play unrated matches. Sign up to play for rating."),
    "bot_rated": _("Matches against the computer are unrated."),
    "self_play": _("You cannot play against yourself."),
    "no_such_player": _("There is no player of that name."),
    "not_open": _("This match is no longer open."),
    "not_invited": _("This challenge is for another player."),
    "not_creator": _("Only the player who opened it can do that."),
    "too_many_open": _("You already have several open matches. Cancel one first."),
    "not_over": _("This match is not finished yet."),
    "rematch_pending": _("The rematch is already offered. Your rival has to accept it."),
    "engine_missing": _("The computer's engine is not installed on this machine."),
    "engine_variant": _("The computer does not know this game yet."),
}


class Refused(Exception):
    """What a player asked cannot be. `code` is stable, `ruling` cites docs/rulings.md, `text` speaks his language."""

    def __init__(self, code: str, *, ruling: str = "", params: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.ruling = ruling
        self.params = params or {}

    @property
    def text(self) -> str:
        """The sentence in the active language; an unknown code still says something true."""
        sentence = str(TEXTS.get(self.code) or _("That is not possible now."))
        try:
            return sentence % self.params
        except (KeyError, TypeError, ValueError):
            return sentence

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "ruling": self.ruling, "text": self.text}


class Stale(Refused):
    """The player acted on an old version of the match."""

    def __init__(self) -> None:
        super().__init__("stale")


class NotFound(Refused):
    """No such match, or none that this viewer may see."""

    def __init__(self) -> None:
        super().__init__("not_found")
