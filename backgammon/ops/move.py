"""A site moves to another database: every row, counted and sealed on both sides. The old one is only read."""

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

from backgammon.ops import running, snapshot
from backgammon.ops.environment import database_of
from backgammon.ops.errors import Refused
from backgammon.ops.places import nothing_left_of, place_of
from backgammon.ops.restore import put_together
from backgammon.ops.states import lent
from backgammon.ops.tables import Seal, Table

ALIAS = "source"
WHERE = ("ENGINE", "NAME", "HOST", "PORT")


@dataclass(frozen=True)
class Moved:
    """The seal of each table here and there, and where a database now is that stood there with nobody in it."""

    here: dict[str, Seal]
    there: dict[str, Seal]
    aside: str | None

    @property
    def rows(self) -> int:
        return sum(seal.rows for seal in self.there.values())


def site_move(*, url: str) -> Moved:
    """Copy the site into the database at `url`, which holds nobody's data. Raises Refused; then nothing is there.

    The site must stand still: whoever writes to the old database meanwhile makes it fail.
    """
    settings = settings_of(url)
    source = connections["default"].settings_dict
    if all(str(settings[name]) == str(source[name]) for name in WHERE):
        raise Refused("keep_target_same")
    place = place_of(settings)
    here: dict[str, Seal] = {}

    def lines(table: Table) -> Iterator[bytes]:
        here[table.name] = Seal()
        return here[table.name].over(table.lines(snapshot.ALIAS))

    with snapshot.said_by_database(), running.nobody_starts(), nothing_left_of(place):
        with _untouched(source), snapshot.taken() as moment:
            place.check_alone()
            if place.used():
                raise Refused("keep_target_used")
            there = put_together(place, moment.state, moment.tables, lines, moment.last_numbers())
            for name, seal in there.items():
                if (seal.rows, seal.sha256) != (here[name].rows, here[name].sha256):
                    raise Refused("keep_differs", params={"what": name})
        return Moved(here, there, place.take_over())


def settings_of(url: str) -> dict[str, Any]:
    """The settings of a connection to the database at an address. Raises Refused for what is no such address."""
    if not url.startswith(("postgres://", "postgresql://", "sqlite:///")):
        raise Refused("keep_target_kind")
    try:
        found = database_of(url)
        kind = found["ENGINE"].rsplit(".", 1)[-1]
    except (ImproperlyConfigured, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("keep_target_kind") from error
    if kind not in ("sqlite3", "postgresql") or not found["NAME"] or found["NAME"] == ":memory:":
        raise Refused("keep_target_kind")
    found.setdefault("OPTIONS", {})
    if kind == "sqlite3":
        found["NAME"] = str(Path(found["NAME"]).absolute())
    return found


@contextmanager
def _untouched(source: dict[str, Any]) -> Iterator[None]:
    """Raises Refused when the site runs at the beginning, or somebody wrote to its database until the end."""
    settings = snapshot.reading(source)
    if "sqlite3" not in source["ENGINE"]:
        with lent(ALIAS, copy.deepcopy(settings)) as alias:
            running.check_stopped(alias)
        yield
        with lent(ALIAS, settings) as alias:
            running.check_stopped(alias)
        return
    with lent(ALIAS, settings) as alias:
        running.check_stopped(alias)
    with closing(sqlite3.connect(source["NAME"])) as connection:
        seen = connection.execute("PRAGMA data_version").fetchone()
        yield
        if connection.execute("PRAGMA data_version").fetchone() != seen:
            raise Refused("keep_runs")
