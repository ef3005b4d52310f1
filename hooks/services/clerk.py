"""The one writer of the log of events.

Play, tournaments and notices know nothing of it, and write nothing for it: the clerk comes by each second and compares
the rows with what it has told of them. Whatever was committed meanwhile it finds, in whatever order, also after an hour
in which no worker ran; and as it alone gives out the numbers, under a lock, who has read up to one has missed none.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min

from games.database import now
from hooks.kinds import USER, topic
from hooks.models import Clerk, Delivery, Ear, Event, Heard, Hook, Mark
from hooks.services import deliveries, ladders, matches, notices, tournaments
from hooks.services.found import Look, Watch

KEPT = timedelta(days=7)
MARKS_KEPT = timedelta(days=1)
NOTED_EVERY = timedelta(seconds=20)
"""How often an idle look is written down."""
MOST_AT_ONCE = 5000


def events_take() -> int:
    """Write down what has happened since the last look, as far as anybody listens; how many events there are.

    Looks first without holding anything, since mostly there is nothing: a write on SQLite would hold up a move.
    """
    moment = now()
    clerk = Clerk.objects.filter(pk=1).first()
    watch = watched(moment, clerk.at if clerk else moment)
    if not watch.topics:
        if Mark.objects.exists():
            Mark.objects.all().delete()  # who listens next begins there and then
        return 0
    if clerk is not None and moment - clerk.at < NOTED_EVERY and survey(watch, moment).empty:
        return 0
    return _write()


def watched(moment: datetime, looked: datetime) -> Watch:
    """What is listened to at a moment: by programs that came by lately, and for webhooks."""
    ears = Ear.objects.filter(until__gt=moment, user__is_active=True).values_list("topic").annotate(since=Min("since"))
    topics = dict(ears.order_by())
    for user_id, subjects, since in Hook.objects.filter(active=True, user__is_active=True).values_list(
        "user", "subjects", "since"
    ):
        for one in (topic(USER, user_id), *subjects):
            topics[one] = min(since, topics.get(one, since))
    return Watch(topics, looked)


def survey(watch: Watch, moment: datetime) -> Look:
    """All that is new."""
    seen = Look()
    for part in (matches.look(watch, moment), tournaments.look(watch), ladders.look(watch), notices.look(watch)):
        seen.add(part)
    return seen


def _write() -> int:
    Clerk.objects.get_or_create(pk=1, defaults={"at": now()})
    with transaction.atomic():
        clerk = Clerk.objects.select_for_update().get(pk=1)
        moment = now()
        watch = watched(moment, clerk.at)
        seen = survey(watch, moment)
        found = sorted(seen.found, key=lambda one: one.at)
        keys = [one.key for one in found]
        told = set(Event.objects.filter(key__in=keys).values_list("key", flat=True)) if keys else set()
        events, topics = [], {}
        for one in found:
            if one.key in told:
                continue
            told.add(one.key)
            clerk.number += 1
            event = Event(
                number=clerk.number,
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
        heard = [Heard(event_id=number, topic=each) for number, some in topics.items() for each in sorted(some)]
        Heard.objects.bulk_create(heard, batch_size=500)
        _mark(seen, moment)
        deliveries.write_down(events, topics, moment)
        clerk.at = moment
        clerk.save()
    return len(events)


def _mark(seen: Look, moment: datetime) -> None:
    if seen.unheard:
        Mark.objects.filter(subject__in=seen.unheard).delete()
    marks = [Mark(subject=one, version=come.version, status=come.status, at=moment) for one, come in seen.marks.items()]
    Mark.objects.bulk_create(
        marks, update_conflicts=True, unique_fields=["subject"], update_fields=["version", "status", "at"]
    )


def events_forget() -> int:
    """Delete events of more than a week ago with what was sent of them, old ears, and marks of what is over."""
    moment = now()
    listened = watched(moment, moment).topics
    Delivery.objects.filter(event__at__lt=moment - KEPT).delete()
    Heard.objects.filter(event__at__lt=moment - KEPT).delete()
    gone, _ = Event.objects.filter(at__lt=moment - KEPT).delete()
    Ear.objects.filter(until__lt=moment).delete()
    over = Mark.objects.filter(at__lt=moment - MARKS_KEPT, status__in=("over", "cancelled", "closed"))
    over.exclude(subject__in=list(listened)).delete()
    return gone
