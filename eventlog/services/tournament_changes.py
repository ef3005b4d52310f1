"""What is new in tournaments: their events are numbered without gaps, so those after the mark are the new ones."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from eventlog.kinds import DESK, TOURNAMENT, topic
from eventlog.models import Checkpoint
from eventlog.services.changes import SLACK, ChangeSet, Cursor, NewEvent, Watch
from tournaments.models import Entrant, Official, Tournament, TournamentEvent

PREFIX = f"{TOURNAMENT}:"
GOING = (Tournament.Phase.OPEN, Tournament.Phase.DRAWN, Tournament.Phase.RUNNING)
PUBLIC = {
    "started": ("tournament.started", ()),
    "opened": ("tournament.round", ("section", "round")),
    "paired": ("tournament.round", ("section", "round")),
    "result": ("tournament.result", ("key", "of", "winner", "points", "how")),
    "finished": ("tournament.finished", ()),
    "cancelled": ("tournament.cancelled", ()),
}
"""The public events and which parts of their data go out: nothing else does."""
OF_DESK = {
    "registered": ("desk.entry", ("entrant",)),
    "waited": ("desk.entry", ("entrant",)),
    "admitted": ("desk.entry", ("entrant",)),
    "checked_in": ("desk.entry", ("entrant",)),
    "checked_out": ("desk.entry", ("entrant",)),
    "withdrawn": ("desk.entry", ("entrant",)),
    "reported": ("desk.report", ("key", "of", "by", "winner", "points")),
    "disputed": ("desk.report", ("key", "winner", "points")),
    "alerted": ("desk.alert", ("what", "key", "of")),
}
"""The further events for officials, under ``desk:``."""


def tournament_changes(watch: Watch) -> ChangeSet:
    """The events of all tournaments that are listened to."""
    known = {
        checkpoint.subject.removeprefix(PREFIX): Cursor(checkpoint.version, checkpoint.status)
        for checkpoint in Checkpoint.objects.filter(subject__startswith=PREFIX)
    }
    explicit = watch.ids[TOURNAMENT] | watch.ids[DESK]
    ids = explicit | known.keys()
    if watch.users:
        ended = Q(tournament__ended_at__gte=watch.compared_at - SLACK) | Q(tournament__phase__in=GOING)
        for members in (Entrant.objects, Official.objects):
            ids |= set(members.filter(ended, user__in=watch.users).values_list("tournament", flat=True))
    seen = ChangeSet()
    rows = Tournament.objects.filter(pk__in=ids).order_by("created_at", "pk")
    for tournament in rows.only("pk", "version", "phase", "created_at", "created_by"):
        cursor = Cursor(tournament.version, tournament.phase)
        if known.get(tournament.pk) != cursor:
            _compare(seen, watch, tournament, known.get(tournament.pk), cursor)
    return seen


def _compare(seen: ChangeSet, watch: Watch, tournament: Tournament, before: Cursor | None, cursor: Cursor) -> None:
    subject, desk_topic = topic(TOURNAMENT, tournament.pk), topic(DESK, tournament.pk)
    people = {*tournament.entrants.values_list("user", flat=True), *tournament.officials.values_list("user", flat=True)}
    topics = watch.of_users(people) | watch.subscribed([subject])
    at_desk = watch.subscribed([desk_topic])
    if not topics | at_desk:
        seen.unsubscribed.add(subject)
        return
    seen.checkpoints[subject] = cursor
    if before is None and tournament.created_at < watch.since(topics | at_desk):
        return
    after = before.version if before else 0
    rounds: set[tuple[Any, Any]] = set()
    changed = None
    for event in TournamentEvent.objects.filter(tournament=tournament, n__gt=after, n__lte=cursor.version):
        if event.kind in PUBLIC and topics:
            kind, names = PUBLIC[event.kind]
            data = {name: event.data[name] for name in names if name in event.data}
            if kind == "tournament.round":
                if (section_round := (data.get("section"), data.get("round"))) in rounds:
                    continue  # it was paired and opened at once
                rounds.add(section_round)
            seen.found.append(NewEvent(f"{subject}:{event.n}", kind, subject, event.at, topics, data))
        elif event.kind == "configured" and event.n == 1 and topics:
            found = NewEvent(
                f"{subject}:opened", "tournament.opened", subject, event.at, topics, {}, tournament.created_by_id
            )
            seen.found.append(found)
        elif event.kind not in PUBLIC:
            changed = event
        if event.kind in OF_DESK and at_desk:
            kind, names = OF_DESK[event.kind]
            data = {"what": event.kind, **{name: event.data[name] for name in names if name in event.data}}
            seen.found.append(NewEvent(f"{desk_topic}:{event.n}", kind, subject, event.at, at_desk, data))
    if changed is not None and topics:
        data = {"version": cursor.version}
        seen.found.append(
            NewEvent(f"{subject}:v{cursor.version}", "tournament.changed", subject, changed.at, topics, data)
        )
