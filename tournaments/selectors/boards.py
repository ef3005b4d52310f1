"""The boards of a tournament that are played on this site now, by table, for a large screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.selectors.cards import Card
from tournaments.selectors.pages import View, page

MOST_NEXT = 6
"""Pairings without a board that are named below the boards."""


@dataclass(frozen=True, slots=True)
class Table:
    """A board: which pairing it is, of which round and of which stage."""

    card: Card
    round: str
    stage: str

    @property
    def label(self) -> str:
        return " · ".join(part for part in (self.card.mark, self.round, self.stage) if part)


@dataclass(frozen=True, slots=True)
class Boards:
    """All that are in play, in the order of the tables, and the first of those that are to begin."""

    view: View
    tables: Sequence[Table]
    next: Sequence[Card]


def boards(tournament_id: str) -> Boards:
    """Raises NotFound."""
    view = page(tournament_id=tournament_id, user=None)
    stages = {part.key: part.title for part in view.parts}
    rounds = {(part.key, column.round): column.title for part in view.parts for column in part.columns}
    ready = (card for part in view.parts for column in part.columns for card in column.cards if card.state == "ready")
    return Boards(view, [_table(card, rounds, stages) for card in view.live], list(ready)[:MOST_NEXT])


def _table(card: Card, rounds: dict[tuple[str, int], str], stages: dict[str, str]) -> Table:
    section = card.key.rsplit("-", 2)[0]
    named = rounds.get((section, card.round)) or _("Round %(n)s") % {"n": card.round}
    return Table(card, named, stages.get(section, "") if len(stages) > 1 else "")
