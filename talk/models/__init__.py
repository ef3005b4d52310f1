"""The tables. Behaviour is in `talk.services`, the only writer."""

from talk.models.moderation import Case, CaseEvent, Report, Sanction
from talk.models.rooms import Message, Wishes

__all__ = ["Case", "CaseEvent", "Message", "Report", "Sanction", "Wishes"]
