"""What the pages and the senders ask: each in the same number of queries however much there is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q

from accounts.models import User
from games.engine import Json
from notifications import notify, sentences
from notifications.kinds import KINDS
from notifications.models import Notification

A_PAGE = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the list of notifications."""

    notification: Notification
    heading: str
    text: str
    detail: str

    @property
    def unread(self) -> bool:
        return self.notification.read_at is None


def notifications_page(*, user: User, page: str | None) -> Page[Notification]:
    """Return a page of a user's notifications: unread first, then newest."""
    notifications = Notification.objects.filter(user=user, shown=True)
    return Paginator(notifications.order_by(F("read_at").desc(nulls_first=True), "-at", "-pk"), A_PAGE).get_page(page)


def notification_rows(notifications: Iterable[Notification]) -> list[Row]:
    """Return the rows of some notifications in the active language."""
    return [
        Row(
            notification,
            sentences.heading(notification.kind),
            sentences.sentence(notification.kind, notification.data, named=sentences.isolated_name),
            sentences.detail(notification.kind, notification.data),
        )
        for notification in notifications
        if notification.kind in KINDS
    ]


def unread_and_here(*, user: User, path: str) -> tuple[int, int]:
    """Count a user's unread notifications that lead elsewhere, and those that lead to the page being viewed."""
    unread = Notification.objects.filter(user=user, read_at=None, shown=True)
    found = unread.aggregate(here=Count("pk", filter=Q(url=path)), elsewhere=Count("pk", filter=~Q(url=path)))
    return found["elsewhere"], found["here"]


def missed_since(*, user_id: int, since: datetime) -> Json | None:
    """Return the bell message for a page that may have missed one since a moment; None if nothing changed."""
    changed = Notification.objects.filter(Q(at__gt=since) | Q(read_at__gt=since), user=user_id)
    return notify.bell_message(user_id) if changed.exists() else None
