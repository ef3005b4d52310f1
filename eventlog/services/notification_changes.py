"""New events of notifications: one that is written or renewed is an event for its reader's apps."""

from __future__ import annotations

from eventlog.kinds import USER, topic
from eventlog.models import Event
from eventlog.services.changes import SLACK, ChangeSet, NewEvent, Watch
from notifications.models import Notification

NAMING = "/players/"
"""URLs that contain a name; the notification itself has it."""
MOST = 1000


def notification_changes(watch: Watch) -> ChangeSet:
    """Return the subscribers' notifications since a little before the last comparison; known ones are left out."""
    if not watch.users:
        return ChangeSet()
    rows = Notification.objects.filter(user__in=watch.users, shown=True, at__gte=watch.looked - SLACK).order_by(
        "at", "pk"
    )
    found = []
    for notice in rows[:MOST]:
        to = topic(USER, notice.user_id)
        if notice.at < watch.topics[to]:
            continue
        key = f"notice:{notice.pk}:{int(notice.at.timestamp() * 1_000_000)}"
        url = "" if notice.url.startswith(NAMING) else notice.url
        data = {"kind": notice.kind, "url": url}
        found.append(NewEvent(key, "notice", f"notice:{notice.pk}", notice.at, frozenset({to}), data))
    told = set(Event.objects.filter(key__in=[one.key for one in found]).values_list("key", flat=True))
    return ChangeSet(found=[one for one in found if one.key not in told])
