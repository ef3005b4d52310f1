"""What a player asked of the analysis and cannot be: `Refused` as in `games`, with sentences of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

TEXTS: dict[str, str | Promise] = {
    "report_not_over": _("You can only analyse a match once it's over."),
    "report_not_yours": _("Only the players of a match can ask for its analysis."),
    "report_no_moves": _("This match has no recorded moves, so there is nothing to analyse."),
    "report_off": _("Match analysis isn't available on this site."),
    "report_depth": _("This depth of analysis isn't available."),
    "report_quota": _("You have reached today's limit of %(most)s analyses. Try again tomorrow."),
    "question_id": _("That isn't a position. Paste an XGID or a GNU Backgammon ID."),
    "question_over": _("There is nothing to decide in this position: the game is over or hasn't started."),
    "question_forced": _("There is nothing to decide here: only one option is possible."),
    "question_running": _("This position is from a match in progress. You can analyse it when that match is over."),
    "question_quota": _("You have reached today's limit of %(most)s positions. Try again tomorrow."),
    "hint_not_yours": _("You can only ask for hints in your own matches, while they are being played."),
    "hint_opponent": _("Hints are for unrated matches against the computer."),
    "hint_not_now": _("There is nothing for you to decide now."),
    "hint_position": _("The computer can't give a hint in this position."),
    "hint_quota": _("You have reached today's limit of %(most)s hints. Try again tomorrow."),
    "errors_hidden": _("This player's error rates are private."),
    "puzzle_answer": _("That play isn't legal here."),
    "daily_over": _("Voting on this position is closed."),
    "daily_voted": _("You have already voted, and votes can't be changed."),
    "fair_play_not_director": _("Only club directors can see the fair play report."),
    "engine_variant": _("The computer can't analyse this game yet."),
    "engine_options": _("The computer can't analyse matches with these house options."),
}


class Refused(errors.Refused):
    """As in play; knows the sentences of the analysis too."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
