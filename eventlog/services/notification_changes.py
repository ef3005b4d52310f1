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
    rows = Notification.objects.filter(user__in=watch.users, shown=True, at__gte=watch.compared_at - SLACK).order_by(
        "at", "pk"
    )
    found = []
    for notification in rows[:MOST]:
        to = topic(USER, notification.user_id)
        if notification.at < watch.topics[to]:
            continue
        key = f"notice:{notification.pk}:{int(notification.at.timestamp() * 1_000_000)}"
        url = "" if notification.url.startswith(NAMING) else notification.url
        data = {"kind": notification.kind, "url": url}
        found.append(NewEvent(key, "notice", f"notice:{notification.pk}", notification.at, frozenset({to}), data))
    known = set(Event.objects.filter(key__in=[event.key for event in found]).values_list("key", flat=True))
    return ChangeSet(found=[event for event in found if event.key not in known])
