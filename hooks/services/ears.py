"""Who listens: a program that comes by keeps its owner's ears open for another day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction

from accounts.models import User
from games.database import now
from hooks.errors import Refused
from hooks.hearing import audible
from hooks.kinds import KINDS, MOST_SUBJECTS, SUBJECT, USER, topic
from hooks.models import Ear
from hooks.services.clerk import events_take

OPEN = timedelta(hours=24)
AGAIN = timedelta(hours=1)
"""How often it is written down that somebody came by."""
MOST_EARS = 60
"""Topics of one person at once, over all his streams."""


def topics_of(user: User, *, subjects: Iterable[str]) -> tuple[str, ...]:
    """What a stream or webhook of this person hears: what concerns him, and the subjects that he names.

    Raises Refused: hook_subjects_most, hook_subjects (there is none, or none that he may hear).
    """
    named = tuple(dict.fromkeys(subjects))
    if len(named) > MOST_SUBJECTS:
        raise Refused("hook_subjects_most", params={"most": MOST_SUBJECTS})
    for one in named:
        if SUBJECT.fullmatch(one) is None:
            raise Refused("hook_subjects", params={"subject": one[:40]})
    lacking = set(named) - audible(user, named)
    if lacking:
        raise Refused("hook_subjects", params={"subject": min(lacking)})
    return (topic(USER, user.pk), *named)


def kinds_of(kinds: Iterable[str]) -> tuple[str, ...]:
    """The kinds of events that somebody names; none stands for all. Raises Refused hook_kinds."""
    named = tuple(dict.fromkeys(kinds))
    for one in named:
        if one not in KINDS:
            raise Refused("hook_kinds", params={"kind": one[:40]})
    return named


def listen(*, user: User, topics: Iterable[str]) -> None:
    """Keep ears open on these topics. For a new one the log begins here and now.

    Raises Refused hook_subjects_most.
    """
    moment = now()
    wanted = set(topics)
    mine = {ear.topic: ear for ear in Ear.objects.filter(user=user)}
    fresh = [one for one in wanted if one not in mine or mine[one].until <= moment]
    late = [one for one in wanted if one in mine and one not in fresh and mine[one].until < moment + OPEN - AGAIN]
    if not fresh and not late:
        return
    open_now = {one for one, ear in mine.items() if ear.until > moment}
    if len(open_now | wanted) > MOST_EARS:
        raise Refused("hook_subjects_most", params={"most": MOST_EARS})
    with transaction.atomic():
        Ear.objects.filter(user=user, topic__in=late).update(until=moment + OPEN)
        ears = [Ear(user=user, topic=one, since=moment, until=moment + OPEN) for one in fresh]
        Ear.objects.bulk_create(
            ears, update_conflicts=True, unique_fields=["user", "topic"], update_fields=["since", "until"]
        )
    if fresh:
        events_take()
