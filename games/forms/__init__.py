"""The forms of play."""

from games.forms.play import ANYONE, BOT, HELP, HIDDEN_OPTIONS, LABELS, NAMED, MatchForm, option_field
from games.forms.quick import QuickForm, Terms, remember, remembered

__all__ = [
    "ANYONE",
    "BOT",
    "HELP",
    "HIDDEN_OPTIONS",
    "LABELS",
    "NAMED",
    "MatchForm",
    "QuickForm",
    "Terms",
    "option_field",
    "remember",
    "remembered",
]
