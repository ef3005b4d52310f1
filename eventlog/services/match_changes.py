"""New events of matches: each subscribed match is compared with its checkpoint."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from eventlog.kinds import MATCH, topic
from eventlog.models import Checkpoint
from eventlog.services.changes import SLACK, ChangeSet, Cursor, NewEvent, Watch
from games.models import Match, Seat

GOING = (Match.Status.OPEN, Match.Status.LIVE)
PREFIX = f"{MATCH}:"


def match_changes(watch: Watch, moment: datetime) -> ChangeSet:
    """The events of all matches that are listened to. Only the rows of those that changed are read as a whole."""
    known = {
        checkpoint.subject.removeprefix(PREFIX): Cursor(checkpoint.version, checkpoint.status)
        for checkpoint in Checkpoint.objects.filter(subject__startswith=PREFIX, status__in=GOING)
    }
    ids = _listened(watch)
    seen = ChangeSet()
    rows = Match.objects.filter(pk__in=ids, source="").values_list("pk", "version", "status")
    present = {pk: Cursor(version, status) for pk, version, status in rows}
    unknown = {topic(MATCH, match_id) for match_id in present.keys() - known.keys()}
    for checkpoint in Checkpoint.objects.filter(subject__in=unknown):
        known[checkpoint.subject.removeprefix(PREFIX)] = Cursor(checkpoint.version, checkpoint.status)
    changed = {pk for pk, cursor in present.items() if known.get(pk) != cursor}
    changed |= known.keys() - ids  # cancelled, or nobody listens any more
    for match in Match.objects.filter(pk__in=changed).prefetch_related("seats").order_by("created_at", "pk"):
        _compare(seen, watch, match, known.get(match.pk), moment)
    return seen


def _listened(watch: Watch) -> set[str]:
    """Return the subscribed matches: those of subscribed users, live or just over, and those requested by id."""
    ids = set(watch.ids[MATCH])
    if watch.users:
        seats = Seat.objects.filter(user__in=watch.users)
        ids.update(seats.filter(ended_at=None, match__status__in=GOING).values_list("match", flat=True))
        ids.update(seats.filter(ended_at__gte=watch.compared_at - SLACK).values_list("match", flat=True))
        invited = Match.objects.filter(invited__in=watch.users, status=Match.Status.OPEN)
        ids.update(invited.values_list("pk", flat=True))
    return ids


def _compare(seen: ChangeSet, watch: Watch, match: Match, before: Cursor | None, moment: datetime) -> None:
    """What happened to one match since `before`; the log of a match begins with its first subscription."""
    people = [seat.user_id for seat in match.seats.all()]
    topics = watch.of_users({*people, match.creator_id, match.invited_id}) | watch.subscribed([topic(MATCH, match.pk)])
    cursor = Cursor(match.version, match.status)
    if not topics:
        seen.unsubscribed.add(topic(MATCH, match.pk))
        return
    if cursor == before:
        return
    seen.checkpoints[topic(MATCH, match.pk)] = cursor
    if before is None and match.created_at < watch.since(topics):
        return
    for kind, at, data, by in _steps(match, before, cursor, moment):
        to = watch.of_users([match.invited_id]) if kind == "challenge" else topics
        name = f"{data['version']}" if kind == "match.acted" else kind
        if to:
            seen.found.append(NewEvent(f"{MATCH}:{match.pk}:{name}", kind, topic(MATCH, match.pk), at, to, data, by))


Step = tuple[str, datetime, dict[str, Any], int | None]


def _steps(match: Match, before: Cursor | None, cursor: Cursor, moment: datetime) -> Iterator[Step]:
    status = before.status if before else ""
    if before is None:
        terms: dict[str, Any] = {
            "variant": match.variant,
            "length": match.length,
            "clock": match.clock_preset,
            "rated": match.rated,
            "arranged": match.arranged,
        }
        yield "match.created", match.created_at, terms, match.creator_id
        if match.invited_id is not None and not match.arranged and cursor.status == Match.Status.OPEN:
            yield "challenge", match.created_at, terms, match.creator_id
    if match.started_at is not None and status in ("", Match.Status.OPEN):
        yield "match.started", match.started_at, {}, None
    if cursor.version > (before.version if before else 0):
        yield "match.acted", match.ended_at or moment, {"version": cursor.version}, None
    if cursor.status == Match.Status.OVER and status != Match.Status.OVER:
        points = {seat.side: seat.points for seat in match.seats.all()}
        data = {"winner": match.winner or None, "by": match.ended_by, "points": points, "version": cursor.version}
        yield "match.finished", match.ended_at or moment, data, None
    if cursor.status == Match.Status.CANCELLED and status != Match.Status.CANCELLED:
        yield "match.cancelled", moment, {}, None
