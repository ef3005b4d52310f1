"""The names of entrants, where substitutes took their places: who played what, and when (ruling E4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.formats.core import Pairing
from tournaments.models import Entrant
from tournaments.state import Event, Person, State, held_key


@dataclass
class PlaceNames:
    """The names of the entrants of a tournament; one query if there are substitutes, else none."""

    state: State
    entrants: Mapping[int, Entrant]

    @cached_property
    def _usernames(self) -> Mapping[int, str]:
        """The present names of all accounts that held a place of a substitute."""
        people = (person for holders in self.state.people.values() for person in holders)
        users = {person.user for person in people if person.user is not None}
        return dict(User.objects.filter(pk__in=users).values_list("pk", "username")) if users else {}

    def _name_of(self, person: Person) -> str:
        return self._usernames.get(person.user, person.name) if person.user is not None else person.name

    def holders(self, number: int) -> list[str]:
        """Everybody who held a place, in order: the last one holds it now."""
        people = self.state.people.get(number, ())
        return [*(self._name_of(person) for person in people[:-1]), self.entrants[number].name]

    def name(self, number: int, pairing: Pairing | None = None) -> str:
        """The player of an entrant's place: now, or the one who played a pairing."""
        person = self.state.predecessor(pairing, number) if pairing is not None else None
        return self.entrants[number].name if person is None else self._name_of(person)

    def replaced(self, number: int) -> str:
        """Whom the holder of a place replaced: `replaces carlos`; "" for nobody."""
        earlier = self.holders(number)[:-1]
        return _("replaces %(name)s") % {"name": ", ".join(earlier)} if earlier else ""


@dataclass(frozen=True)
class NamesThroughTime:
    """The names of entrants at each event: those of predecessors before they were replaced.

    `changes` are, by entrant, the numbers of the events by which their place changed hands.
    """

    names: PlaceNames
    changes: Mapping[int, Sequence[int]]

    @classmethod
    def read(cls, names: PlaceNames, events: Iterable[tuple[int, Event]], undone: Iterable[int]) -> NamesThroughTime:
        """From all events with their numbers, in order, and the acts that are undone."""
        left_out = frozenset(undone)
        changes: dict[int, list[int]] = {}
        for n, event in events:
            if event.kind == "substituted" and event.act not in left_out:
                changes.setdefault(event.data["entrant"], []).append(n)
        return cls(names, changes)

    def at(self, n: int, data: Mapping[str, Any]) -> dict[int, str]:
        """The name of every entrant at event `n`; of the two of a decided pairing, those who played it."""
        known = {number: entrant.name for number, entrant in self.names.entrants.items()}
        for number, changes in self.changes.items():
            holders = self.names.holders(number)
            held = self.names.state.held.get(held_key(data.get("key", ""), data.get("of", ()), number))
            known[number] = holders[sum(change <= n for change in changes) if held is None else held]
        return known
