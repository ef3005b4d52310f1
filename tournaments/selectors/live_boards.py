"""The live boards of a tournament, by table, for a large screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.selectors.pairing_cards import PairingCard
from tournaments.selectors.tournament_page import TournamentPage, tournament_page

MOST_NEXT = 6
"""Pairings without a board that are named below the boards."""


@dataclass(frozen=True, slots=True)
class BoardTable:
    """A board: its pairing, round and section."""

    card: PairingCard
    round: str
    section: str

    @property
    def label(self) -> str:
        return " · ".join(part for part in (self.card.mark, self.round, self.section) if part)


@dataclass(frozen=True, slots=True)
class LiveBoards:
    """The matches in play, in the order of the tables, and the first of those to be played next."""

    view: TournamentPage
    tables: Sequence[BoardTable]
    next: Sequence[PairingCard]


def live_boards(tournament_id: str) -> LiveBoards:
    """The live boards of a tournament. Raises NotFound."""
    view = tournament_page(tournament_id=tournament_id, user=None)
    titles = {part.key: part.title for part in view.sections}
    rounds = {(part.key, column.round): column.title for part in view.sections for column in part.columns}
    cards = (card for part in view.sections for column in part.columns for card in column.cards)
    ready = (board for card in cards for board in card.played if board.state == "ready")
    return LiveBoards(view, [_table(card, rounds, titles) for card in view.live_cards], list(ready)[:MOST_NEXT])


def _table(card: PairingCard, rounds: dict[tuple[str, int], str], titles: dict[str, str]) -> BoardTable:
    key = card.key.rsplit("-", 2)[0]
    name = rounds.get((key, card.round)) or _("Round %(n)s") % {"n": card.round}
    return BoardTable(card, name, titles.get(key, "") if len(titles) > 1 else "")
