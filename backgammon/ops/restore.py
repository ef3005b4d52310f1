"""A site out of its backup: into either database, whole or not at all, from this version or an older one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connections, transaction

from backgammon.ops import archive, running, states
from backgammon.ops.errors import Refused
from backgammon.ops.keys import KEYS, Key
from backgammon.ops.places import Place, nothing_left_of, place_of
from backgammon.ops.snapshot import said_by_database
from backgammon.ops.states import State
from backgammon.ops.tables import Seal, Table, seal_of, tables_of

Lines = Callable[[Table], Iterable[bytes]]


@dataclass(frozen=True)
class Restored:
    """What came of it: where the old database is, and which keys were put back or are to be set by hand."""

    rows: int
    aside: str | None
    keys_aside: list[Path] = field(default_factory=list)
    keys_of_environment: list[str] = field(default_factory=list)
    keys_not_in_backup: list[str] = field(default_factory=list)


def site_restore(*, path: Path, replace: bool = False) -> Restored:
    """Put a backup in the place of this site's database, and its keys into `var/`.

    Raises Refused, and then nothing changed. The backup is read whole before anything is written; what was loaded is
    read again and compared. The clocks of its matches get back all the time since it was taken when the site starts,
    as after any outage.
    """
    with said_by_database(), running.nobody_starts(), archive.opened(path) as backup:
        place = place_of(connections["default"].settings_dict)
        place.check_alone()
        used = place.used()
        if used and not replace:
            raise Refused("keep_used")
        backup.check()
        tables = tables_of(states.models_of(backup.state))
        told = backup.manifest["tables"]
        if {each.name: each.columns for each in tables} != {name: each["columns"] for name, each in told.items()}:
            raise backup.damaged(archive.MANIFEST)
        keys = {key: backup.key(key.name) for key in KEYS}
        last = {name: each["last_number"] for name, each in told.items() if "last_number" in each}
        with nothing_left_of(place):
            found = put_together(place, backup.state, tables, lambda table: backup.lines(table.name), last)
            for name, seal in found.items():
                if seal.sha256 != told[name]["sha256"]:
                    raise Refused("keep_differs", params={"what": name})
            aside = place.take_over()
        return Restored(backup.rows, aside, *_put_keys(keys, aside=used), _missing(backup))


def put_together(
    place: Place, state: State, tables: list[Table], lines: Lines, last_numbers: Mapping[str, int]
) -> dict[str, Seal]:
    """Make a database of a state in its place, fill it in one transaction, and bring it to the state of this code.

    Returns the seals of the tables as they were read again after they were filled. Raises Refused.
    """
    found = {}
    with place.making():
        states.build("default", state, tables[0].model._meta.apps)
        with transaction.atomic(using="default"):
            for table in tables:
                table.fill("default", lines(table))
                if table.counted:
                    table.count_from("default", last_numbers.get(table.name, 0))
        for table in tables:
            found[table.name] = seal_of(table, "default")
        states.migrate_on()
    return found


def _put_keys(keys: Mapping[Key, bytes | None], *, aside: bool) -> tuple[list[Path], list[str]]:
    moved, of_environment = [], []
    for key, text in keys.items():
        if text is None:
            continue
        if key.in_environment:
            of_environment.append(key.variable)
        elif (old := key.put(text, aside=aside)) is not None:
            moved.append(old)
    return moved, of_environment


def _missing(backup: archive.Backup) -> list[str]:
    """The variables that held the keys of the site that was backed up, and are not set here."""
    told = backup.manifest["keys"]
    return [
        key.variable for key in KEYS if told.get(key.name, {}).get("in") == "environment" and not key.in_environment
    ]
