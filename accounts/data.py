"""What the site keeps about a person: the one list that exporting and leaving work from.

Every app declares its tables (`keep`) and what has to happen to a person in them. A test walks all models, and fails
for a table, a relation to a person or a text that nobody declared: what is not in this list cannot be forgotten.
Apps register from `AppConfig.ready()`; nothing here knows an app above `accounts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.apps import apps
from django.db.models import F, Model, Q, QuerySet

from accounts.former import Leaver
from accounts.models import User


class Fate(Enum):
    """What a relation to a person means for its row."""

    OWNED = "owned"  # his: exported, deleted with him
    SHARED = "shared"  # his and others': exported, stays without his name
    OTHERS = "others"  # another's, or the club's, where he is only mentioned: not exported, stays without his name
    ABOUT = "about"  # another's decision about him: not exported, deleted with him


OWNED, SHARED, OTHERS, ABOUT = Fate.OWNED, Fate.SHARED, Fate.OTHERS, Fate.ABOUT
EXPORTED = (OWNED, SHARED)
DELETED = (OWNED, ABOUT)


@dataclass(frozen=True, slots=True)
class Table:
    """A table and the people in it.

    `people`: the look-ups that lead to a person, each with its fate. Texts are either `plain` (they name nobody) or
    `erased` (an eraser of the same key takes his name out); those of a table with an owned row need no word, as they go
    with it. `withheld` columns are never exported: secrets, and what is downloaded elsewhere.
    """

    model: str
    people: Mapping[str, Fate]
    plain: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()

    @property
    def rows(self) -> QuerySet[Model]:
        found: type[Model] = apps.get_model(self.model)
        return found._default_manager.all()

    def of(self, user: User, fates: Iterable[Fate]) -> QuerySet[Model]:
        """The rows to which `user` is related in one of these ways; none where the table has no such relation."""
        wanted = Q(pk__in=())
        for look_up, fate in self.people.items():
            if fate in fates:
                wanted |= Q(**{look_up: user.pk})
        return self.rows.filter(wanted)

    @property
    def exported(self) -> bool:
        return any(fate in EXPORTED for fate in self.people.values())

    def export(self, user: User) -> Iterator[dict[str, Any]]:
        """His rows, one at a time, with the names of people in the place of their numbers."""
        model = self.rows.model
        names: dict[str, Any] = {}
        for field in model._meta.concrete_fields:
            if field.name not in self.withheld:
                person = field.is_relation and field.related_model is User
                names[f"{field.name}__username" if person else field.attname] = field.name
        chosen = (
            self.of(user, EXPORTED).order_by("pk").annotate(**{f"_{name}": F(path) for path, name in names.items()})
        )
        rows = chosen.values(*(f"_{name}" for name in names.values()))
        return ({key[1:]: value for key, value in row.items()} for row in rows.iterator(chunk_size=500))


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why somebody cannot leave yet, in his language, and the page where he can do something about it."""

    text: str
    url: str


Erase = Callable[[Leaver], object]
Hinder = Callable[[User], Iterable[Hindrance]]
Part = Callable[[User], object]
Files = Callable[[User, frozenset[str]], Iterator[tuple[str, str, tuple[int, ...]]]]

_tables: dict[str, Table] = {}
_erasers: dict[str, Erase] = {}
_hindrances: list[Hinder] = []
_partings: list[Part] = []
_files: list[tuple[Callable[[User], int], Files]] = []


# Registering


def keep(*tables: Table) -> None:
    """Declare tables of an app, or tables of others that it looks after."""
    for table in tables:
        _tables[table.model.lower()] = table


def eraser(*keys: str) -> Callable[[Erase], Erase]:
    """A function that takes what is left of a person out of these columns (`app.Model.column`), when he leaves."""

    def register(run: Erase) -> Erase:
        for key in keys:
            _erasers[key] = run
        return run

    return register


def hindrance(find: Hinder) -> Hinder:
    """A function that says what has to happen before somebody can leave."""
    _hindrances.append(find)
    return find


def parting(run: Part) -> Part:
    """A function that ends what somebody still takes part in, by the services of its app, before he is erased."""
    _partings.append(run)
    return run


def files(count: Callable[[User], int], write: Files) -> None:
    """More files for an export: how many, and each by name with its text and its time, without those that are there."""
    _files.append((count, write))


# Reading


def tables() -> list[Table]:
    """Every table that was declared, by name."""
    return [_tables[model] for model in sorted(_tables)]


def table_of(model: str) -> Table | None:
    """What was declared of a model."""
    return _tables.get(model.lower())


def hindrances(user: User) -> list[Hindrance]:
    """Everything that keeps `user` from leaving now."""
    return [each for find in _hindrances for each in find(user)]


def partings() -> tuple[Part, ...]:
    """What ends before somebody is erased, the apps below first."""
    return tuple(_partings)


def erasers() -> dict[str, Erase]:
    """What takes a person out of the database, by key: first the columns, then the rows that go with him."""
    found = dict(_erasers)
    for table in tables():
        for look_up, fate in table.people.items():
            if fate in DELETED:
                found[f"{table.model}.{look_up}"] = _deleting(table, look_up)
    return found


def _deleting(table: Table, look_up: str) -> Erase:
    return lambda leaver: table.rows.filter(**{look_up: leaver.user.pk}).delete()


def more_files() -> tuple[tuple[Callable[[User], int], Files], ...]:
    """What apps add to an export beside the rows."""
    return tuple(_files)
