"""What happened on a ladder, and its seasons, for its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.models import Club, User
from games.engine import Json
from games.errors import NotFound
from ladders import labels, rules
from ladders.models import Ladder, LadderEvent, LadderSeason
from ladders.selectors.entries import ladder_with
from ladders.services import can_be_undone, config_of

MOST_MOVES = 6
MOST_CHAMPIONS = 20
PLAIN = frozenset({"joined", "left"})  # events whose sentence says enough of who moved


@dataclass(frozen=True, slots=True)
class Move:
    """A player's move from one place to another; None is outside the ladder."""

    name: str
    before: int | None
    after: int | None

    @property
    def up(self) -> bool:
        return self.after is not None and (self.before is None or self.after < self.before)


@dataclass(frozen=True, slots=True)
class EventView:
    """An event in one sentence, and what a director can do about it."""

    n: int
    at: datetime
    by: str
    text: str
    moves: list[Move]
    match_id: str | None
    undone: bool
    may_undo: bool
    may_redo: bool

    @property
    def more_moves(self) -> int:
        """How many moves the page leaves out."""
        return max(0, len(self.moves) - MOST_MOVES)


def event_views(ladder: Ladder, config: rules.Config, events: Iterable[LadderEvent]) -> list[EventView]:
    """Describe events in sentences, in two queries."""
    events = list(events)
    undone = undone_of(ladder)
    people = {player for event in events for player in labels.players_in(event.payload)}
    names = labels.Names(
        dict(User.objects.filter(pk__in=people).values_list("pk", "username")), ladder.kind, config.rule
    )
    return [_event_view(event, names, undone, ladder) for event in events]


def _event_view(event: LadderEvent, names: labels.Names, undone: set[int], ladder: Ladder) -> EventView:
    moved = labels.moves(event.payload)
    moves = [Move(names.players.get(player, "?"), *places) for player, places in moved.items()]
    undoable = event.season == ladder.season and can_be_undone(event.type, event.payload)
    return EventView(
        n=event.n,
        at=event.at,
        by=event.by.username if event.by else "",
        text=labels.sentence(event.type, event.payload, names),
        moves=[] if event.type in PLAIN else sorted(moves, key=lambda move: (not move.up, move.after or 0)),
        match_id=event.match_id or event.payload.get("match_id"),
        undone=event.n in undone,
        may_undo=undoable and event.n not in undone,
        may_redo=undoable and event.n in undone,
    )


def undone_of(ladder: Ladder) -> set[int]:
    """The numbers of the events that are undone now."""
    corrections = ladder.events.filter(type__in=("undo", "redo")).order_by("n").values_list("type", "payload")
    return rules.undone({"type": type_, "undone": payload.get("undone")} for type_, payload in corrections)


@dataclass(frozen=True, slots=True)
class History:
    """All events of a ladder, to be read a page at a time."""

    ladder: Ladder
    events: QuerySet[LadderEvent]

    def views(self, events: Iterable[LadderEvent]) -> list[EventView]:
        return event_views(self.ladder, config_of(self.ladder), events)


def history(*, ladder_id: str) -> History:
    """Everything that happened on a ladder, the newest first. Raises NotFound."""
    ladder = ladder_with(ladder_id)
    return History(ladder, ladder.events.select_related("by").order_by("-n"))


def season(*, ladder_id: str, number: int) -> tuple[Ladder, LadderSeason, list[Json]]:
    """A season that is over: its ladder, and the rows of its final table with the player's page. Raises NotFound."""
    ladder = ladder_with(ladder_id)
    found = ladder.seasons.filter(number=number).first()
    if found is None:
        raise NotFound
    return ladder, found, [_season_row(row) for row in found.table]


def _season_row(row: Mapping[str, Any]) -> Json:
    points = row.get("points")
    return {**row, "score": labels.score(points) if isinstance(points, (int, float)) else ""}


def seasons_of_club(club: Club) -> QuerySet[LadderSeason]:
    """The seasons of a club's ladders that are over, the newest first."""
    return LadderSeason.objects.filter(ladder__club=club).select_related("ladder").order_by("-ended_at", "pk")


def champions_of_club(club: Club) -> list[tuple[LadderSeason, Json]]:
    """The last seasons of a club's ladders, each with the first row of its final table."""
    return [(season, season.table[0]) for season in seasons_of_club(club)[:MOST_CHAMPIONS] if season.table]
