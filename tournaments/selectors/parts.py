"""The parts of a tournament's page: brackets as columns, tables with their rounds, cross tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games import words as play_words
from tournaments.fold import State
from tournaments.formats.core import Pairing, Standing
from tournaments.models import Meeting
from tournaments.selectors import grids, words
from tournaments.selectors.cards import Card, Sheet, by_round
from tournaments.selectors.grids import MOST_CELLS, Cell

BRACKETS = frozenset(("main", "consolation", "last", "losers", "final"))
MOST_CARDS = 1000  # on a page at once


@dataclass(frozen=True, slots=True)
class Column:
    """One round. `places` are its cards from top to bottom with None where there is none; of a round that is `later`
    they are fetched when somebody wants them.

    `link` says how lines lead to the next round: "merge" two to one, "straight" one to one, "" not at all.
    """

    round: int
    title: str
    anchor: str
    note: str
    places: tuple[Card | None, ...]
    link: str = ""
    later: bool = False

    @property
    def cards(self) -> list[Card]:
        return [card for card in self.places if card is not None]

    @property
    def first(self) -> str:
        """The anchor of its first card."""
        return next((card.key for card in self.cards), "")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table."""

    standing: Standing
    name: str
    url: str
    values: tuple[str, ...]
    note: str
    mine: bool
    looked_for: bool
    cells: tuple[Cell, ...] = ()  # of the grid


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the page: `kind` bracket, table or cross.

    `grid` is who met whom: a column each player in the standings of a cross table, in a table of its own a column each
    round; `grid_later` where it is so large that it is fetched when somebody wants it.
    """

    key: str
    kind: str
    title: str
    columns: tuple[Column, ...] = ()
    lines: tuple[Line, ...] = ()
    heads: tuple[tuple[str, str], ...] = ()  # of the tie-breaks: short, long
    grid: tuple[tuple[str, str], ...] = ()  # its heads
    grid_later: bool = False
    grid_asked: bool = False

    @property
    def anchor(self) -> str:
        return f"section-{self.key}"

    @property
    def template(self) -> str:
        return "tournaments/_bracket.html" if self.kind == "bracket" else "tournaments/_table.html"

    @property
    def grid_anchor(self) -> str:
        return f"grid-{self.key}"

    @property
    def grid_apart(self) -> bool:
        """Whether the grid is a table of its own, below the standings."""
        return bool(self.grid) and (self.kind == "table" or self.grid_asked)

    @property
    def rounds(self) -> tuple[Column, ...]:
        """The rounds below a table: those that are paired while the tournament runs with the last one first."""
        return self.columns[::-1] if self.kind == "table" else self.columns


def parts(sheet: Sheet) -> list[Part]:
    """The sections of a drawn tournament, in the order of their format."""
    if not sheet.state.order:
        return []
    sections: dict[str, list[Pairing]] = {}
    for pairing in sheet.state.pairings:
        sections.setdefault(pairing.section, []).append(pairing)
    if not sections and sheet.state.format.sections == "table":
        sections[sheet.state.format.key] = []
    return [_part(sheet, key, pairings) for key, pairings in sections.items()]


def _part(sheet: Sheet, key: str, pairings: Sequence[Pairing]) -> Part:
    state = sheet.state
    config = state.rules.config
    title = words.section(key, config)
    if key in BRACKETS:
        return Part(key, "bracket", title, _columns(sheet, key, by_round(sheet.card(pairing) for pairing in pairings)))
    table = state.format.sections == "table"
    lines = tuple(_line(sheet, one) for one in state.standings if one.section == key or (table and not one.section))
    heads = tuple(
        (words.named(words.TIE_BREAK_HEADS, name), words.named(words.TIE_BREAKS, name)) for name in config.tie_breaks
    )
    part = Part(key, "table" if table else "cross", title, _list(sheet, key, pairings), lines, heads)
    return _with_grid(sheet, part, pairings)


def _with_grid(sheet: Sheet, part: Part, pairings: Sequence[Pairing]) -> Part:
    """The same part with its grid, or with the way to it."""
    players = [line.standing.entrant for line in part.lines]
    rounds = grids.titles(pairings)
    asked = part.grid_anchor in sheet.asked
    if not pairings or (len(players) * len(rounds if part.kind == "table" else players) > MOST_CELLS and not asked):
        return replace(part, grid_later=bool(pairings))
    if part.kind == "table":
        cells, heads = grids.by_rounds(sheet, players, pairings), rounds
    else:
        cells, heads = grids.crossed(sheet, players, pairings), grids.name_heads([line.name for line in part.lines])
    lines = tuple(replace(line, cells=cells[line.standing.entrant]) for line in part.lines)
    return replace(part, lines=lines, grid=heads, grid_asked=asked)


def _columns(sheet: Sheet, key: str, rounds: dict[int, list[Card]]) -> tuple[Column, ...]:
    """The rounds of a bracket, each with as many places as it needs to stand beside its neighbours."""
    shown = {number: there for number, cards in rounds.items() if (there := [c for c in cards if c.state != "void"])}
    sizes = {number: max(card.number for card in rounds[number]) for number in shown}
    names = words.rounds(key, sizes)
    columns = []
    for number, cards in shown.items():
        at = {card.number: card for card in cards}
        after = sizes.get(number + 1)
        link = "straight" if after == sizes[number] else "merge" if after and 2 * after == sizes[number] else ""
        places = tuple(at.get(place) for place in range(1, sizes[number] + 1))
        columns.append(Column(number, names[number], f"{key}-{number}", _length(sheet, key, number), places, link))
    return tuple(columns)


def _list(sheet: Sheet, key: str, pairings: Sequence[Pairing]) -> tuple[Column, ...]:
    def note(number: int) -> str:
        return " · ".join(part for part in (_length(sheet, key, number), _until(sheet, key, number)) if part)

    cards = by_round(sheet.card(pairing) for pairing in pairings if sheet.shows(key, pairing.round))
    return tuple(
        Column(
            number,
            _("Round %(n)s") % {"n": number},
            f"{key}-{number}",
            note(number),
            tuple(cards.get(number, ())),
            later=not sheet.shows(key, number),
        )
        for number in sorted({pairing.round for pairing in pairings})
    )


def rounds_shown(state: State, asked: Collection[str] = ()) -> frozenset[tuple[str, int]] | None:
    """The rounds whose pairings a page shows at once: None for all of them, as long as they are not too many.

    Of a large table that is the round in play and the next one (the last two of those that are over), and the rounds
    that are `asked` for, as `league-5`.
    """
    if len(state.pairings) <= MOST_CARDS:
        return None
    rounds: dict[str, list[int]] = {}
    current: dict[str, int] = {}
    for pairing in state.pairings:
        numbers = rounds.setdefault(pairing.section, [])
        if not numbers or numbers[-1] != pairing.round:
            numbers.append(pairing.round)
        if pairing.state in ("ready", "waiting"):
            current.setdefault(pairing.section, pairing.round)
    shown = set()
    for section, numbers in rounds.items():
        first = current.get(section, numbers[-1] - 1)
        shown |= {
            (section, number)
            for number in numbers
            if section in BRACKETS or number in (first, first + 1) or f"{section}-{number}" in asked
        }
    return frozenset(shown)


def _until(sheet: Sheet, key: str, round_: int) -> str:
    """Until when a round is played, if that is the same for all of it."""
    dues = {
        meeting.due_at
        for meeting in sheet.meetings.values()
        if (meeting.section, meeting.round, meeting.state) == (key, round_, Meeting.State.READY)
    }
    due = dues.pop() if len(dues) == 1 else None
    return _("until %(moment)s") % {"moment": words.moment(due, sheet.zone)} if due else ""


def _length(sheet: Sheet, key: str, round_: int) -> str:
    return play_words.length(sheet.state.rules.length(key, round_))


def _line(sheet: Sheet, standing: Standing) -> Line:
    entrant = sheet.entrants[standing.entrant]
    return Line(
        standing=standing,
        name=entrant.name,
        url=sheet.url(standing.entrant),
        values=tuple(words.number(value) for _name, value in standing.values),
        note=words.named(words.NOTES, standing.note) if standing.note else "",
        mine=standing.entrant == sheet.mine,
        looked_for=standing.entrant == sheet.looked_for,
    )


def champions(sheet: Sheet) -> list[str]:
    """Who won, once everything is played; of a league the first of its first division.

    Nobody did where both lost the final.
    """
    if sheet.state.phase != "over" or not sheet.state.standings or sheet.state.standings[0].place != 1:
        return []
    first = sheet.state.standings[0]
    return [
        sheet.name(one.entrant)
        for one in sheet.state.standings
        if one.place == first.place and one.section == first.section
    ]


def finish(sheet: Sheet) -> tuple[Line, ...]:
    """The order of finish of a bracket, as far as it is known."""
    if sheet.state.phase != "over" or not sheet.state.order or sheet.state.format.sections != "bracket":
        return ()
    return tuple(_line(sheet, standing) for standing in sheet.state.standings)
