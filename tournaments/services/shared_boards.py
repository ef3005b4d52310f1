"""The boards that the tournaments of a weekend share (ruling E22): who is at which of them in the others."""

from __future__ import annotations

from dataclasses import dataclass, field

from tournaments.models import Entrant, Meeting, Tournament, Weekend
from tournaments.player_keys import player_key


@dataclass(frozen=True, slots=True)
class OtherBoards:
    """The boards where pairings of the other tournaments of a weekend are called now, and the people who are there."""

    names: dict[int, str] = field(default_factory=dict)  # the tournament of each board
    people: frozenset[str] = frozenset()  # their keys (tournaments.player_keys)

    def has(self, entrant: Entrant) -> bool:
        """Whether a person is at a board of another tournament."""
        return player_key(entrant.user_id, entrant.name) in self.people


def other_boards(tournament: Tournament) -> OtherBoards:
    """The boards that are in use in the other tournaments of its weekend, which is locked; none without a weekend.

    The tournament is locked already: a transaction takes tournaments first, then their weekend.
    """
    if tournament.weekend_id is None:
        return OtherBoards()
    Weekend.objects.select_for_update().get(pk=tournament.weekend_id)
    rows = Meeting.objects.filter(tournament__weekend=tournament.weekend_id, board__isnull=False)
    found = list(rows.exclude(tournament=tournament).select_related("tournament", "a__user", "b__user"))
    people = (player_key(entrant.user_id, entrant.name) for row in found for entrant in (row.a, row.b))
    return OtherBoards({row.board: row.tournament.name for row in found if row.board is not None}, frozenset(people))
