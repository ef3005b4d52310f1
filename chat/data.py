"""The personal data that `chat` keeps, and how it is deleted: see accounts.privacy.registry."""

from __future__ import annotations

from accounts.privacy import registry as data_registry
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.registry import OTHERS, OWNED, SHARED, Table
from chat.models import CaseEvent, Message, Report
from games.database import now

data_registry.register_tables(
    Table("chat.Message", {"by": SHARED}, plain=("client_id",), erased=("text", "phrase"), withheld=("client_id",)),
    Table("chat.ChatPreferences", {"user": OWNED}),
    Table("chat.Case", {"about": OTHERS}),
    Table("chat.Report", {"by": SHARED}, erased=("words",)),
    Table("chat.Sanction", {"user": OWNED}),
    Table("chat.CaseEvent", {"by": SHARED, "about": OTHERS}, erased=("why",)),
)


@data_registry.eraser("chat.Message.text", "chat.Message.phrase")
def forget_lines(anonymizer: Anonymizer) -> None:
    """Remove the user's messages, for moderators too. Messages of others stay."""
    lines = Message.objects.filter(by=anonymizer.user)
    lines.filter(removed_at=None).update(removed_at=now())
    lines.update(text="", phrase="")


@data_registry.eraser("chat.Report.words")
def forget_reports(anonymizer: Anonymizer) -> None:
    """Delete the texts of the user's reports, and the user's name from reports about them."""
    Report.objects.filter(by=anonymizer.user).update(words="")
    anonymizer.anonymize_column(Report.objects.filter(case__about=anonymizer.user), "words")


@data_registry.eraser("chat.CaseEvent.why")
def forget_cases(anonymizer: Anonymizer) -> None:
    anonymizer.anonymize_column(CaseEvent.objects.filter(case__about=anonymizer.user), "why")
    anonymizer.anonymize_column(CaseEvent.objects.filter(case__reports__by=anonymizer.user).distinct(), "why")
