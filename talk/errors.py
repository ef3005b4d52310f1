"""What somebody asked of the talk and cannot be: `Refused` as in `games`, with sentences of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

TEXTS: dict[str, str | Promise] = {
    "talk_log_in": _("Log in to write."),
    "talk_empty": _("There is nothing to send."),
    "talk_long": _("A message has at most %(most)s characters."),
    "talk_phrase": _("There is no such phrase."),
    "talk_fast": _("Slowly: at most %(most)s messages in %(seconds)s seconds."),
    "talk_again": _("You have just said that."),
    "talk_closed": _("There is no talk at this table."),
    "talk_phrases_only": _("At this table there are ready phrases only."),
    "talk_guest": _("Guests write to the other watchers with ready phrases. Sign up to write your own words."),
    "talk_ended": _("This talk has ended."),
    "talk_early": _("The talk begins when both players have come."),
    "talk_silenced": _("You cannot write until %(until)s."),
    "talk_silenced_for_good": _("You cannot write here any more."),
    "talk_warned": _("The moderators have written to you. Read that first."),
    "no_message": _("There is no such message."),
    "report_reason": _("Choose a reason."),
    "report_nothing": _("There is nothing to report at this address."),
    "report_self": _("That is you."),
    "report_words": _("At most %(most)s characters."),
    "report_most": _("You have sent %(most)s reports today. Thank you: the moderators will look at them first."),
    "moderator_only": _("That is for the moderators of this site."),
    "no_case": _("There is no such case."),
    "case_own": _("This case is about you: another moderator looks at it."),
    "case_above": _("Only the staff of this site can do that to this person."),
    "case_act": _("That cannot be done in this case."),
    "case_why": _("Say why, in 1 to %(most)s characters."),
    "case_about_nobody": _("This case is about a match, not about a person."),
}


class Refused(errors.Refused):
    """As in play; knows the sentences of the talk too."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}


class NotFound(Refused):
    """No such match, message or case, or none that this viewer may see."""
