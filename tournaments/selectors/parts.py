"""The parts of a tournament's page: brackets as columns, tables with their rounds, cross tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games import words as play_words
from tournaments.formats.core import Pairing, Standing
from tournaments.models import Meeting
from tournaments.selectors import words
from tournaments.selectors.cards import Card, Sheet, Side, by_round

BRACKETS = frozenset(("main", "consolation", "last", "losers", "final"))


@dataclass(frozen=True, slots=True)
class Column:
    """One round. `places` are its cards from top to bottom with None where there is none.

    `link` says how lines lead to the next round: "merge" two to one, "straight" one to one, "" not at all.
    """

    round: int
    title: str
    anchor: str
    note: str
    places: tuple[Card | None, ...]
    link: str = ""

    @property
    def cards(self) -> list[Card]:
        return [card for card in self.places if card is not None]

    @property
    def first(self) -> str:
        """The anchor of its first card."""
        return next((card.key for card in self.cards), "")


@dataclass(frozen=True, slots=True)
class Played:
    """What stands in a cell of a cross table, seen from the player of its row."""

    card: Card
    text: str
    state: str  # "won", "lost", "live" or ""


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
    cells: tuple[tuple[Played, ...] | None, ...] = ()  # of a cross table; None on the diagonal


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the page: `kind` bracket, table or cross."""

    key: str
    kind: str
    title: str
    columns: tuple[Column, ...] = ()
    lines: tuple[Line, ...] = ()
    heads: tuple[tuple[str, str], ...] = ()  # of the tie-breaks: short, long

    @property
    def anchor(self) -> str:
        return f"section-{self.key}"

    @property
    def template(self) -> str:
        return "tournaments/_bracket.html" if self.kind == "bracket" else "tournaments/_table.html"

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
    rounds = by_round(sheet.card(pairing) for pairing in pairings)
    if key in BRACKETS:
        return Part(key, "bracket", title, _columns(sheet, key, rounds))
    table = state.format.sections == "table"
    lines = tuple(_line(sheet, one) for one in state.standings if one.section == key or (table and not one.section))
    heads = tuple(
        (words.named(words.TIE_BREAK_HEADS, name), words.named(words.TIE_BREAKS, name)) for name in config.tie_breaks
    )
    if not table:
        lines = _crossed(lines, [card for cards in rounds.values() for card in cards])
    return Part(key, "table" if table else "cross", title, _list(sheet, key, rounds), lines, heads)


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


def _list(sheet: Sheet, key: str, rounds: dict[int, list[Card]]) -> tuple[Column, ...]:
    def note(number: int) -> str:
        return " · ".join(part for part in (_length(sheet, key, number), _until(sheet, key, number)) if part)

    return tuple(
        Column(number, _("Round %(n)s") % {"n": number}, f"{key}-{number}", note(number), tuple(cards))
        for number, cards in rounds.items()
    )


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


def _crossed(lines: tuple[Line, ...], cards: Sequence[Card]) -> tuple[Line, ...]:
    """The same lines with what each player did against each other one, in the order of the lines."""
    met: dict[tuple[int, int], list[Played]] = {}
    for card in cards:
        if card.a.number is None or card.b.number is None:
            continue
        for own, other in ((card.a, card.b), (card.b, card.a)):
            met.setdefault((own.number or 0, other.number or 0), []).append(_played(card, own, other))
    numbers = [line.standing.entrant for line in lines]
    return tuple(
        replace(
            line,
            cells=tuple(
                None if other == line.standing.entrant else tuple(met.get((line.standing.entrant, other), ()))
                for other in numbers
            ),
        )
        for line in lines
    )


def _played(card: Card, own: Side, other: Side) -> Played:
    if card.state == "done":
        text = f"{own.points}–{other.points}" if own.points else ("+" if own.won else "−")
        return Played(card, text, "won" if own.won else "lost")
    return Played(card, f"{own.points}–{other.points}" if card.live else "", "live" if card.live else "")


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
