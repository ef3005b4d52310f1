"""What people type: an offer to play, and the settings of a ladder."""

from games.forms.ladders import DecideForm, LadderForm, PlaceForm, ReasonForm, SeasonForm, answers_of
from games.forms.play import ANYONE, BOT, HELP, LABELS, NAMED, UNSEEN, MatchForm, option_field

__all__ = [
    "ANYONE",
    "BOT",
    "HELP",
    "LABELS",
    "NAMED",
    "UNSEEN",
    "DecideForm",
    "LadderForm",
    "MatchForm",
    "PlaceForm",
    "ReasonForm",
    "SeasonForm",
    "answers_of",
    "option_field",
]
