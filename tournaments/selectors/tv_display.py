"""The TV display of a tournament: panels one after the other, each readable from five metres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.database import now
from tournaments.formats.core import Key
from tournaments.models import TournamentEvent
from tournaments.part_keys import fixture_key
from tournaments.selectors.pairing_cards import PairingCard
from tournaments.selectors.sections import RoundColumn, SectionView, StandingsRow
from tournaments.selectors.tournament_page import Announcement, TournamentPage, tournament_page

MOST_PAIRINGS = 8  # per panel, in two columns
MOST_LINES = 8
MOST_RESULTS = 8
MOST_NAMES = 24
TREE_ROUNDS, TREE_ROWS = 3, 4
LONGEST_ANNOUNCEMENT = 240
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: `kind` says how it is drawn - matches, tree, table, announcement, names or champion."""

    key: str
    kind: str
    title: str
    cards: Sequence[PairingCard] = ()
    columns: Sequence[RoundColumn] = ()
    lines: Sequence[StandingsRow] = ()
    heads: Sequence[tuple[str, str]] = ()
    names: Sequence[str] = ()
    announcement: Announcement | None = None


@dataclass(frozen=True)
class TvDisplay:
    """The TV display; `next_event` (a start, break or round) is at `next_event_at`."""

    view: TournamentPage
    result_keys: list[Key]
    next_event: str = ""
    next_event_at: datetime | None = None
    panels: list[Panel] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "panels", list(_panels(self)))


def tv_display(tournament_id: str) -> TvDisplay:
    """The TV display of a tournament. Raises NotFound."""
    view = tournament_page(tournament_id=tournament_id, user=None)
    results = TournamentEvent.objects.filter(tournament=tournament_id, kind="result").order_by("-n")
    keys = [fixture_key(data.get("key", "")) for data in results.values_list("data", flat=True)[: 4 * MOST_RESULTS]]
    next_event, until = _next_start(view)
    return TvDisplay(view, list(dict.fromkeys(keys)), next_event, until)


def _next_start(view: TournamentPage) -> tuple[str, datetime | None]:
    """The next event and its time; ("", None) for none."""
    tournament = view.tournament
    if view.state.phase in ("open", "drawn") and tournament.starts_at and tournament.starts_at > now():
        return _("Start"), tournament.starts_at
    if view.state.phase == "running" and view.state.current_break is not None:
        return pgettext("of a tournament", "Break"), tournament.break_ends_at
    if view.arena_clock is not None:
        return _("Pairing ends"), view.arena_clock.ends_at
    if view.state.phase == "running":
        due = tournament.round_rows.filter(open_at__gt=now()).order_by("open_at").values_list("open_at", flat=True)
        if (at := due.first()) is not None:
            return _("Next round"), at
    return "", None


def _panels(display: TvDisplay) -> Iterator[Panel]:
    view = display.view
    if view.champions:
        yield Panel("champion", "champion", _("Winner of the tournament"), names=view.champions)
    if view.announcements:
        yield Panel("announcement", "announcement", _("Announcements"), announcement=view.announcements[0])
    if not view.sections:
        names = [entrant.name for entrant in view.entrants if entrant.plays]
        for number, some_names in _chunks(names, MOST_NAMES):
            title = _("Teams") if view.of_teams else _("Players")
            yield Panel(f"names-{number}", "names", title, names=some_names)
    columns = (card for part in view.sections for column in part.columns for card in column.cards)
    cards = view.live_cards if view.state.pairs_free_players else columns
    unplayed = [part for card in cards for part in card.boards or (card,) if _is_open(part)]
    unplayed.sort(key=lambda card: not card.live)
    for number, chunk in _chunks(unplayed, MOST_PAIRINGS):
        yield Panel(f"now-{number}", "matches", pgettext("screen", "Now"), cards=chunk)
    for part in view.sections:
        yield from _bracket_panels(part) if part.kind == "bracket" else _table_panels(part)
    snapshot = view.snapshot
    done = (snapshot.state.fixture_by_key.get(key) for key in display.result_keys)
    results = [snapshot.card(pairing) for pairing in done if pairing is not None and pairing.state == "done"][
        :MOST_RESULTS
    ]
    if results:
        yield Panel("results", "matches", _("Latest results"), cards=results)


def _is_open(card: PairingCard) -> bool:
    return card.state in ("ready", "live", "reported")


def _bracket_panels(part: SectionView) -> Iterator[Panel]:
    """The rounds of a bracket from the current one on, once they are small enough to be read."""
    shown = [column for column in part.columns if column.cards and len(column.places) <= TREE_ROWS]
    first = next(
        (index for index, column in enumerate(shown) if any(not _settled(card) for card in column.cards)), len(shown)
    )
    begin = max(0, min(first, len(shown) - TREE_ROUNDS))
    if shown:
        yield Panel(f"tree-{part.key}", "tree", part.title, columns=shown[begin : begin + TREE_ROUNDS])


def _settled(card: PairingCard) -> bool:
    return card.state in ("done", "bye", "absent", "void")


def _table_panels(part: SectionView) -> Iterator[Panel]:
    if part.score:
        yield Panel(f"score-{part.key}", "champion", part.title, names=[part.score])
    for number, chunk in _chunks(part.standings, MOST_LINES):
        yield Panel(f"table-{part.key}-{number}", "table", part.title, lines=chunk, heads=part.tie_break_heads[:2])


def _chunks(items: Sequence[Item], most: int) -> Iterator[tuple[int, Sequence[Item]]]:
    """Split into chunks of at most `most` items and about equal size, numbered from 1."""
    count = -(-len(items) // most)
    for number in range(count):
        yield number + 1, items[len(items) * number // count : len(items) * (number + 1) // count]
