"""Two accounts of one person become one: everything that `gone` played and keeps is `into`'s from then on.

Every app registers what happens to its tables (`moves`, `mover`, `stays`), what forbids it (`hindrance`), and what is
counted anew at the end (`afterwards`). What nobody registered follows the list of accounts.data: what is shared with
others moves, what was his alone goes. All of it is one transaction. Nothing here knows an app above `accounts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import IntegrityError, models, transaction

from accounts import data
from accounts.data import DELETED, Hindrance
from accounts.errors import Refused
from accounts.models import FormerName, Merged, User
from accounts.names import fold


@dataclass(frozen=True, slots=True)
class Merge:
    """The account that goes, and the one that stays."""

    gone: User
    into: User


@dataclass(frozen=True, slots=True)
class Count:
    """How much of one sort moves, for the preview: what it is called, in the active language, and its number."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a merge would do, or why it cannot be."""

    hindrances: list[Hindrance]
    counts: list[Count]


Move = Callable[[Merge], object]
Hinder = Callable[[Merge], Iterable[Hindrance]]
Tell = Callable[[Merge], Iterable[Count]]

_movers: dict[str, Move] = {}
_locks: list[Move] = []
_partings: list[Move] = []
_afterwards: list[Move] = []
_hindrances: list[Hinder] = []
_counts: list[Tell] = []


# Registering


def mover(*keys: str) -> Callable[[Move], Move]:
    """A function that moves these columns (`app.Model.column`) by itself."""

    def register(run: Move) -> Move:
        for key in keys:
            _movers[key] = run
        return run

    return register


def moves(*keys: str) -> None:
    """Columns whose rows become the other's. Of what he can have once only, his own stays and the other's goes."""
    for key in keys:
        _movers[key] = _moving(key)


def stays(*keys: str) -> None:
    """Columns that go on naming the closed account."""
    for key in keys:
        _movers[key] = lambda merge: None


def hindrance(find: Hinder) -> Hinder:
    """A function that says why two accounts cannot become one."""
    _hindrances.append(find)
    return find


def lock(run: Move) -> Move:
    """Locks that an app takes before those of people: the order in which its own services take them."""
    _locks.append(run)
    return run


def parting(run: Move) -> Move:
    """What is ended before anything moves: offers to others in the name that goes."""
    _partings.append(run)
    return run


def afterwards(run: Move) -> Move:
    """What is counted anew when everything has moved."""
    _afterwards.append(run)
    return run


def counted(tell: Tell) -> Tell:
    """How much moves, for the preview."""
    _counts.append(tell)
    return tell


# What happens to each column


def rules() -> dict[str, Move]:
    """What happens to every column that leads to a person, first what was registered, in its order."""
    found = dict(_movers)
    for table in data.tables():
        for look_up, fate in table.people.items():
            key = f"{table.model}.{look_up}"
            if key not in found and look_up != "pk" and "__" not in look_up:
                found[key] = _deleting(table, look_up) if fate in DELETED else _moving(key)
    return found


def _deleting(table: data.Table, column: str) -> Move:
    return lambda merge: table.rows.filter(**{column: merge.gone.pk}).delete()


def _moving(key: str) -> Move:
    app, model, column = key.split(".")

    def run(merge: Merge) -> None:
        table = data.table_of(f"{app}.{model}")
        if table is None:
            raise LookupError(key)
        give(table.rows.filter(**{column: merge.gone.pk}), column, merge.into)
        if table.people[column] in DELETED:
            table.rows.filter(**{column: merge.gone.pk}).delete()

    return run


def give(rows: models.QuerySet[models.Model], column: str, to: User) -> None:
    """Put another person into a column of these rows; those that would be a second of what is once stay as they are."""
    try:
        with transaction.atomic():
            rows.update(**{column: to.pk})
    except IntegrityError:
        for key in list(rows.values_list("pk", flat=True)):
            _give_one(rows.model._default_manager.filter(pk=key), column, to)


def _give_one(row: models.QuerySet[models.Model], column: str, to: User) -> None:
    try:
        with transaction.atomic():
            row.update(**{column: to.pk})
    except IntegrityError:
        return


# Merging


def hindrances(merge: Merge) -> list[Hindrance]:
    """Everything that forbids this merge now."""
    return [each for find in _hindrances for each in find(merge)]


def merge_preview(*, gone: User, into: User) -> Preview:
    """What would happen. Raises Refused as `accounts_merge` does, but for what hinders it, which is listed."""
    merge = Merge(gone, into)
    _check(merge)
    counts = [each for tell in _counts for each in tell(merge)]
    return Preview(hindrances(merge), [each for each in counts if each.number])


def accounts_merge(*, gone: User, into: User) -> list[Count]:
    """Give everything of `gone` to `into` and close `gone`, in one transaction. Returns what was moved.

    Raises Refused: ``merge_same``, ``merge_closed``, ``merge_kind`` (bots, staff, a guest who would stay), and
    ``merge_hindered`` while something of `hindrances` stands in the way.
    """
    with transaction.atomic():
        for take in _locks:
            take(Merge(gone, into))
        pair = User.objects.select_for_update().filter(pk__in=(gone.pk, into.pk)).order_by("pk")
        people = {user.pk: user for user in pair}
        merge = Merge(people[gone.pk], people[into.pk])
        _check(merge)
        if hindrances(merge):
            raise Refused("merge_hindered")
        counts = [each for tell in _counts for each in tell(merge) if each.number]
        for run in (*_partings, *dict.fromkeys(rules().values()), *_afterwards):
            run(merge)
        _close(merge)
    return counts


def _check(merge: Merge) -> None:
    gone, into = merge.gone, merge.into
    if gone.pk == into.pk:
        raise Refused("merge_same")
    if not gone.is_active or not into.is_active:
        raise Refused("merge_closed")
    if any(one.is_bot or one.is_staff or one.is_superuser for one in (gone, into)) or into.is_guest:
        raise Refused("merge_kind")


def _close(merge: Merge) -> None:
    """The account that went keeps its name and password: who logs in there is told where it is now."""
    gone = User.objects.get(pk=merge.gone.pk)
    gone.is_active = False
    gone.save(update_fields=["is_active"])
    Merged.objects.create(gone=gone, into=merge.into)
    if not gone.is_guest:
        FormerName.objects.get_or_create(user=merge.into, key=fold(gone.username), defaults={"name": gone.username})
    merge.gone.is_active = False
