"""The only writers."""

from talk.services.moderation import case_act
from talk.services.reports import report_make
from talk.services.saying import message_say
from talk.services.wishes import warning_read, wishes_set

__all__ = ["case_act", "message_say", "report_make", "warning_read", "wishes_set"]
