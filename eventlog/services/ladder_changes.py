"""What is new on ladders: their events are numbered without gaps, so those after the mark are the new ones."""

from __future__ import annotations

from eventlog.kinds import LADDER, topic
from eventlog.models import Checkpoint
from eventlog.services.changes import ChangeSet, Cursor, NewEvent, Watch
from ladders.models import Ladder, LadderEvent, LadderPlayer

PREFIX = f"{LADDER}:"
NAMES = ("challenge", "challenger", "defender", "winner", "loser")


def ladder_changes(watch: Watch) -> ChangeSet:
    """The events of all ladders that are listened to."""
    known = {
        checkpoint.subject.removeprefix(PREFIX): Cursor(checkpoint.version, checkpoint.status)
        for checkpoint in Checkpoint.objects.filter(subject__startswith=PREFIX)
    }
    ids = watch.ids[LADDER] | known.keys()
    if watch.users:
        places = LadderPlayer.objects.filter(user__in=watch.users, ladder__status=Ladder.Status.OPEN)
        ids |= set(places.values_list("ladder", flat=True))
    seen = ChangeSet()
    for ladder in Ladder.objects.filter(pk__in=ids).only("pk", "version", "status", "created_at").order_by("pk"):
        cursor = Cursor(ladder.version, ladder.status)
        if known.get(ladder.pk) != cursor:
            _compare(seen, watch, ladder, known.get(ladder.pk), cursor)
    return seen


def _compare(seen: ChangeSet, watch: Watch, ladder: Ladder, before: Cursor | None, cursor: Cursor) -> None:
    here = topic(LADDER, ladder.pk)
    subscribers = watch.subscribed([here])
    players = watch.of_users(LadderPlayer.objects.filter(ladder=ladder).values_list("user", flat=True))
    topics = subscribers | players
    if not topics:
        seen.unsubscribed.add(here)
        return
    seen.checkpoints[here] = cursor
    if before is None and ladder.created_at < watch.since(topics):
        return
    after = before.version if before else 0
    changed = None
    for event in LadderEvent.objects.filter(ladder=ladder, n__gt=after, n__lte=cursor.version):
        payload = event.payload
        if "challenge" in payload or (event.type in ("result", "decided") and "challenger" in payload):
            data = {"what": event.type, **{name: payload[name] for name in NAMES if name in payload}}
            to = subscribers | watch.of_users([payload.get("challenger"), payload.get("defender")])
            if to:
                seen.found.append(
                    NewEvent(f"{here}:{event.n}", "ladder.challenge", here, event.at, to, data, event.by_id)
                )
        changed = event
    if changed is not None:
        data = {"version": cursor.version}
        seen.found.append(NewEvent(f"{here}:v{cursor.version}", "ladder.changed", here, changed.at, topics, data))
