"""The refusals of chat and moderation: `Refused` as in `games`, with sentences of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors

TEXTS: dict[str, str | Promise] = {
    "talk_log_in": _("Sign in to chat."),
    "talk_empty": _("Write a message first."),
    "talk_long": _("Messages can have at most %(most)s characters."),
    "talk_phrase": _("That quick phrase does not exist. Choose one from the list."),
    "talk_fast": _("Slow down: you can send %(most)s messages every %(seconds)s seconds."),
    "talk_again": _("You just sent that message."),
    "talk_closed": _("Chat is off in this match."),
    "talk_phrases_only": _("Only quick phrases are allowed in this match."),
    "talk_guest": _("Guests can only use quick phrases with other spectators. Sign up to write your own messages."),
    "talk_ended": _("This chat has ended."),
    "talk_early": _("Chat opens when both players are here."),
    "talk_silenced": _("You cannot chat until %(until)s."),
    "talk_silenced_for_good": _("You can no longer chat here."),
    "talk_warned": _("You have a message from the moderators. Read it first."),
    "no_message": _("Message not found."),
    "report_reason": _("Choose a reason."),
    "report_nothing": _("There is nothing to report here."),
    "report_self": _("That's you. Choose someone else."),
    "report_words": _("Use at most %(most)s characters."),
    "report_most": _("You have sent %(most)s reports today, the maximum. The moderators will review those first."),
    "moderator_only": _("Only moderators can do this."),
    "no_case": _("Case not found."),
    "case_own": _("This case is about you, so another moderator handles it."),
    "case_above": _("Only staff can do that to this person."),
    "case_act": _("That is not possible in this case."),
    "case_why": _("Give a reason of 1 to %(most)s characters."),
    "case_about_nobody": _("This case is about a match, not a person."),
}


class Refused(errors.Refused):
    """A refusal of play or chat."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}


class NotFound(Refused):
    """No such match, message or case, or none that this viewer may see."""
