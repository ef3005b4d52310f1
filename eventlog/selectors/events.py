"""The event log as one reader sees it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from accounts.models import User
from eventlog.kinds import LADDER, MATCH, TOURNAMENT, split_topic
from eventlog.models import Event, EventLog, Topic
from eventlog.visibility import permitted_topics
from games.models import Seat
from tournaments.models import Entrant

SerializedEvent = dict[str, Any]
CLIMBERS = ("challenger", "defender", "winner", "loser")
PATHS = {MATCH: "/match/{}/", TOURNAMENT: "/tournaments/{}/", LADDER: "/ladders/{}/"}


def last_number() -> int:
    """The number of the last event in the log."""
    return EventLog.objects.filter(pk=1).values_list("number", flat=True).first() or 0


def first_number() -> int:
    """The number of the oldest event that is kept; one more than the last where none is."""
    first = Event.objects.values_list("number", flat=True).order_by("number").first()
    return first if first is not None else last_number() + 1


def topics_between(after: int, up_to: int) -> set[str]:
    """The topics of the events with numbers after one and up to another."""
    rows = Topic.objects.filter(event__gt=after, event__lte=up_to).order_by()
    return set(rows.values_list("topic", flat=True).distinct())


def events_after(
    user: User, topics: Iterable[str], *, after: int, kinds: Collection[str] = (), most: int = 100
) -> tuple[list[SerializedEvent], int]:
    """Return the events of these topics after a number that this user may see, and the number up to which that is all.

    Permission is checked now. One call reads a bounded piece of the log: a reader who gets less than `most` and a
    number below the last one asks again.
    """
    last = last_number()
    visible = Topic.objects.filter(topic__in=permitted_topics(user, topics), event__gt=after, event__lte=last)
    if kinds:
        visible = visible.filter(event__kind__in=kinds)
    numbers = list(visible.order_by("event").values_list("event", flat=True).distinct()[:most])
    events = list(Event.objects.filter(number__in=numbers).select_related("by").order_by("number"))
    return serialize_events(events), events[-1].number if len(events) == most else max(last, after)


def serialize_events(events: Sequence[Event]) -> list[SerializedEvent]:
    """Return events as JSON, with the names of the people they concern: three queries at most."""
    named = _Named(events)
    return [_serialize(event, named) for event in events]


class _Named:
    """The names of the people that events concern: in matches, in tournaments, on ladders."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.players = _players({about for kind, about in map(_about, events) if kind == MATCH})
        self.entrants = _entrants(events)
        climbers = {pk for event in events for pk in _climbers(event).values()}
        rows = User.objects.filter(pk__in=climbers).values_list("pk", "username") if climbers else ()
        self.climbers: dict[int, str] = dict(rows)


def _serialize(event: Event, named: _Named) -> SerializedEvent:
    kind, about = _about(event)
    data: dict[str, Any] = dict(event.data)
    if kind == MATCH:
        data["players"] = named.players.get(about, {})
    if kind == TOURNAMENT and (of := _numbers(event)):
        data["entrants"] = {str(number): named.entrants.get((about, number), "") for number in of}
    data |= {name: named.climbers.get(pk) for name, pk in _climbers(event).items()}
    url = data.pop("url", "") or (PATHS[kind].format(about) if kind in PATHS else "")
    return {
        "number": event.number,
        "kind": event.kind,
        "subject": event.subject,
        "at": event.at.isoformat(),
        "by": event.by.username if event.by is not None else None,
        "url": url,
        "data": data,
    }


def _about(event: Event) -> tuple[str, str]:
    return split_topic(event.subject)


def _players(ids: Collection[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for seat in Seat.objects.filter(match__in=ids).select_related("user") if ids else ():
        found[seat.match_id][seat.side] = seat.name
    return found


def _numbers(event: Event) -> list[int]:
    """The entrants that an event of a tournament names."""
    named = event.data.get("of") or [event.data.get("entrant")]
    return [number for number in named if isinstance(number, int)]


def _climbers(event: Event) -> dict[str, int]:
    """Return the user ids in a ladder event, which are replaced by names."""
    if _about(event)[0] != LADDER:
        return {}
    return {name: event.data[name] for name in CLIMBERS if isinstance(event.data.get(name), int)}


def _entrants(events: Iterable[Event]) -> dict[tuple[str, int], str]:
    wanted: dict[str, set[int]] = defaultdict(set)
    for event in events:
        kind, about = _about(event)
        if kind == TOURNAMENT:
            wanted[about].update(_numbers(event))
    numbers = {number for of_tournament in wanted.values() for number in of_tournament}
    if not numbers:
        return {}
    rows = Entrant.objects.filter(tournament__in=wanted, number__in=numbers).select_related("user")
    return {(entrant.tournament_id, entrant.number): entrant.name for entrant in rows}
