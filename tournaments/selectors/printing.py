"""Sheets to print: brackets cut into pages, standings, result slips, lists of entrants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from games import labels as game_labels
from tournaments.models import Entrant
from tournaments.selectors.pairing_cards import PairingCard
from tournaments.selectors.sections import RoundColumn, SectionView
from tournaments.selectors.tournament_page import TournamentPage, tournament_page
from tournaments.without_accents import without_accents

SheetKind = Literal["draw", "slips", "entrants", "poster"]
MOST_ROWS = 16  # pairings of the first round on a page
MOST_COLUMNS = 5  # rounds side by side
MOST_CROSSTABLE_COLUMNS = 24  # columns of a crosstable on a page; a larger one is not printed


@dataclass(frozen=True, slots=True)
class BracketPage:
    """Some rounds of a bracket on one page, the `number`-th of `count` pages of its section."""

    title: str
    columns: tuple[RoundColumn, ...]
    number: int = 1
    count: int = 1


@dataclass(frozen=True, slots=True)
class ResultSlip:
    """A slip for the players of a pairing to fill in."""

    card: PairingCard
    round: str
    length: str


@dataclass(frozen=True)
class PrintedSheets:
    """The sheets of a tournament."""

    view: TournamentPage
    kind: SheetKind

    @property
    def brackets(self) -> list[BracketPage]:
        """The brackets, section by section."""
        return [page for part in self.view.sections if part.kind == "bracket" for page in bracket_pages(part)]

    @property
    def tables(self) -> list[tuple[SectionView, bool]]:
        """The tables, and whether the crosstable of each fits on the page."""
        return [
            (part, 0 < len(part.crosstable_heads) <= MOST_CROSSTABLE_COLUMNS)
            for part in self.view.sections
            if part.kind != "bracket" and not part.score
        ]

    @property
    def rounds(self) -> list[tuple[SectionView, RoundColumn]]:
        """The current or last round of each table."""
        return [(part, now) for part in self.view.sections if part.kind != "bracket" and (now := _current(part))]

    @property
    def slips(self) -> list[ResultSlip]:
        """A slip for each pairing that can be played now."""
        found = []
        for part in self.view.sections:
            for column in part.columns:
                length = game_labels.length(self.view.terms.length(part.key, column.round))
                round_title = column.title if len(self.view.sections) == 1 else f"{part.title}: {column.title}"
                found += [
                    ResultSlip(board, _with_part(round_title, card, board), length)
                    for card in column.cards
                    for board in card.played
                    if board.state in ("ready", "live")
                ]
        return found

    @property
    def entrants(self) -> list[Entrant]:
        """The entrants who play, by name."""
        playing = (entrant for entrant in self.view.snapshot.entrants.values() if entrant.plays)
        return sorted(playing, key=lambda entrant: without_accents(entrant.name))


def _with_part(round_title: str, card: PairingCard, part: PairingCard) -> str:
    """The title of a slip: of a board it names the teams, of a match of a series its number and the score so far."""
    if card.boards:
        return f"{round_title} · {card.a.name} – {card.b.name}"
    return " · ".join(text for text in (round_title, part.part, card.score if part.part else "") if text)


def printed_sheets(*, tournament_id: str, kind: SheetKind) -> PrintedSheets:
    """The sheets of a tournament. Raises NotFound."""
    return PrintedSheets(tournament_page(tournament_id=tournament_id, user=None), kind)


def _current(part: SectionView) -> RoundColumn | None:
    filled = [column for column in part.columns if column.cards]
    unfinished = (
        column for column in filled if any(card.state not in ("done", "bye", "absent", "void") for card in column.cards)
    )
    return next(unfinished, filled[-1] if filled else None)


def bracket_pages(part: SectionView) -> list[BracketPage]:
    """A bracket cut between its rounds and its halves, never through a pairing.

    Everything on a page leads to its last round: of 64 entrants the first page has the upper half up to its last
    pairing.
    """
    cut = [columns for columns in _cut(part.columns) if any(column.cards for column in columns)]
    return [BracketPage(part.title, columns, number, len(cut)) for number, columns in enumerate(cut, 1)]


def _cut(columns: Sequence[RoundColumn]) -> Iterator[tuple[RoundColumn, ...]]:
    rest = list(columns)
    while rest:
        height = len(rest[0].places)
        pieces = 1
        while height > MOST_ROWS * pieces and height % (2 * pieces) == 0:
            pieces *= 2
        even = next((at for at, column in enumerate(rest) if len(column.places) % pieces), len(rest))
        width = min(even, _columns_per_page(len(rest)))
        for piece in range(pieces):
            yield tuple(_column_piece(column, piece, pieces) for column in rest[:width])
        rest = rest[width:]


def _columns_per_page(rounds: int) -> int:
    """How many rounds go on the next page, so that all pages are about equally full."""
    pages_needed = -(-rounds // MOST_COLUMNS)
    return -(-rounds // pages_needed)


def _column_piece(column: RoundColumn, piece: int, pieces: int) -> RoundColumn:
    size = len(column.places) // pieces
    places = column.places[piece * size : (piece + 1) * size]
    return RoundColumn(column.round, column.title, column.anchor, column.note, places, column.link)
