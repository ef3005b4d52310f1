"""Whole sites in databases of their own, which a test may back up, damage and replace.

One is populated for each test process; every test has a copy of it as `default`, and an empty folder beside it.
"""

from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from backgammon.ops import migration_state
from backgammon.ops.table_dump import checksum_of, tables_of
from tests.conftest import ON_POSTGRES
from tools.services.site import temporary_database

ODD = "tab\tback\\slash\nnew line 'quote' \"double\" \\N ñandú ☃ 🎲"
NUMBERS = {"b": 1e22, "a": [-0.0, 1.5, 1e-7, None, True, 12345678901234567890], "é": {"z": 1, "y": ODD}}


@dataclass(frozen=True)
class PreparedSite:
    """A site: its folder, and the settings of its database."""

    var: Path
    database: dict[str, Any]

    @property
    def file(self) -> Path:
        return Path(self.database["NAME"])


def populate() -> None:
    """Create users, a finished match, a match in play, a session, and values that are hard to convert."""
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import PlayerNote, User
    from backgammon.demo import prepare
    from games import services
    from games.models import Match, SiteHeartbeat
    from games.services import outage
    from tests.games.finished_matches import keep, sample

    prepare.seed(accounts=False)
    ana, bea, deleted = (
        User.objects.create_user(name, password="a-table-of-walnut") for name in ("ana", "bea", "gone")
    )
    deleted.delete()
    keep(sample("m18.mat"), ana, bea)
    seek = services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=True)
    match = services.match_join(match_id=seek.pk, user=bea)
    for user in (ana, bea):
        services.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id=f"act-{user.pk}")
    Match.objects.filter(status=Match.Status.OVER).update(options=NUMBERS)  # not used in play
    PlayerNote.objects.create(by=ana, about=bea, text=ODD)
    session = SessionStore()
    session["who"] = "ana"
    session.create()
    outage.beat()
    assert SiteHeartbeat.objects.exists()


def database_at(path_or_url: str) -> dict[str, Any]:
    """Return the settings of a connection to a file, or to a database by its URL."""
    from backgammon.ops.database_move import database_settings

    found = database_settings(path_or_url if "://" in path_or_url else f"sqlite:///{path_or_url}")
    if "sqlite3" in found["ENGINE"]:
        found["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
        }
    return found


@contextmanager
def as_default_database(database: dict[str, Any]) -> Iterator[None]:
    """Make this database `default` for the block."""
    with migration_state.temporary_connection("default", copy.deepcopy(database)):
        yield


def checksums() -> dict[str, tuple[int, str]]:
    """Return rows and SHA-256 of every table of `default`, with the models of this code."""
    found = (
        (table.name, checksum_of(table, "default"))
        for table in tables_of(migration_state.models_of(migration_state.latest()))
    )
    return {name: (seal.rows, seal.sha256) for name, seal in found}


def last_numbers() -> dict[str, int]:
    """Return the last number given to a row of each table, since numbers are never given twice."""
    tables = [table for table in tables_of(migration_state.models_of(migration_state.latest())) if table.auto_column]
    found = {}
    for table in tables:
        there = table.model._base_manager.using("default").order_by("-pk").values_list("pk", flat=True).first()
        found[table.name] = max(table.last_id("default"), there or 0)
    return found


@pytest.fixture(scope="session")
def populated_database(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any, valkey: str
) -> Iterator[str]:
    """The file or the URL of the site that every test has a copy of."""
    with ExitStack() as stack:
        path_or_url = str(tmp_path_factory.mktemp("populated_database") / "tablero.sqlite3")
        if ON_POSTGRES:
            path_or_url = stack.enter_context(
                temporary_database(os.environ["DATABASE_URL"], "tablero_populated", copied="template1")
            )
        state = migration_state.latest()
        with django_db_blocker.unblock(), as_default_database(database_at(path_or_url)):
            migration_state.create_tables("default", state, migration_state.models_of(state))
            migration_state.migrate_to_latest()
            populate()
            connections["default"].close()
        yield path_or_url


@pytest.fixture
def prepared_site(
    populated_database: str, tmp_path: Path, settings: Any, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PreparedSite]:
    """A site of the test's own."""
    var = tmp_path / "var"
    var.mkdir()
    (var / "secret_key").write_text("the key of the site")
    (var / "vapid_key").write_text("the key of its notices")
    settings.VAR_DIR = var
    monkeypatch.delenv("LANG", raising=False)
    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())
        if ON_POSTGRES:
            url = stack.enter_context(
                temporary_database(
                    os.environ["DATABASE_URL"], "tablero_prepared", copied=populated_database.rsplit("/", 1)[1]
                )
            )
            database = database_at(url)
        else:
            shutil.copy(populated_database, var / "tablero.sqlite3")
            database = database_at(str(var / "tablero.sqlite3"))
        stack.enter_context(as_default_database(database))
        yield PreparedSite(var, database)


@pytest.fixture
def empty_database(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """An empty database of the same kind."""
    with ExitStack() as stack:
        if ON_POSTGRES:
            yield database_at(
                stack.enter_context(temporary_database(os.environ["DATABASE_URL"], "tablero_empty", copied="template1"))
            )
        else:
            yield database_at(str(tmp_path / "empty_database" / "tablero.sqlite3"))
