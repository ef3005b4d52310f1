"""The screen on the wall of the club: panels one after the other, each with what can be read from five metres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

import qrcode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.database import now
from tournaments.formats.core import Key
from tournaments.models import TournamentEvent
from tournaments.selectors.cards import Card
from tournaments.selectors.pages import Said, View, page
from tournaments.selectors.parts import Column, Line, Part

MOST_PAIRINGS = 8  # on a panel, in two columns
MOST_LINES = 8
MOST_RESULTS = 8
MOST_NAMES = 24
TREE_ROUNDS, TREE_ROWS = 3, 4
LONGEST_SAID = 240
Thing = TypeVar("Thing")
QUIET = 2  # modules around a QR code that scanners need, at least


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: `kind` says how it is drawn - matches, tree, table, said, names or champion."""

    key: str
    kind: str
    title: str
    cards: Sequence[Card] = ()
    columns: Sequence[Column] = ()
    lines: Sequence[Line] = ()
    heads: Sequence[tuple[str, str]] = ()
    names: Sequence[str] = ()
    said: Said | None = None


@dataclass(frozen=True)
class Screen:
    """All of it. `until` is when the next thing begins, which is `what`."""

    view: View
    latest: list[Key]
    what: str = ""
    until: datetime | None = None
    panels: list[Panel] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "panels", list(_panels(self)))


def screen(tournament_id: str) -> Screen:
    """Raises NotFound."""
    view = page(tournament_id=tournament_id, user=None)
    told = TournamentEvent.objects.filter(tournament=tournament_id, kind="result").order_by("-n")
    keys = [data.get("key", "") for data in told.values_list("data", flat=True)[: 4 * MOST_RESULTS]]
    what, until = _next(view)
    return Screen(view, list(dict.fromkeys(keys)), what, until)


def _next(view: View) -> tuple[str, datetime | None]:
    """What begins next, and when."""
    tournament = view.tournament
    if view.state.phase in ("open", "drawn") and tournament.starts_at and tournament.starts_at > now():
        return _("Start"), tournament.starts_at
    if view.state.phase == "running" and view.state.recess is not None:
        return pgettext("of a tournament", "Break"), tournament.recess_at
    if view.state.phase == "running":
        due = tournament.round_rows.filter(open_at__gt=now()).order_by("open_at").values_list("open_at", flat=True)
        if (at := due.first()) is not None:
            return _("Next round"), at
    return "", None


def _panels(screen: Screen) -> Iterator[Panel]:
    view = screen.view
    if view.champions:
        yield Panel("champion", "champion", _("Winner of the tournament"), names=view.champions)
    if view.said:
        yield Panel("said", "said", _("Announcements"), said=view.said[0])
    if not view.parts:
        names = [one.name for one in view.entrants if one.plays]
        for number, named in _chunks(names, MOST_NAMES):
            yield Panel(f"names-{number}", "names", _("Players"), names=named)
    going = [card for part in view.parts for column in part.columns for card in column.cards if _going(card)]
    going.sort(key=lambda card: not card.live)
    for number, some in _chunks(going, MOST_PAIRINGS):
        yield Panel(f"now-{number}", "matches", pgettext("screen", "Now"), cards=some)
    for part in view.parts:
        yield from _tree(part) if part.kind == "bracket" else _table(part)
    sheet = view.sheet
    done = (sheet.state.by_key.get(key) for key in screen.latest)
    results = [sheet.card(one) for one in done if one is not None and one.state == "done"][:MOST_RESULTS]
    if results:
        yield Panel("results", "matches", _("Latest results"), cards=results)


def _going(card: Card) -> bool:
    return card.state in ("ready", "live", "told")


def _tree(part: Part) -> Iterator[Panel]:
    """The rounds of a bracket from where it is played now, once they are few enough to be read."""
    there = [column for column in part.columns if column.cards and len(column.places) <= TREE_ROWS]
    first = next((at for at, one in enumerate(there) if any(not _settled(card) for card in one.cards)), len(there))
    at = max(0, min(first, len(there) - TREE_ROUNDS))
    if there:
        yield Panel(f"tree-{part.key}", "tree", part.title, columns=there[at : at + TREE_ROUNDS])


def _settled(card: Card) -> bool:
    return card.state in ("done", "bye", "void")


def _table(part: Part) -> Iterator[Panel]:
    for number, some in _chunks(part.lines, MOST_LINES):
        yield Panel(f"table-{part.key}-{number}", "table", part.title, lines=some, heads=part.heads[1:3])


def _chunks(things: Sequence[Thing], most: int) -> Iterator[tuple[int, Sequence[Thing]]]:
    """Parts of at most so many, all about as large, with their numbers from 1."""
    count = -(-len(things) // most)
    for number in range(count):
        yield number + 1, things[len(things) * number // count : len(things) * (number + 1) // count]


def qr_path(address: str) -> tuple[int, str]:
    """A QR code: how many modules its side has, and the dark ones as the path of an SVG."""
    code = qrcode.QRCode(border=QUIET)
    code.add_data(address)
    rows = code.get_matrix()
    dark = ((x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell)
    return len(rows), "".join(f"M{x} {y}h1v1h-1z" for x, y in dark)
