"""The people of a weekend: who is in which of its tournaments."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import F

from accounts.models import User
from tournaments.models import Entrant, Tournament, Weekend
from tournaments.player_keys import player_key
from tournaments.without_accents import without_accents


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a weekend with their entries by tournament; `entrant` is one of them."""

    entrant: Entrant
    entries: dict[str, Entrant] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.entrant.name

    @property
    def user(self) -> User | None:
        return self.entrant.user


@dataclass(frozen=True, slots=True)
class Register:
    """The register of a weekend: its tournaments, and its people by name."""

    tournaments: list[Tournament]
    people: list[Person]

    @property
    def size(self) -> int:
        return len(self.people)

    @property
    def rows(self) -> list[tuple[Person, list[tuple[Tournament, Entrant | None]]]]:
        """Each person with a cell for each tournament."""
        return [(person, [(each, person.entries.get(each.pk)) for each in self.tournaments]) for person in self.people]

    @property
    def open_tournaments(self) -> list[Tournament]:
        """Those that can be entered: single players, before the draw."""
        return [
            tournament
            for tournament in self.tournaments
            if tournament.phase == Tournament.Phase.OPEN and not tournament.terms.get("config", {}).get("boards")
        ]

    @property
    def active_tournaments(self) -> list[Tournament]:
        over = (Tournament.Phase.OVER, Tournament.Phase.CANCELLED)
        return [tournament for tournament in self.tournaments if tournament.phase not in over]


def register(weekend: Weekend) -> Register:
    """The register of a weekend, in two queries. Players of teams are people, teams are not."""
    return Register(tournaments_of(weekend), list(people_by_key(weekend).values()))


def person_of(weekend: Weekend, *, name: str = "", player: User | None = None) -> Person:
    """A person of a weekend by account, or a walk-in by name."""
    key = player_key(player.pk, "") if player is not None else player_key(None, " ".join(name.split()))
    return people_by_key(weekend)[key]


def person_with_entry(weekend: Weekend, entrant_id: int) -> Person:
    """The person of a weekend who has this entry."""
    found = people_by_key(weekend).values()
    return next(person for person in found if any(entry.pk == entrant_id for entry in person.entries.values()))


def tournaments_of(weekend: Weekend) -> list[Tournament]:
    """The tournaments of a weekend in the order of its pages."""
    found = Tournament.objects.filter(weekend=weekend)
    return list(found.order_by(F("starts_at").asc(nulls_last=True), "created_at", "pk"))


def people_by_key(weekend: Weekend) -> dict[str, Person]:
    """The people of a weekend by their key, in the order of their names."""
    rows = Entrant.objects.filter(tournament__weekend=weekend, as_team=None).select_related("user")
    found: dict[str, Person] = {}
    for row in sorted(rows, key=lambda row: (without_accents(row.name), row.pk)):
        person = found.setdefault(player_key(row.user_id, row.name), Person(row))
        person.entries[row.tournament_id] = row
    return found
