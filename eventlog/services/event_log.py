"""The one writer of the event log.

Play, tournaments and notifications know nothing of it: each second a sweep compares the rows with what the log has
recorded of them. It finds whatever was committed meanwhile, in whatever order, also after an hour without a worker. As
it alone assigns the numbers, under a lock, a reader up to a number has missed none.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min

from eventlog.kinds import USER, topic
from eventlog.models import Checkpoint, Delivery, Event, EventLog, Subscription, Topic, Webhook
from eventlog.services import deliveries, ladder_changes, match_changes, notification_changes, tournament_changes
from eventlog.services.changes import ChangeSet, Watch
from games.database import now

KEPT = timedelta(days=7)
MARKS_KEPT = timedelta(days=1)
NOTED_EVERY = timedelta(seconds=20)
"""How often a comparison without changes is recorded."""
MOST_AT_ONCE = 5000


def events_record() -> int:
    """Record what has happened since the last comparison, as far as somebody is subscribed; return the events' number.

    Compares without a lock first, because mostly nothing is new: a write on SQLite would hold up a move.
    """
    moment = now()
    event_log = EventLog.objects.filter(pk=1).first()
    watch = watched_since(moment, event_log.at if event_log else moment)
    if not watch.topics:
        if Checkpoint.objects.exists():
            Checkpoint.objects.all().delete()  # the next subscription starts anew
        return 0
    if event_log is not None and moment - event_log.at < NOTED_EVERY and collect_changes(watch, moment).empty:
        return 0
    return _write()


def watched_since(moment: datetime, compared_at: datetime) -> Watch:
    """What is listened to at a moment: by programs that came by lately, and for webhooks."""
    subscriptions = (
        Subscription.objects.filter(until__gt=moment, user__is_active=True)
        .values_list("topic")
        .annotate(since=Min("since"))
    )
    topics = dict(subscriptions.order_by())
    for user_id, subjects, since in Webhook.objects.filter(active=True, user__is_active=True).values_list(
        "user", "subjects", "since"
    ):
        for name in (topic(USER, user_id), *subjects):
            topics[name] = min(since, topics.get(name, since))
    return Watch(topics, compared_at)


def collect_changes(watch: Watch, moment: datetime) -> ChangeSet:
    """All that is new."""
    seen = ChangeSet()
    for part in (
        match_changes.match_changes(watch, moment),
        tournament_changes.tournament_changes(watch),
        ladder_changes.ladder_changes(watch),
        notification_changes.notification_changes(watch),
    ):
        seen.add(part)
    return seen


def _write() -> int:
    EventLog.objects.get_or_create(pk=1, defaults={"at": now()})
    with transaction.atomic():
        event_log = EventLog.objects.select_for_update().get(pk=1)
        moment = now()
        watch = watched_since(moment, event_log.at)
        changes = collect_changes(watch, moment)
        found = sorted(changes.found, key=lambda new_event: new_event.at)
        keys = [new_event.key for new_event in found]
        recorded = set(Event.objects.filter(key__in=keys).values_list("key", flat=True)) if keys else set()
        events, topics = [], {}
        for new_event in found:
            if new_event.key in recorded:
                continue
            recorded.add(new_event.key)
            event_log.number += 1
            event = Event(
                number=event_log.number,
                key=new_event.key,
                kind=new_event.kind,
                subject=new_event.subject,
                at=new_event.at,
                by_id=new_event.by_id,
                data=new_event.data,
            )
            events.append(event)
            topics[event.number] = new_event.topics
        Event.objects.bulk_create(events, batch_size=500)
        topics_of_events = [
            Topic(event_id=number, topic=name) for number, names in topics.items() for name in sorted(names)
        ]
        Topic.objects.bulk_create(topics_of_events, batch_size=500)
        _save_checkpoints(changes, moment)
        deliveries.enqueue(events, topics, moment)
        event_log.at = moment
        event_log.save()
    return len(events)


def _save_checkpoints(changes: ChangeSet, moment: datetime) -> None:
    if changes.unsubscribed:
        Checkpoint.objects.filter(subject__in=changes.unsubscribed).delete()
    checkpoints = [
        Checkpoint(subject=subject, version=cursor.version, status=cursor.status, at=moment)
        for subject, cursor in changes.checkpoints.items()
    ]
    Checkpoint.objects.bulk_create(
        checkpoints, update_conflicts=True, unique_fields=["subject"], update_fields=["version", "status", "at"]
    )


def events_purge() -> int:
    """Delete events older than a week with their deliveries, old subscriptions, and checkpoints of what is over."""
    moment = now()
    listened = watched_since(moment, moment).topics
    Delivery.objects.filter(event__at__lt=moment - KEPT).delete()
    Topic.objects.filter(event__at__lt=moment - KEPT).delete()
    deleted, _ = Event.objects.filter(at__lt=moment - KEPT).delete()
    Subscription.objects.filter(until__lt=moment).delete()
    over = Checkpoint.objects.filter(at__lt=moment - MARKS_KEPT, status__in=("over", "cancelled", "closed"))
    over.exclude(subject__in=list(listened)).delete()
    return deleted
