"""Subscriptions: each visit of an app extends those of its owner by a day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction

from accounts.models import User
from eventlog.errors import Refused
from eventlog.kinds import KINDS, MOST_SUBJECTS, SUBJECT, USER, topic
from eventlog.models import Subscription
from eventlog.services.event_log import events_record
from eventlog.visibility import permitted_topics
from games.database import now

OPEN = timedelta(hours=24)
EXTENSION_STEP = timedelta(hours=1)
"""How often an extension is recorded."""
MOST_SUBSCRIPTIONS = 60
"""Topics of one user at once, over all streams."""


def topics_of(user: User, *, subjects: Iterable[str]) -> tuple[str, ...]:
    """Return the topics of a stream or webhook: the user's own, and the given subjects.

    Raises Refused: hook_subjects_most, hook_subjects (one does not exist, or the user may not see it).
    """
    named = tuple(dict.fromkeys(subjects))
    if len(named) > MOST_SUBJECTS:
        raise Refused("hook_subjects_most", params={"most": MOST_SUBJECTS})
    for subject in named:
        if SUBJECT.fullmatch(subject) is None:
            raise Refused("hook_subjects", params={"subject": subject[:40]})
    lacking = set(named) - permitted_topics(user, named)
    if lacking:
        raise Refused("hook_subjects", params={"subject": min(lacking)})
    return (topic(USER, user.pk), *named)


def kinds_of(kinds: Iterable[str]) -> tuple[str, ...]:
    """Check the given kinds of events; none stands for all. Raises Refused hook_kinds."""
    named = tuple(dict.fromkeys(kinds))
    for kind in named:
        if kind not in KINDS:
            raise Refused("hook_kinds", params={"kind": kind[:40]})
    return named


def subscribe(*, user: User, topics: Iterable[str]) -> None:
    """Subscribe a user to these topics, or extend the subscription. For a new topic the log begins now.

    Raises Refused hook_subjects_most.
    """
    moment = now()
    wanted = set(topics)
    existing = {subscription.topic: subscription for subscription in Subscription.objects.filter(user=user)}
    fresh = [name for name in wanted if name not in existing or existing[name].until <= moment]
    late = [
        name
        for name in wanted
        if name in existing and name not in fresh and existing[name].until < moment + OPEN - EXTENSION_STEP
    ]
    if not fresh and not late:
        return
    open_now = {name for name, subscription in existing.items() if subscription.until > moment}
    if len(open_now | wanted) > MOST_SUBSCRIPTIONS:
        raise Refused("hook_subjects_most", params={"most": MOST_SUBSCRIPTIONS})
    with transaction.atomic():
        Subscription.objects.filter(user=user, topic__in=late).update(until=moment + OPEN)
        subscriptions = [Subscription(user=user, topic=name, since=moment, until=moment + OPEN) for name in fresh]
        Subscription.objects.bulk_create(
            subscriptions, update_conflicts=True, unique_fields=["user", "topic"], update_fields=["since", "until"]
        )
    if fresh:
        events_record()
