"""The seeds of a tournament before its draw, with the ratings of the players."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import User
from games import labels as game_labels
from tournaments.errors import Refused
from tournaments.models import Entrant, Tournament
from tournaments.roles import DeskAct
from tournaments.selectors import lookups
from tournaments.services.seeding import entrant_ratings
from tournaments.services.transaction import load_state
from tournaments.terms import Seeding


@dataclass(frozen=True, slots=True)
class SeededPlayer:
    """An entrant who plays, with their seed and their rating, if they have them."""

    entrant: Entrant
    rating: int | None

    @property
    def number(self) -> int:
        return self.entrant.number

    @property
    def name(self) -> str:
        return self.entrant.name

    @property
    def seed(self) -> int | None:
        return self.entrant.seed_rank


@dataclass(frozen=True, slots=True)
class SeedingList:
    """The players: seeds first, then in the order of entry. `rest`: how those without a seed are placed."""

    tournament: Tournament
    players: list[SeededPlayer]
    rest: Seeding
    game: str

    @property
    def rated(self) -> int:
        """How many of them have a rating."""
        return sum(player.rating is not None for player in self.players)

    @property
    def seeded(self) -> int:
        return sum(player.seed is not None for player in self.players)


def seeding(*, tournament_id: str, user: User) -> SeedingList:
    """The seeds, for directors, before the draw. Raises NotFound, Refused: not_director, already_drawn."""
    tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.SEED)
    if tournament.phase != Tournament.Phase.OPEN:
        raise Refused("already_drawn")
    rules = load_state(tournament).rules
    entrants = [entrant for entrant in tournament.entrants.select_related("user") if entrant.plays]
    rating = entrant_ratings(entrants, rules)
    entrants.sort(key=lambda entrant: (entrant.seed_rank is None, entrant.seed_rank or 0, entrant.number))
    players = [SeededPlayer(entrant, rating.get(entrant.number)) for entrant in entrants]
    return SeedingList(tournament, players, rules.seeding, game_labels.variant(rules.variant))
