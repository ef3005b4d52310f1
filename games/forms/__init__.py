"""The forms of play."""

from games.forms.play import ANYONE, BOT, HELP, HIDDEN_OPTIONS, LABELS, NAMED, MatchForm, option_field

__all__ = [
    "ANYONE",
    "BOT",
    "HELP",
    "HIDDEN_OPTIONS",
    "LABELS",
    "NAMED",
    "MatchForm",
    "option_field",
]
