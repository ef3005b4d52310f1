"""Whole sites in databases of their own, which a test may back up, spoil and replace.

One is furnished for each test process; every test has a copy of it as `default`, and an empty folder beside it.
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

from backgammon.ops import states
from backgammon.ops.tables import seal_of, tables_of
from tests.conftest import ON_POSTGRES
from tests.services.site import own_database

ODD = "tab\tback\\slash\nnew line 'quote' \"double\" \\N ñandú ☃ 🎲"
NUMBERS = {"b": 1e22, "a": [-0.0, 1.5, 1e-7, None, True, 12345678901234567890], "é": {"z": 1, "y": ODD}}


@dataclass(frozen=True)
class House:
    """A site: its folder, and the settings of its database."""

    var: Path
    database: dict[str, Any]

    @property
    def file(self) -> Path:
        return Path(self.database["NAME"])


def furnish() -> None:
    """People, a match that is over, one that is being played, a session, and values that are hard to carry."""
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import PlayerNote, User
    from backgammon.demo import prepare
    from games import services
    from games.models import Alive, Match
    from games.services import outage
    from tests.games.finished import keep, sample

    prepare.seed(accounts=False)
    ana, bea, gone = (User.objects.create_user(name, password="a-table-of-walnut") for name in ("ana", "bea", "gone"))
    gone.delete()
    keep(sample("m18.mat"), ana, bea)
    seek = services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=True)
    match = services.match_join(match_id=seek.pk, user=bea)
    for user in (ana, bea):
        services.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id=f"act-{user.pk}")
    Match.objects.filter(status=Match.Status.OVER).update(options=NUMBERS)  # nobody plays by them
    PlayerNote.objects.create(by=ana, about=bea, text=ODD)
    session = SessionStore()
    session["who"] = "ana"
    session.create()
    outage.beat()
    assert Alive.objects.exists()


def database_at(where: str) -> dict[str, Any]:
    """The settings of a connection to a file, or to a database by its URL."""
    from backgammon.ops.move import settings_of

    found = settings_of(where if "://" in where else f"sqlite:///{where}")
    if "sqlite3" in found["ENGINE"]:
        found["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
        }
    return found


@contextmanager
def standing(database: dict[str, Any]) -> Iterator[None]:
    """`default` is this database."""
    with states.lent("default", copy.deepcopy(database)):
        yield


def seals() -> dict[str, tuple[int, str]]:
    """Rows and SHA-256 of every table of `default` as this code knows them."""
    found = ((table.name, seal_of(table, "default")) for table in tables_of(states.models_of(states.newest())))
    return {name: (seal.rows, seal.sha256) for name, seal in found}


def last_numbers() -> dict[str, int]:
    """The number below that of the next row of each table: none that has been given is given again."""
    tables = [table for table in tables_of(states.models_of(states.newest())) if table.counted]
    found = {}
    for table in tables:
        there = table.model._base_manager.using("default").order_by("-pk").values_list("pk", flat=True).first()
        found[table.name] = max(table.last_number("default"), there or 0)
    return found


@pytest.fixture(scope="session")
def furnished(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any, valkey: str
) -> Iterator[str]:
    """The file or the URL of the site of which every test has a copy."""
    with ExitStack() as stack:
        where = str(tmp_path_factory.mktemp("furnished") / "tablero.sqlite3")
        if ON_POSTGRES:
            where = stack.enter_context(
                own_database(os.environ["DATABASE_URL"], "tablero_furnished", copied="template1")
            )
        state = states.newest()
        with django_db_blocker.unblock(), standing(database_at(where)):
            states.build("default", state, states.models_of(state))
            states.migrate_on()
            furnish()
            connections["default"].close()
        yield where


@pytest.fixture
def house(
    furnished: str, tmp_path: Path, settings: Any, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
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
                own_database(os.environ["DATABASE_URL"], "tablero_house", copied=furnished.rsplit("/", 1)[1])
            )
            database = database_at(url)
        else:
            shutil.copy(furnished, var / "tablero.sqlite3")
            database = database_at(str(var / "tablero.sqlite3"))
        stack.enter_context(standing(database))
        yield House(var, database)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """A database of the same kind in which nothing is yet."""
    with ExitStack() as stack:
        if ON_POSTGRES:
            yield database_at(
                stack.enter_context(own_database(os.environ["DATABASE_URL"], "tablero_bare", copied="template1"))
            )
        else:
            yield database_at(str(tmp_path / "bare" / "tablero.sqlite3"))
