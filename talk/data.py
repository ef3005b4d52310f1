"""What `talk` keeps about a person, and how each of it goes: see accounts.data."""

from __future__ import annotations

from accounts import data
from accounts.data import OTHERS, OWNED, SHARED, Table
from accounts.former import Leaver
from games.database import now
from talk.models import CaseEvent, Message, Report

data.keep(
    Table("talk.Message", {"by": SHARED}, plain=("client_id",), erased=("text", "phrase"), withheld=("client_id",)),
    Table("talk.Wishes", {"user": OWNED}),
    Table("talk.Case", {"about": OTHERS}),
    Table("talk.Report", {"by": SHARED}, erased=("words",)),
    Table("talk.Sanction", {"user": OWNED}),
    Table("talk.CaseEvent", {"by": SHARED, "about": OTHERS}, erased=("why",)),
)


@data.eraser("talk.Message.text", "talk.Message.phrase")
def forget_lines(leaver: Leaver) -> None:
    """What he said is removed, for the moderators, too. What others said stays theirs."""
    lines = Message.objects.filter(by=leaver.user)
    lines.filter(removed_at=None).update(removed_at=now())
    lines.update(text="", phrase="")


@data.eraser("talk.Report.words")
def forget_reports(leaver: Leaver) -> None:
    """What he reported is read no more; what was reported about him no longer names him."""
    Report.objects.filter(by=leaver.user).update(words="")
    leaver.mend(Report.objects.filter(case__about=leaver.user), "words")


@data.eraser("talk.CaseEvent.why")
def forget_cases(leaver: Leaver) -> None:
    leaver.mend(CaseEvent.objects.filter(case__about=leaver.user), "why")
    leaver.mend(CaseEvent.objects.filter(case__reports__by=leaver.user).distinct(), "why")
