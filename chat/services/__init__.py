"""The only writers."""

from chat.services.messages import message_say
from chat.services.moderation import case_act
from chat.services.preferences import preferences_set, warning_read
from chat.services.reports import report_make

__all__ = ["case_act", "message_say", "preferences_set", "report_make", "warning_read"]
