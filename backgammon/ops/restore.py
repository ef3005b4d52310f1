"""Restore a site from a backup of this version or an older one, into SQLite or PostgreSQL, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connections, transaction

from backgammon.ops import archive, ensure_stopped, migration_state
from backgammon.ops.errors import Refused
from backgammon.ops.migration_state import State
from backgammon.ops.paths import DatabasePath, discard_on_error, path_of
from backgammon.ops.secret_keys import KEYS, Key
from backgammon.ops.snapshot import refuse_database_errors
from backgammon.ops.table_dump import Checksum, Table, checksum_of, tables_of

Lines = Callable[[Table], Iterable[bytes]]


@dataclass(frozen=True)
class RestoreResult:
    """The result: where the old database is now, and which keys were restored or are left to set by hand."""

    rows: int
    aside: str | None
    keys_aside: list[Path] = field(default_factory=list)
    keys_of_environment: list[str] = field(default_factory=list)
    keys_not_in_backup: list[str] = field(default_factory=list)


def site_restore(*, path: Path, replace: bool = False) -> RestoreResult:
    """Replace this site's database by a backup, and write its keys to `var/`.

    Raises Refused, and then nothing has changed. The whole backup is verified before anything is written, and what was
    loaded is read again and compared. When the site starts, match clocks get back all the time since the backup, as
    after any outage.
    """
    with refuse_database_errors(), ensure_stopped.hold_site_lock(), archive.open_backup(path) as backup:
        target = path_of(connections["default"].settings_dict)
        target.check_unused()
        replaced = target.has_data()
        if replaced and not replace:
            raise Refused("keep_used")
        backup.check()
        tables = tables_of(migration_state.models_of(backup.state))
        described = backup.manifest["tables"]
        columns = {name: entry["columns"] for name, entry in described.items()}
        if {table.name: table.columns for table in tables} != columns:
            raise backup.damaged_error(archive.MANIFEST)
        keys = {key: backup.key(key.name) for key in KEYS}
        last_ids = {name: entry["last_number"] for name, entry in described.items() if "last_number" in entry}
        with discard_on_error(target):
            loaded = build_database(target, backup.state, tables, lambda table: backup.lines(table.name), last_ids)
            for name, checksum in loaded.items():
                if checksum.sha256 != described[name]["sha256"]:
                    raise Refused("keep_differs", params={"part": name})
            aside = target.take_over()
        return RestoreResult(backup.rows, aside, *_write_keys(keys, keep_old=replaced), _missing_keys(backup))


def build_database(
    target: DatabasePath, state: State, tables: list[Table], lines: Lines, last_ids: Mapping[str, int]
) -> dict[str, Checksum]:
    """Build a database of an older state beside its final place, load it in one transaction, and migrate it.

    Returns the checksums of the tables, read again after loading and before migrating. Raises Refused.
    """
    checksums = {}
    with target.new_database():
        migration_state.create_tables("default", state, tables[0].model._meta.apps)
        with transaction.atomic(using="default"):
            for table in tables:
                table.load("default", lines(table))
                if table.auto_column:
                    table.set_last_id("default", last_ids.get(table.name, 0))
        for table in tables:
            checksums[table.name] = checksum_of(table, "default")
        migration_state.migrate_to_latest()
    return checksums


def _write_keys(keys: Mapping[Key, bytes | None], *, keep_old: bool) -> tuple[list[Path], list[str]]:
    """Write keys to their files. Returns the files of replaced keys, and the variables whose keys were not written."""
    moved, from_environment = [], []
    for key, text in keys.items():
        if text is None:
            continue
        if key.in_environment:
            from_environment.append(key.variable)
        elif (old := key.write(text, keep_old=keep_old)) is not None:
            moved.append(old)
    return moved, from_environment


def _missing_keys(backup: archive.Backup) -> list[str]:
    """Return the environment variables that held keys of the backed-up site and are not set here."""
    entries = backup.manifest["keys"]
    return [
        key.variable for key in KEYS if entries.get(key.name, {}).get("in") == "environment" and not key.in_environment
    ]
