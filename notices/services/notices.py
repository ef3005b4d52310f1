"""Notices are written, read and taken back here. Each step may run twice, and has its effect once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from games.database import now
from notices import notify
from notices.hours import mail_at, push_at
from notices.kinds import KINDS, MAIL, PAGE, PUSH, Kind, wanted
from notices.models import Notice, Wishes
from notices.services.wishes import habit_of, wishes_of
from notices.told import Draft

AGAIN = timedelta(minutes=10)
"""A word that is said again within this time is the same word."""
KEPT = timedelta(days=90)
MOST_AT_ONCE = 500
SAID = ("mark", "data", "url", "at", "until", "read_at", "shown", "mail_due_at", "mail_tries", "push_due_at")


def notice_write(*, user_id: int, draft: Draft) -> Notice | None:
    """Tell a person something; a newer word about the same thing takes the place of the older one.

    None for bots, for closed accounts and for whom it reaches by no channel. Written in the caller's transaction.
    """
    reader = User.objects.filter(pk=user_id, is_active=True, is_bot=False).select_related("notice_wishes").first()
    if reader is None:
        return None
    moment = now()
    about = {"user": reader, "kind": draft.kind, "key": draft.key}
    if Notice.objects.filter(**about, mark=draft.mark, at__gt=moment - AGAIN).exists():
        return None
    wishes, kind = wishes_of(reader), KINDS[draft.kind]
    until = draft.until or (moment + draft.lasts if draft.lasts else None)
    due = due_at(reader, wishes, kind, moment, until=until)
    shown = wanted(wishes.channels, kind, PAGE)
    if not shown and not any(due.values()):
        return None
    notice = Notice(
        **about, mark=draft.mark, data=draft.data, url=draft.url, at=moment, until=until, shown=shown, **due
    )
    # One statement: of two words at the same moment the later one stands, and nobody gets an error.
    Notice.objects.bulk_create([notice], update_conflicts=True, unique_fields=[*about], update_fields=[*SAID])
    notify.bell(user_id, draft.url)
    return notice


def due_at(
    reader: User, wishes: Wishes, kind: Kind, moment: datetime, *, until: datetime | None = None
) -> dict[str, datetime | None]:
    """When a notice of this moment leaves by mail and by push, as its reader wishes; guests have the page alone.

    A little later than it could: who is at a page of ours reads it there, and it does not leave at all.
    """
    if reader.is_guest:
        return {"mail_due_at": None, "push_due_at": None}
    habit = habit_of(wishes)
    mail = settings.HAS_MAIL and wanted(wishes.channels, kind, MAIL)
    first = moment + timedelta(seconds=settings.NOTICE_MAIL_AFTER)
    pushed = moment + timedelta(seconds=settings.NOTICE_PUSH_AFTER)
    return {
        "mail_due_at": mail_at(habit, first, waits=kind.waits, until=until) if mail else None,
        "push_due_at": push_at(habit, pushed, until=until) if wanted(wishes.channels, kind, PUSH) else None,
    }


def notice_settle(*, kinds: Iterable[str], key: str, user_id: int | None = None) -> int:
    """Take notices back that are no longer true, of one reader or (None) of all; how many."""
    found = Notice.objects.filter(kind__in=list(kinds), key=key, read_at=None)
    return settle(found if user_id is None else found.filter(user=user_id))


def notice_read(*, user_id: int, notice_id: int) -> Notice | None:
    """A person has pressed one of his notices; None where it is not his."""
    notice = Notice.objects.filter(pk=notice_id, user=user_id).first()
    if notice is not None:
        settle(Notice.objects.filter(pk=notice.pk, read_at=None))
    return notice


def notices_read(*, user_id: int, url: str | None = None) -> int:
    """A person has seen all that he was told, or what leads to the page (`url`) that he is looking at; how many."""
    mine = Notice.objects.filter(user=user_id, read_at=None)
    return settle(mine.filter(shown=True) if url is None else mine.filter(url=url))


def notices_forget() -> int:
    """Delete what is older than three months."""
    return Notice.objects.filter(at__lt=now() - KEPT).delete()[0]


def settle(found: QuerySet[Notice]) -> int:
    """Mark as read, and let it neither be mailed nor pushed any more; the bells of its readers count anew."""
    rows = list(found.values_list("pk", "user_id")[:MOST_AT_ONCE])
    if not rows:
        return 0
    unread = Notice.objects.filter(read_at=None, pk__in=[pk for pk, _user in rows])
    read = unread.update(read_at=now(), mail_due_at=None, push_due_at=None)
    for user_id in {user for _pk, user in rows}:
        notify.bell(user_id)
    return read
