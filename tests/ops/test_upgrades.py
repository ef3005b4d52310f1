"""Databases of earlier releases are restored by this version, migrated, and lose nothing.

So is a database of this version, made by the command that keeps one at each release.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from accounts.models import Club, User
from backgammon.ops import migration_state
from backgammon.ops.restore import site_restore
from games.events import state_of
from games.models import Action, Game, Match, Seat
from games.services import match_act, outage
from tests.conftest import ON_POSTGRES
from tests.ops.prepared_sites import as_default_database
from tests.replayed_state import replayed_state
from tools.release_database import make_backup, release_path, released_databases
from tools.services.environment import ROOT


@pytest.fixture(scope="session")
def backup_of_this_version(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: Any, valkey: str
) -> Path:
    """The database of this version, as `python -m tools.release_database add` keeps it at a release."""
    with django_db_blocker.unblock():
        return make_backup(tmp_path_factory.mktemp("releases") / "this-version.zip")


@pytest.fixture(params=[None, *released_databases()], ids=lambda path: path.stem if path else "this-version")
def backup(request: pytest.FixtureRequest) -> Path:
    """The backup of one version, this one included."""
    return request.param or request.getfixturevalue("backup_of_this_version")


@pytest.fixture
def new(empty_database: dict[str, Any], tmp_path: Path, settings: Any, django_db_blocker: Any) -> Any:
    """An empty machine with the code of this version."""
    settings.VAR_DIR = tmp_path / "var"
    if not ON_POSTGRES:
        Path(empty_database["NAME"]).parent.mkdir()
    with django_db_blocker.unblock(), as_default_database(empty_database):
        yield empty_database


def rows_of(path: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table in a backup."""
    with zipfile.ZipFile(path) as archive:
        columns = json.loads(archive.read("manifest.json"))["tables"][table]["columns"]
        return [
            dict(zip(columns, json.loads(line), strict=True))
            for line in archive.read(f"tables/{table}.jsonl").splitlines()
        ]


def test_a_released_site_is_upgraded_and_its_match_continues(backup: Path, new: None, django_db_setup: None) -> None:
    site_restore(path=backup)

    assert migration_state.applied("default") == migration_state.latest()
    connection.check_constraints()
    assert list(User.objects.filter(is_bot=False).order_by("pk").values_list("pk", "username", "password")) == [
        (row["id"], row["username"], row["password"]) for row in rows_of(backup, "accounts_user") if not row["is_bot"]
    ]
    assert Club.objects.count() == len(rows_of(backup, "accounts_club")) == 1
    assert list(Action.objects.order_by("match_id", "n").values_list("match_id", "n", "actor", "text")) == sorted(
        (row["match_id"], row["n"], row["actor"], row["text"]) for row in rows_of(backup, "games_action")
    )
    for model, table in ((Match, "games_match"), (Seat, "games_seat"), (Game, "games_game")):
        assert model.objects.count() == len(rows_of(backup, table)) > 0

    outage.beat()  # as the first web process does: the time since the backup counts for nobody
    match = Match.objects.get(status=Match.Status.LIVE)
    state = state_of(match)
    assert replayed_state(match) == state
    seat = match.seats.get(side=state.position.turn)
    answer = match_act(match_id=match.pk, user_id=seat.user_id, action="resign 1", client_id="a-1")
    assert answer.version == match.version + 1


def test_the_database_of_every_tagged_release_is_kept() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return  # a download has no tags
    done = subprocess.run([git, "tag", "--list", "v*"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [tag for tag in done.stdout.split() if not release_path(tag.removeprefix("v")).exists()] == []


def test_no_migration_changes_the_schema_beside_the_models() -> None:
    """A restore creates the tables from the models of a version: SQL that they do not show would be missing."""
    from django.db.migrations.loader import MigrationLoader
    from django.db.migrations.operations import RunSQL, SeparateDatabaseAndState

    nodes = MigrationLoader(None).graph.nodes
    found = [
        f"{app}.{name}"
        for app, name in nodes
        for operation in nodes[app, name].operations
        if isinstance(operation, RunSQL | SeparateDatabaseAndState)
    ]
    assert found == []
