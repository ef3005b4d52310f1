"""The database of every release is read by this version, brought up to date, and has lost nothing."""

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
from backgammon.ops import states
from backgammon.ops.restore import site_restore
from games.events import state_of
from games.models import Action, Game, Match, Seat
from games.selectors.table import match_replay_state
from games.services import match_act, outage
from tests.conftest import ON_POSTGRES
from tests.ops.houses import standing
from tests.ops.releases import release, releases
from tests.services.environment import ROOT


@pytest.fixture
def new(bare: dict[str, Any], tmp_path: Path, settings: Any, django_db_blocker: Any) -> Any:
    """A machine on which nothing is yet, with this version's code."""
    settings.VAR_DIR = tmp_path / "var"
    if not ON_POSTGRES:
        Path(bare["NAME"]).parent.mkdir()
    with django_db_blocker.unblock(), standing(bare):
        yield bare


def rows_of(path: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table as they stand in a backup."""
    with zipfile.ZipFile(path) as archive:
        columns = json.loads(archive.read("manifest.json"))["tables"][table]["columns"]
        return [
            dict(zip(columns, json.loads(line), strict=True))
            for line in archive.read(f"tables/{table}.jsonl").splitlines()
        ]


@pytest.mark.parametrize("path", releases(), ids=lambda path: path.stem)
def test_an_older_site_comes_up_to_date_and_its_match_goes_on(path: Path, new: None, django_db_setup: None) -> None:
    site_restore(path=path)

    assert states.applied("default") == states.newest()
    connection.check_constraints()
    assert list(User.objects.filter(is_bot=False).order_by("pk").values_list("pk", "username", "password")) == [
        (row["id"], row["username"], row["password"]) for row in rows_of(path, "accounts_user") if not row["is_bot"]
    ]
    assert Club.objects.count() == len(rows_of(path, "accounts_club")) == 1
    assert list(Action.objects.order_by("match_id", "n").values_list("match_id", "n", "actor", "text")) == sorted(
        (row["match_id"], row["n"], row["actor"], row["text"]) for row in rows_of(path, "games_action")
    )
    for model, table in ((Match, "games_match"), (Seat, "games_seat"), (Game, "games_game")):
        assert model.objects.count() == len(rows_of(path, table)) > 0

    outage.beat()  # as the first web process does: the years since then count for nobody
    match = Match.objects.get(status=Match.Status.LIVE)
    state = state_of(match)
    assert match_replay_state(match) == state
    seat = match.seats.get(side=state.position.turn)
    answer = match_act(match_id=match.pk, user_id=seat.user_id, action="resign 1", client_id="a-1")
    assert answer.version == match.version + 1


def test_every_tagged_release_is_here() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return  # a download has no tags
    said = subprocess.run([git, "tag", "--list", "v*"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert [tag for tag in said.split() if not release(tag.removeprefix("v")).exists()] == []


def test_no_migration_hides_what_the_models_do_not_show() -> None:
    """A restore makes the tables from the models of their day: SQL beside them would be missing."""
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
