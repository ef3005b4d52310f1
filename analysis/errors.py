"""What a player asked of the analysis and cannot be: `Refused` as in `games`, with sentences of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

TEXTS: dict[str, str | Promise] = {
    "report_not_over": _("A match is analysed when it is over, and not before."),
    "report_not_yours": _("A report card is made for the players of the match."),
    "report_no_moves": _("Nobody wrote down the moves of this match: there is nothing to analyse."),
    "report_off": _("This site makes no report cards."),
    "report_depth": _("There is no such depth."),
    "report_quota": _("You have asked for %(most)s report cards today. Ask again tomorrow."),
    "question_id": _("That is no position: paste an XGID or a GNU Backgammon ID."),
    "question_over": _("In this position nobody has anything to decide: the game is over, or has not begun."),
    "question_forced": _("There is nothing to decide here: only one thing can be done."),
    "question_running": _(
        "This position stands in a match that is being played now. It can be analysed when that match is over."
    ),
    "question_quota": _("You have asked about %(most)s positions today. Ask again tomorrow."),
    "errors_hidden": _("This player does not show his error rates."),
    "puzzle_answer": _("That is no legal play here."),
    "daily_over": _("The day of this position is over."),
    "daily_voted": _("You have voted already: a vote stands."),
    "fair_play_not_director": _("The fair play report is for those who direct the club."),
    "engine_variant": _("The computer cannot judge this game yet."),
    "engine_options": _("The computer cannot judge a match with these house options."),
}


class Refused(errors.Refused):
    """As in play; knows the sentences of the analysis too."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
