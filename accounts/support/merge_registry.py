"""The registry of what happens to every table when two accounts are merged (accounts.support.merging).

Every app registers what happens to its columns (`mover`, `reassign_columns`, `keep_columns`), what prevents a merge
(`blocker`), and what is recomputed at the end (`after`). Columns that nobody registered follow
accounts.privacy.registry: what is shared with others is reassigned, what the user owned alone is deleted. Nothing here
knows an app above `accounts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import IntegrityError, models, transaction

from accounts.models import User
from accounts.privacy import registry as data_registry
from accounts.privacy.registry import DELETED, DeletionBlocker


@dataclass(frozen=True, slots=True)
class Merge:
    """The account `source`, which is merged into `target` and closed."""

    source: User
    target: User


@dataclass(frozen=True, slots=True)
class MergeCount:
    """How many rows of one sort are moved, for the preview: a label in the active language, and a number."""

    name: str
    number: int


Move = Callable[[Merge], object]
FindBlockers = Callable[[Merge], Iterable[DeletionBlocker]]
CountRows = Callable[[Merge], Iterable[MergeCount]]

_movers: dict[str, Move] = {}
_locks: list[Move] = []
_before: list[Move] = []
_after: list[Move] = []
_blockers: list[FindBlockers] = []
_counts: list[CountRows] = []


# Registering


def mover(*keys: str) -> Callable[[Move], Move]:
    """Register a function that moves these columns (`app.Model.column`) itself."""

    def register(run: Move) -> Move:
        for key in keys:
            _movers[key] = run
        return run

    return register


def reassign_columns(*keys: str) -> None:
    """Register columns that are set to the target. Where a user can have one row only, the target's own stays."""
    for key in keys:
        _movers[key] = _reassign_column(key)


def keep_columns(*keys: str) -> None:
    """Register columns that keep naming the closed account."""
    for key in keys:
        _movers[key] = lambda merge: None


def blocker(find: FindBlockers) -> FindBlockers:
    """Register a function that finds what prevents a merge."""
    _blockers.append(find)
    return find


def lock(run: Move) -> Move:
    """Register locks that an app takes before those of users: the order in which its own services take them."""
    _locks.append(run)
    return run


def before(run: Move) -> Move:
    """Register what runs before anything is moved: withdrawing offers of the source to others."""
    _before.append(run)
    return run


def after(run: Move) -> Move:
    """Register what is recomputed when everything has been moved."""
    _after.append(run)
    return run


def counts(count: CountRows) -> CountRows:
    """Register a function that counts the rows to be moved, for the preview."""
    _counts.append(count)
    return count


# Reading


def column_movers() -> dict[str, Move]:
    """What happens to every column that leads to a user, first the registered ones, in their order."""
    movers = dict(_movers)
    for table in data_registry.tables():
        for lookup, ownership in table.people.items():
            key = f"{table.model}.{lookup}"
            if key not in movers and lookup != "pk" and "__" not in lookup:
                movers[key] = _delete_rows(table, lookup) if ownership in DELETED else _reassign_column(key)
    return movers


def steps() -> tuple[Move, ...]:
    """Everything that a merge runs, in its order, each once."""
    return (*_before, *dict.fromkeys(column_movers().values()), *_after)


def locks() -> tuple[Move, ...]:
    """The locks that are taken before those of users."""
    return tuple(_locks)


def merge_blockers(merge: Merge) -> list[DeletionBlocker]:
    """Everything that prevents this merge now."""
    return [blocker for find in _blockers for blocker in find(merge)]


def merge_counts(merge: Merge) -> list[MergeCount]:
    """How much would be moved, without what is 0."""
    return [row for count in _counts for row in count(merge) if row.number]


# Moving


def _delete_rows(table: data_registry.Table, column: str) -> Move:
    return lambda merge: table.rows.filter(**{column: merge.source.pk}).delete()


def _reassign_column(key: str) -> Move:
    app, model, column = key.split(".")

    def run(merge: Merge) -> None:
        table = data_registry.table_for(f"{app}.{model}")
        if table is None:
            raise LookupError(key)
        reassign(table.rows.filter(**{column: merge.source.pk}), column, merge.target)
        if table.people[column] in DELETED:
            table.rows.filter(**{column: merge.source.pk}).delete()

    return run


def reassign(rows: models.QuerySet[models.Model], column: str, to: User) -> None:
    """Set a column of these rows to another user; rows that a unique constraint forbids stay as they are."""
    try:
        with transaction.atomic():
            rows.update(**{column: to.pk})
    except IntegrityError:
        for key in list(rows.values_list("pk", flat=True)):
            _reassign_row(rows.model._default_manager.filter(pk=key), column, to)


def _reassign_row(row: models.QuerySet[models.Model], column: str, to: User) -> None:
    try:
        with transaction.atomic():
            row.update(**{column: to.pk})
    except IntegrityError:
        return
