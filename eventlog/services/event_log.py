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


def watched_since(moment: datetime, looked: datetime) -> Watch:
    """What is listened to at a moment: by programs that came by lately, and for webhooks."""
    ears = (
        Subscription.objects.filter(until__gt=moment, user__is_active=True)
        .values_list("topic")
        .annotate(since=Min("since"))
    )
    topics = dict(ears.order_by())
    for user_id, subjects, since in Webhook.objects.filter(active=True, user__is_active=True).values_list(
        "user", "subjects", "since"
    ):
        for one in (topic(USER, user_id), *subjects):
            topics[one] = min(since, topics.get(one, since))
    return Watch(topics, looked)


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
        seen = collect_changes(watch, moment)
        found = sorted(seen.found, key=lambda one: one.at)
        keys = [one.key for one in found]
        recorded = set(Event.objects.filter(key__in=keys).values_list("key", flat=True)) if keys else set()
        events, topics = [], {}
        for one in found:
            if one.key in recorded:
                continue
            recorded.add(one.key)
            event_log.number += 1
            event = Event(
                number=event_log.number,
                key=one.key,
                kind=one.kind,
                subject=one.subject,
                at=one.at,
                by_id=one.by_id,
                data=one.data,
            )
            events.append(event)
            topics[event.number] = one.topics
        Event.objects.bulk_create(events, batch_size=500)
        topics_of_events = [
            Topic(event_id=number, topic=each) for number, some in topics.items() for each in sorted(some)
        ]
        Topic.objects.bulk_create(topics_of_events, batch_size=500)
        _mark(seen, moment)
        deliveries.enqueue(events, topics, moment)
        event_log.at = moment
        event_log.save()
    return len(events)


def _mark(seen: ChangeSet, moment: datetime) -> None:
    if seen.unsubscribed:
        Checkpoint.objects.filter(subject__in=seen.unsubscribed).delete()
    marks = [
        Checkpoint(subject=one, version=come.version, status=come.status, at=moment) for one, come in seen.marks.items()
    ]
    Checkpoint.objects.bulk_create(
        marks, update_conflicts=True, unique_fields=["subject"], update_fields=["version", "status", "at"]
    )


def events_purge() -> int:
    """Delete events older than a week with their deliveries, old subscriptions, and checkpoints of what is over."""
    moment = now()
    listened = watched_since(moment, moment).topics
    Delivery.objects.filter(event__at__lt=moment - KEPT).delete()
    Topic.objects.filter(event__at__lt=moment - KEPT).delete()
    gone, _ = Event.objects.filter(at__lt=moment - KEPT).delete()
    Subscription.objects.filter(until__lt=moment).delete()
    over = Checkpoint.objects.filter(at__lt=moment - MARKS_KEPT, status__in=("over", "cancelled", "closed"))
    over.exclude(subject__in=list(listened)).delete()
    return gone
