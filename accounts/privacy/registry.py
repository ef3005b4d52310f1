"""The registry of personal data: the one list from which data exports and account deletion work.

Every app declares its tables (`register_tables`) and what happens to a person in them when an account is deleted. A
test walks all models, and fails for a table, a relation to a person or a text that nobody declared: what is not in this
list cannot be erased. Apps register from `AppConfig.ready()`; nothing here knows an app above `accounts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.apps import apps
from django.db.models import F, Model, Q, QuerySet

from accounts.models import User
from accounts.privacy.anonymize import Anonymizer


class Ownership(Enum):
    """What a relation to a person means for its row."""

    OWNED = "owned"  # the person's: exported, deleted with the account
    SHARED = "shared"  # the person's and others': exported, stays without the name
    OTHERS = "others"  # another's, or the club's, with a mention of the person: not exported, stays without the name
    ABOUT = "about"  # another's decision about the person: not exported, deleted with the account


OWNED, SHARED, OTHERS, ABOUT = Ownership.OWNED, Ownership.SHARED, Ownership.OTHERS, Ownership.ABOUT
EXPORTED = (OWNED, SHARED)
DELETED = (OWNED, ABOUT)


@dataclass(frozen=True, slots=True)
class Table:
    """A table and the people in it.

    `people`: the look-ups that lead to a person, each with its ownership. Texts are either `plain` (they name nobody)
    or `erased` (an eraser of the same key removes the name); those of a table with an owned row need no entry, as they
    are deleted with it. `withheld` columns are never exported: secrets, and what is downloaded elsewhere.
    """

    model: str
    people: Mapping[str, Ownership]
    plain: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()

    @property
    def rows(self) -> QuerySet[Model]:
        found: type[Model] = apps.get_model(self.model)
        return found._default_manager.all()

    def rows_of(self, user: User, ownerships: Iterable[Ownership]) -> QuerySet[Model]:
        """The rows to which `user` is related in one of these ways; none where the table has no such relation."""
        condition = Q(pk__in=())
        for lookup, ownership in self.people.items():
            if ownership in ownerships:
                condition |= Q(**{lookup: user.pk})
        return self.rows.filter(condition)

    @property
    def exported(self) -> bool:
        return any(ownership in EXPORTED for ownership in self.people.values())

    def export(self, user: User) -> Iterator[dict[str, Any]]:
        """The user's rows, one at a time, with usernames in the place of primary keys of users."""
        model = self.rows.model
        columns: dict[str, Any] = {}
        for field in model._meta.concrete_fields:
            if field.name not in self.withheld:
                person = field.is_relation and field.related_model is User
                columns[f"{field.name}__username" if person else field.attname] = field.name
        annotations = {f"_{name}": F(path) for path, name in columns.items()}
        rows = self.rows_of(user, EXPORTED).order_by("pk").annotate(**annotations).values(*annotations)
        return ({key[1:]: value for key, value in row.items()} for row in rows.iterator(chunk_size=500))


@dataclass(frozen=True, slots=True)
class DeletionBlocker:
    """Why an account cannot be deleted yet, in its owner's language, and the page where they can resolve it."""

    text: str
    url: str


FileTime = tuple[int, int, int, int, int, int]
Erase = Callable[[Anonymizer], object]
FindBlockers = Callable[[User], Iterable[DeletionBlocker]]
OnDelete = Callable[[User], object]
WriteFiles = Callable[[User, frozenset[str]], Iterator[tuple[str, str, FileTime]]]

_tables: dict[str, Table] = {}
_erasers: dict[str, Erase] = {}
_deletion_blockers: list[FindBlockers] = []
_on_delete: list[OnDelete] = []
_export_files: list[tuple[Callable[[User], int], WriteFiles]] = []


# Registering


def register_tables(*tables: Table) -> None:
    """Declare tables of an app, or tables of libraries for which the app is responsible."""
    for table in tables:
        _tables[table.model.lower()] = table


def eraser(*keys: str) -> Callable[[Erase], Erase]:
    """Register a function that erases a person from these columns (`app.Model.column`) when the account is deleted."""

    def register(run: Erase) -> Erase:
        for key in keys:
            _erasers[key] = run
        return run

    return register


def deletion_blocker(find: FindBlockers) -> FindBlockers:
    """Register a function that finds what has to happen before an account can be deleted."""
    _deletion_blockers.append(find)
    return find


def on_delete(run: OnDelete) -> OnDelete:
    """Register a function that ends what a user still takes part in, by the services of its app, before the erasers."""
    _on_delete.append(run)
    return run


def register_export_files(count: Callable[[User], int], write: WriteFiles) -> None:
    """Register more files of an export: how many, and each by name with its text and time, without those present."""
    _export_files.append((count, write))


# Reading


def tables() -> list[Table]:
    """Every declared table, by name."""
    return [_tables[model] for model in sorted(_tables)]


def table_for(model: str) -> Table | None:
    """The declaration of a model."""
    return _tables.get(model.lower())


def deletion_blockers(user: User) -> list[DeletionBlocker]:
    """Everything that prevents the deletion of this account now."""
    return [blocker for find in _deletion_blockers for blocker in find(user)]


def on_delete_functions() -> tuple[OnDelete, ...]:
    """What runs before an account is erased, the lower apps first."""
    return tuple(_on_delete)


def erasers() -> dict[str, Erase]:
    """Everything that erases a person from the database, by key: first the columns, then the rows that are deleted."""
    found = dict(_erasers)
    for table in tables():
        for lookup, ownership in table.people.items():
            if ownership in DELETED:
                found[f"{table.model}.{lookup}"] = _delete_rows(table, lookup)
    return found


def _delete_rows(table: Table, lookup: str) -> Erase:
    return lambda anonymizer: table.rows.filter(**{lookup: anonymizer.user.pk}).delete()


def export_files() -> tuple[tuple[Callable[[User], int], WriteFiles], ...]:
    """What apps add to an export beside their rows."""
    return tuple(_export_files)
