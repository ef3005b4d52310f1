"""The player whose code the director scans at the door."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import User
from tournaments.errors import NotFound
from tournaments.models import Entrant, Tournament
from tournaments.roles import DeskAct
from tournaments.selectors import lookups


@dataclass(frozen=True, slots=True)
class PlayerAtDoor:
    """An entrant, and how many of all are checked in."""

    tournament: Tournament
    entrant: Entrant
    checked_in: int
    players: int

    @property
    def can_check_in(self) -> bool:
        """Whether the entrant plays, and the draw is still to come."""
        return self.tournament.phase == Tournament.Phase.OPEN and self.entrant.plays


def player_at_door(*, tournament_id: str, user: User, number: int) -> PlayerAtDoor:
    """The entrant of this number, for directors. Raises NotFound, Refused: not_director."""
    tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.MANAGE_ENTRANTS)
    entrants = {entrant.number: entrant for entrant in tournament.entrants.select_related("user")}
    if number not in entrants:
        raise NotFound
    playing = [entrant for entrant in entrants.values() if entrant.plays]
    return PlayerAtDoor(tournament, entrants[number], sum(each.checked_in for each in playing), len(playing))
