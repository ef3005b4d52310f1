"""What is printed of a tournament: draw sheets in leaves of a page each, slips for results, lists of entrants."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from games import words as play_words
from tournaments.models import Entrant
from tournaments.selectors.cards import Card
from tournaments.selectors.pages import View, page
from tournaments.selectors.parts import Column, Part

Kind = Literal["draw", "slips", "entrants"]
MOST_ROWS = 16  # pairings in the first round on a leaf
MOST_COLUMNS = 5  # rounds beside one another
MOST_GRID = 24  # columns of a cross table on a page; a larger one is printed without


@dataclass(frozen=True, slots=True)
class Leaf:
    """Some rounds of a bracket on a page: `number` of `count` leaves of its section."""

    title: str
    columns: tuple[Column, ...]
    number: int = 1
    count: int = 1


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip that the two of a pairing fill in."""

    card: Card
    round: str
    length: str


@dataclass(frozen=True)
class Paper:
    """A tournament on paper."""

    view: View
    kind: Kind

    @property
    def trees(self) -> list[Leaf]:
        """The brackets, section by section."""
        return [leaf for part in self.view.parts if part.kind == "bracket" for leaf in leaves(part)]

    @property
    def tables(self) -> list[tuple[Part, bool]]:
        """The tables, and whether the grid of each has room."""
        return [(part, 0 < len(part.grid) <= MOST_GRID) for part in self.view.parts if part.kind != "bracket"]

    @property
    def rounds(self) -> list[tuple[Part, Column]]:
        """Of each table the round that is played now, or was played last."""
        return [(part, now) for part in self.view.parts if part.kind != "bracket" and (now := _current(part))]

    @property
    def slips(self) -> list[Slip]:
        """One for each pairing that can be played now."""
        found = []
        for part in self.view.parts:
            for column in part.columns:
                length = play_words.length(self.view.terms.length(part.key, column.round))
                where = column.title if len(self.view.parts) == 1 else f"{part.title}: {column.title}"
                found += [Slip(card, where, length) for card in column.cards if card.state in ("ready", "live")]
        return found

    @property
    def entrants(self) -> list[Entrant]:
        """Who plays, by name."""
        here = (one for one in self.view.sheet.entrants.values() if one.plays)
        return sorted(here, key=lambda one: _alphabetic(one.name))


def paper(*, tournament_id: str, kind: Kind) -> Paper:
    """Raises NotFound."""
    return Paper(page(tournament_id=tournament_id, user=None), kind)


def _alphabetic(name: str) -> str:
    """A name as a list sorts it: accents make no difference."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _current(part: Part) -> Column | None:
    there = [column for column in part.columns if column.cards]
    open_ones = (column for column in there if any(card.state not in ("done", "bye", "void") for card in column.cards))
    return next(open_ones, there[-1] if there else None)


def leaves(part: Part) -> list[Leaf]:
    """A bracket cut between its rounds and its halves, never through a pairing.

    What stands on a leaf leads to its last round: of 64 the first leaf has the upper half down to its last pairing.
    """
    cut = [columns for columns in _cut(part.columns) if any(column.cards for column in columns)]
    return [Leaf(part.title, columns, number, len(cut)) for number, columns in enumerate(cut, 1)]


def _cut(columns: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
    rest = list(columns)
    while rest:
        height = len(rest[0].places)
        pieces = 1
        while height > MOST_ROWS * pieces and height % (2 * pieces) == 0:
            pieces *= 2
        even = next((at for at, one in enumerate(rest) if len(one.places) % pieces), len(rest))
        wide = min(even, _wide(len(rest)))
        for piece in range(pieces):
            yield tuple(_piece(one, piece, pieces) for one in rest[:wide])
        rest = rest[wide:]


def _wide(rounds: int) -> int:
    """How many rounds stand on the next leaf, so that all leaves are about as full."""
    leaves_needed = -(-rounds // MOST_COLUMNS)
    return -(-rounds // leaves_needed)


def _piece(column: Column, piece: int, pieces: int) -> Column:
    size = len(column.places) // pieces
    places = column.places[piece * size : (piece + 1) * size]
    return Column(column.round, column.title, column.anchor, column.note, places, column.link)
