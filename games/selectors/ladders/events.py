"""What happened on a ladder, and its seasons, for its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from games import ladder_words, ladders
from games.engine import Json
from games.errors import NotFound
from games.models import Ladder, LadderEvent, LadderSeason
from games.selectors.ladders.entries import ladder_with
from games.services.ladders import can_be_undone, config_of

MOST_MOVES = 6
PLAIN = frozenset({"joined", "left"})  # events whose sentence says enough of who moved


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody's way from one place to another; None is outside the ladder."""

    name: str
    before: int | None
    after: int | None

    @property
    def up(self) -> bool:
        return self.after is not None and (self.before is None or self.after < self.before)


@dataclass(frozen=True, slots=True)
class Told:
    """An event in one sentence, and what a director may do about it."""

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


def told(ladder: Ladder, config: ladders.Config, events: Iterable[LadderEvent]) -> list[Told]:
    """Events in words."""
    events = list(events)
    undone = undone_of(ladder)
    people = {who for event in events for who in ladder_words.players_in(event.payload)}
    names = ladder_words.Names(
        dict(User.objects.filter(pk__in=people).values_list("pk", "username")), ladder.kind, config.rule
    )
    return [_told(event, names, undone, ladder) for event in events]


def _told(event: LadderEvent, names: ladder_words.Names, undone: set[int], ladder: Ladder) -> Told:
    moved = ladder_words.moves(event.payload)
    moves = [Move(names.players.get(who, "?"), *way) for who, way in moved.items()]
    undoable = event.season == ladder.season and can_be_undone(event.type, event.payload)
    return Told(
        n=event.n,
        at=event.at,
        by=event.by.username if event.by else "",
        text=ladder_words.sentence(event.type, event.payload, names),
        moves=[] if event.type in PLAIN else sorted(moves, key=lambda move: (not move.up, move.after or 0)),
        match_id=event.match_id or event.payload.get("match_id"),
        undone=event.n in undone,
        may_undo=undoable and event.n not in undone,
        may_redo=undoable and event.n in undone,
    )


def undone_of(ladder: Ladder) -> set[int]:
    """The numbers of the events that are taken back now."""
    again = ladder.events.filter(type__in=("undo", "redo")).order_by("n").values_list("type", "payload")
    return ladders.undone({"type": type_, "undone": payload.get("undone")} for type_, payload in again)


@dataclass(frozen=True, slots=True)
class Story:
    """All events of a ladder, a page at a time."""

    ladder: Ladder
    events: QuerySet[LadderEvent]

    def told(self, events: Iterable[LadderEvent]) -> list[Told]:
        return told(self.ladder, config_of(self.ladder), events)


def story(*, ladder_id: str) -> Story:
    """Everything that happened on a ladder, the last first. Raises NotFound."""
    ladder = ladder_with(ladder_id)
    return Story(ladder, ladder.events.select_related("by").order_by("-n"))


def season(*, ladder_id: str, number: int) -> tuple[Ladder, LadderSeason, list[Json]]:
    """A season that is over: its ladder, and the rows of its final table with the player's page. Raises NotFound."""
    ladder = ladder_with(ladder_id)
    found = ladder.seasons.filter(number=number).first()
    if found is None:
        raise NotFound
    return ladder, found, [_season_row(row) for row in found.table]


def _season_row(row: Mapping[str, Any]) -> Json:
    points = row.get("points")
    return {**row, "score": ladder_words.score(points) if isinstance(points, (int, float)) else ""}
