"""Move a site to another database: every row, with row counts and checksums compared. The source is only read."""

from __future__ import annotations

import copy
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from backgammon.ops import ensure_stopped, snapshot
from backgammon.ops.environment import database_config
from backgammon.ops.errors import Refused
from backgammon.ops.migration_state import temporary_connection
from backgammon.ops.paths import discard_on_error, path_of
from backgammon.ops.restore import build_database
from backgammon.ops.table_dump import Checksum, Table

ALIAS = "source"
IDENTITY = ("ENGINE", "NAME", "HOST", "PORT")


@dataclass(frozen=True)
class MoveResult:
    """The checksums of each table in both databases, and where an empty target database is now, if there was one."""

    source: dict[str, Checksum]
    target: dict[str, Checksum]
    aside: str | None

    @property
    def rows(self) -> int:
        return sum(checksum.rows for checksum in self.target.values())


def site_move(*, url: str) -> MoveResult:
    """Copy the site into the database at `url`, which must be empty. Raises Refused; then nothing was written there.

    The site must be stopped: a write to the source meanwhile is refused.
    """
    settings = database_settings(url)
    source = connections["default"].settings_dict
    if all(str(settings[name]) == str(source[name]) for name in IDENTITY):
        raise Refused("keep_target_same")
    target = path_of(settings)
    read: dict[str, Checksum] = {}

    def lines(table: Table) -> Iterator[bytes]:
        read[table.name] = Checksum()
        return read[table.name].update_from(table.lines(snapshot.ALIAS))

    with snapshot.refuse_database_errors(), ensure_stopped.hold_site_lock(), discard_on_error(target):
        with _check_unchanged(source), snapshot.open_snapshot() as current:
            target.check_unused()
            if target.has_data():
                raise Refused("keep_target_used")
            written = build_database(target, current.state, current.tables, lines, current.last_ids())
            for name, checksum in written.items():
                if (checksum.rows, checksum.sha256) != (read[name].rows, read[name].sha256):
                    raise Refused("keep_differs", params={"part": name})
        return MoveResult(read, written, target.take_over())


def database_settings(url: str) -> dict[str, Any]:
    """Return Django's settings of the database at a URL. Raises Refused for other URLs."""
    if not url.startswith(("postgres://", "postgresql://", "sqlite:///")):
        raise Refused("keep_target_kind")
    try:
        config = database_config(url)
        backend = config["ENGINE"].rsplit(".", 1)[-1]
    except (ImproperlyConfigured, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("keep_target_kind") from error
    if backend not in ("sqlite3", "postgresql") or not config["NAME"] or config["NAME"] == ":memory:":
        raise Refused("keep_target_kind")
    config.setdefault("OPTIONS", {})
    if backend == "sqlite3":
        config["NAME"] = str(Path(config["NAME"]).absolute())
    return config


@contextmanager
def _check_unchanged(source: dict[str, Any]) -> Iterator[None]:
    """Raise Refused if the site runs when the block begins, or if its database was written to before it ends."""
    settings = snapshot.read_only_settings(source)
    if "sqlite3" not in source["ENGINE"]:
        with temporary_connection(ALIAS, copy.deepcopy(settings)) as alias:
            ensure_stopped.check_stopped(alias)
        yield
        with temporary_connection(ALIAS, settings) as alias:
            ensure_stopped.check_stopped(alias)
        return
    with temporary_connection(ALIAS, settings) as alias:
        ensure_stopped.check_stopped(alias)
    with closing(sqlite3.connect(source["NAME"])) as connection:
        version = connection.execute("PRAGMA data_version").fetchone()
        yield
        if connection.execute("PRAGMA data_version").fetchone() != version:
            raise Refused("keep_runs")
