"""The log of events as one listener hears it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from accounts.models import User
from games.models import Seat
from hooks.hearing import audible
from hooks.kinds import LADDER, MATCH, TOURNAMENT, parted
from hooks.models import Clerk, Event, Heard
from tournaments.models import Entrant

Told = dict[str, Any]
CLIMBERS = ("challenger", "defender", "winner", "loser")
PATHS = {MATCH: "/match/{}/", TOURNAMENT: "/tournaments/{}/", LADDER: "/ladders/{}/"}


def last_number() -> int:
    """The number of the last event in the log."""
    return Clerk.objects.filter(pk=1).values_list("number", flat=True).first() or 0


def first_number() -> int:
    """The number of the oldest event that is kept; one more than the last where none is."""
    first = Event.objects.values_list("number", flat=True).order_by("number").first()
    return first if first is not None else last_number() + 1


def topics_between(after: int, up_to: int) -> set[str]:
    """The topics of the events with numbers after one and up to another."""
    rows = Heard.objects.filter(event__gt=after, event__lte=up_to).order_by()
    return set(rows.values_list("topic", flat=True).distinct())


def events_after(
    user: User, topics: Iterable[str], *, after: int, kinds: Collection[str] = (), most: int = 100
) -> tuple[list[Told], int]:
    """What this person hears under these topics after a number, told, and up to which number that is all there is.

    Whether he may is asked now. One look reads a bounded piece of the log: who gets less than `most` and a number below
    the last one asks again.
    """
    last = last_number()
    heard = Heard.objects.filter(topic__in=audible(user, topics), event__gt=after, event__lte=last)
    if kinds:
        heard = heard.filter(event__kind__in=kinds)
    numbers = list(heard.order_by("event").values_list("event", flat=True).distinct()[:most])
    events = list(Event.objects.filter(number__in=numbers).select_related("by").order_by("number"))
    return told(events), events[-1].number if len(events) == most else max(last, after)


def told(events: Sequence[Event]) -> list[Told]:
    """Events as programs read them, with the names of those whom they concern: three queries at most."""
    named = _Named(events)
    return [_one(event, named) for event in events]


class _Named:
    """The names of those whom events concern: at the tables, in tournaments, on ladders."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.players = _players({about for kind, about in map(_about, events) if kind == MATCH})
        self.entrants = _entrants(events)
        climbers = {pk for event in events for pk in _climbers(event).values()}
        rows = User.objects.filter(pk__in=climbers).values_list("pk", "username") if climbers else ()
        self.climbers: dict[int, str] = dict(rows)


def _one(event: Event, named: _Named) -> Told:
    kind, about = _about(event)
    data: dict[str, Any] = dict(event.data)
    if kind == MATCH:
        data["players"] = named.players.get(about, {})
    if kind == TOURNAMENT and (of := _numbers(event)):
        data["entrants"] = {str(one): named.entrants.get((about, one), "") for one in of}
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
    return parted(event.subject)


def _players(ids: Collection[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for seat in Seat.objects.filter(match__in=ids).select_related("user") if ids else ():
        found[seat.match_id][seat.side] = seat.name
    return found


def _numbers(event: Event) -> list[int]:
    """The entrants that an event of a tournament names."""
    named = event.data.get("of") or [event.data.get("entrant")]
    return [one for one in named if isinstance(one, int)]


def _climbers(event: Event) -> dict[str, int]:
    """The people whom an event of a ladder names by their numbers, which are nobody's business."""
    if _about(event)[0] != LADDER:
        return {}
    return {name: event.data[name] for name in CLIMBERS if isinstance(event.data.get(name), int)}


def _entrants(events: Iterable[Event]) -> dict[tuple[str, int], str]:
    wanted: dict[str, set[int]] = defaultdict(set)
    for event in events:
        kind, about = _about(event)
        if kind == TOURNAMENT:
            wanted[about].update(_numbers(event))
    numbers = {one for some in wanted.values() for one in some}
    if not numbers:
        return {}
    rows = Entrant.objects.filter(tournament__in=wanted, number__in=numbers).select_related("user")
    return {(one.tournament_id, one.number): one.name for one in rows}
