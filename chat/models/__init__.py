"""The tables. Behaviour is in `chat.services`, the only writer."""

from chat.models.messages import ChatPreferences, Message
from chat.models.moderation import Case, CaseEvent, Report, Sanction

__all__ = ["Case", "CaseEvent", "ChatPreferences", "Message", "Report", "Sanction"]
