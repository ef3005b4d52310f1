"""What the pages and the senders ask: each in the same number of queries however much there is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q

from accounts.models import User
from games.engine import Json
from notices import notify, words
from notices.kinds import KINDS
from notices.models import Notice

A_PAGE = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A notice as the list shows it."""

    notice: Notice
    heading: str
    text: str
    detail: str

    @property
    def unread(self) -> bool:
        return self.notice.read_at is None


def listed(*, user: User, page: str | None) -> Page[Notice]:
    """What a person was told: first what he has not read, then the newest."""
    mine = Notice.objects.filter(user=user, shown=True)
    return Paginator(mine.order_by(F("read_at").desc(nulls_first=True), "-at", "-pk"), A_PAGE).get_page(page)


def rows(notices: Iterable[Notice]) -> list[Row]:
    """Notices in the active language."""
    return [
        Row(
            one,
            words.heading(one.kind),
            words.sentence(one.kind, one.data, named=words.isolated),
            words.detail(one.kind, one.data),
        )
        for one in notices
        if one.kind in KINDS
    ]


def bell(*, user: User, path: str) -> tuple[int, int]:
    """How many notices wait for a person elsewhere, and how many lead to the page that he is looking at."""
    unread = Notice.objects.filter(user=user, read_at=None, shown=True)
    found = unread.aggregate(here=Count("pk", filter=Q(url=path)), elsewhere=Count("pk", filter=~Q(url=path)))
    return found["elsewhere"], found["here"]


def missed(*, user_id: int, since: datetime) -> Json | None:
    """The word to the bell of a page that may have missed one since a moment; None where nothing has changed."""
    mine = Notice.objects.filter(Q(at__gt=since) | Q(read_at__gt=since), user=user_id)
    return notify.word(user_id) if mine.exists() else None
