"""`manage.py restore`: the site of the backup, or no change."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection, connections
from django.db.models import F
from django.utils import timezone

from accounts.models import PlayerNote, User
from backgammon.demo import prepare
from backgammon.ops import ensure_stopped, migration_state
from backgammon.ops.restore import site_restore
from games.models import Match, SiteHeartbeat
from games.services import outage
from tests.conftest import ON_POSTGRES
from tests.ops.prepared_sites import PreparedSite, as_default_database, checksums, database_at, last_numbers
from tests.ops.test_backup import manifest_of, output_of

AGO = timedelta(hours=1)


@pytest.fixture
def kept(prepared_site: PreparedSite, tmp_path: Path) -> Path:
    """A backup of the prepared site, whose heartbeat stopped an hour ago."""
    SiteHeartbeat.objects.update(at=timezone.now() - AGO)
    Match.objects.filter(status=Match.Status.LIVE).update(clock_at=F("clock_at") - AGO, flag_at=F("flag_at") - AGO)
    path = tmp_path / "club.zip"
    output_of("backup", str(path))
    return path


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Close connections of this process at once, so that no test waits for closed ones."""
    monkeypatch.setattr(ensure_stopped, "CLOSE_DELAY", 0.5)


def spoil() -> None:
    """Change the prepared site."""
    PlayerNote.objects.all().delete()
    User.objects.create_user("later")


def tables_there() -> set[str]:
    """Return every schema or file of a database that is being built or was replaced."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tablero%'")
        return {name for (name,) in cursor.fetchall()}


def strangers(prepared_site: PreparedSite) -> set[str]:
    """Return unexpected files beside the database."""
    if ON_POSTGRES:
        return tables_there()
    return {each.name for each in prepared_site.var.iterdir() if "making" in each.name or "before" in each.name}


def forged(path: Path, **members: bytes | None) -> Path:
    """Write the same backup with other members; names have `__` for `/`."""
    other = path.with_name("forged.zip")
    new = {name.replace("__", "/"): text for name, text in members.items()}
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            text = new.get(name, source.read(name))
            if text is not None:
                target.writestr(name, text)
    return other


def changed(path: Path, **parts: Any) -> Path:
    """Write the same backup with another manifest."""
    return forged(path, **{"manifest.json": json.dumps(manifest_of(path) | parts).encode()})


def test_an_empty_machine_gets_every_row_and_every_key(
    prepared_site: PreparedSite, kept: Path, empty_database: dict[str, Any], tmp_path: Path, settings: Any
) -> None:
    before, numbers = checksums(), last_numbers()
    settings.VAR_DIR = tmp_path / "new"
    with as_default_database(empty_database):
        line = output_of("restore", str(kept))

        assert checksums() == before
        assert last_numbers() == numbers
        assert numbers["accounts_user"] > max(User.objects.values_list("pk", flat=True))
        assert User.objects.create_user("carlos").pk == numbers["accounts_user"] + 1
        assert User.objects.get(username="ana").check_password("a-table-of-walnut")
    assert (tmp_path / "new" / "secret_key").read_text() == "the key of the site"
    assert (tmp_path / "new" / "vapid_key").read_text() == "the key of its notices"
    assert line.startswith(f"Restored and verified: {sum(rows for rows, _ in before.values())} rows.")
    assert "previous version" not in line


def test_a_database_with_data_is_replaced_only_with_the_option(prepared_site: PreparedSite, kept: Path) -> None:
    spoil()
    spoilt = checksums()
    connections["default"].close()

    with pytest.raises(CommandError, match="The database is not empty"):
        output_of("restore", str(kept))

    assert checksums() == spoilt
    assert strangers(prepared_site) == set()


def test_the_replaced_database_is_kept(prepared_site: PreparedSite, kept: Path) -> None:
    before = checksums()
    spoil()
    spoilt = checksums()
    (prepared_site.var / "secret_key").write_text("another key")
    connections["default"].close()

    line = output_of("restore", "--replace", str(kept))

    assert checksums() == before
    aside = next(words.split()[-1] for words in line.splitlines() if "before" in words).rstrip(".")
    with as_default_database(database_at(aside) if not ON_POSTGRES else _in_schema(prepared_site, aside)):
        assert checksums() == spoilt
    assert (prepared_site.var / "secret_key").read_text() == "the key of the site"
    [other] = prepared_site.var.glob("secret_key.before_*")
    assert other.read_text() == "another key"


def _in_schema(prepared_site: PreparedSite, schema: str) -> dict[str, Any]:
    return prepared_site.database | {"OPTIONS": {"options": f"-c search_path={schema}"}}


def test_a_database_without_users_is_replaced_without_the_option(
    prepared_site: PreparedSite, kept: Path, empty_database: dict[str, Any], tmp_path: Path, settings: Any
) -> None:
    before = checksums()
    settings.VAR_DIR = tmp_path / "new"
    Path(empty_database["NAME"]).parent.mkdir(exist_ok=True) if not ON_POSTGRES else None
    with as_default_database(empty_database):
        migration_state.create_tables(
            "default", migration_state.latest(), migration_state.models_of(migration_state.latest())
        )
        migration_state.migrate_to_latest()
        prepare.seed(accounts=False)
        assert User.objects.count() > 0
        connections["default"].close()

        output_of("restore", str(kept))

        assert checksums() == before


@contextmanager
def beating(database: dict[str, Any]) -> Iterator[None]:
    """Run a heartbeat as another web process; on PostgreSQL it hides its connection."""
    over = threading.Event()

    def beat() -> None:
        with as_default_database(database):
            while not over.wait(0.1):
                SiteHeartbeat.objects.update(at=timezone.now())

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_running_site_is_refused(prepared_site: PreparedSite, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil()
    connections["default"].close()
    monkeypatch.setattr(ensure_stopped, "check_unconnected", lambda alias: None)
    with beating(prepared_site.database), pytest.raises(CommandError, match="The site is running"):
        output_of("restore", "--replace", str(kept))

    with (
        prepare.exclusive_lock(prepare.make_folders(prepared_site.var)),
        pytest.raises(CommandError, match="The site is running"),
    ):
        output_of("restore", "--replace", str(kept))

    assert User.objects.filter(username="later").exists()
    assert strangers(prepared_site) == set()


def test_an_idle_worker_is_found_by_its_connection(prepared_site: PreparedSite, kept: Path) -> None:
    spoil()
    assert User.objects.exists()  # `default` is open, as in a worker

    with pytest.raises(
        CommandError, match="Other connections to the database" if ON_POSTGRES else "The site is running"
    ):
        output_of("restore", "--replace", str(kept))

    assert User.objects.filter(username="later").exists()


def test_a_heartbeat_that_has_just_stopped_does_not_count_as_running(prepared_site: PreparedSite, kept: Path) -> None:
    SiteHeartbeat.objects.update(at=timezone.now() - timedelta(seconds=4))
    connections["default"].close()
    begun = time.monotonic()

    output_of("restore", "--replace", str(kept))

    assert time.monotonic() - begun > 0.9  # it was watched as long as it would count


@pytest.mark.parametrize("size", [0, 10, 3000, -30])
def test_a_truncated_file_changes_nothing(prepared_site: PreparedSite, kept: Path, size: int) -> None:
    torn = kept.with_name("torn.zip")
    torn.write_bytes(kept.read_bytes()[:size])
    connections["default"].close()
    with pytest.raises(CommandError, match=r"torn.zip is not a Tablero backup"):
        output_of("restore", "--replace", str(torn))
    assert strangers(prepared_site) == set()


def test_a_file_that_is_not_a_backup_is_refused(prepared_site: PreparedSite, kept: Path, tmp_path: Path) -> None:
    connections["default"].close()
    for name, text in {"page.html": b"<html>", "other.zip": None}.items():
        path = tmp_path / name
        if text is None:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("readme", "hello")
        else:
            path.write_bytes(text)
        with pytest.raises(CommandError, match="is not a Tablero backup"):
            output_of("restore", "--replace", str(path))
    with pytest.raises(CommandError, match=r"Could not read .*: No such file"):
        output_of("restore", "--replace", str(tmp_path / "nowhere.zip"))


def test_one_changed_byte_is_found_before_anything_is_written(prepared_site: PreparedSite, kept: Path) -> None:
    with zipfile.ZipFile(kept) as archive:
        people = archive.read("tables/accounts_user.jsonl")
    connections["default"].close()
    for wrong in (people.replace(b'"ana"', b'"eva"', 1), people[: people.index(b"\n") + 1], b""):
        with pytest.raises(CommandError, match=r"damaged: the check of tables/accounts_user.jsonl failed"):
            output_of("restore", "--replace", str(forged(kept, **{"tables__accounts_user.jsonl": wrong})))
    with pytest.raises(CommandError, match=r"damaged: the check of tables/accounts_user.jsonl"):
        output_of("restore", "--replace", str(forged(kept, **{"tables__accounts_user.jsonl": None})))
    with pytest.raises(CommandError, match="damaged: the check of keys/secret_key"):
        output_of("restore", "--replace", str(forged(kept, keys__secret_key=b"my own")))
    broken = kept.read_bytes()
    at = broken.index(b"tables/games_action.jsonl") + 60
    kept.write_bytes(broken[:at] + bytes([broken[at] ^ 255]) + broken[at + 1 :])
    with pytest.raises(CommandError, match=r"damaged: the check of tables/games_action.jsonl"):
        output_of("restore", "--replace", str(kept))
    assert (prepared_site.var / "secret_key").read_text() == "the key of the site"
    assert strangers(prepared_site) == set()


def test_a_newer_version_is_named(prepared_site: PreparedSite, kept: Path) -> None:
    connections["default"].close()
    migrations = manifest_of(kept)["migrations"]
    newer = changed(kept, version="9.9.9", migrations=migrations | {"games": [*migrations["games"], "0999_later"]})
    with pytest.raises(
        CommandError,
        match=r"made by Tablero 9.9.9 and contains data that this version does not support \(games.0999_later\)",
    ):
        output_of("restore", "--replace", str(newer))
    with pytest.raises(CommandError, match=r"made by a newer version of Tablero \(9.9.9\)"):
        output_of("restore", "--replace", str(changed(kept, version="9.9.9", format="tablero-backup/2")))


@pytest.mark.parametrize(
    "parts",
    [
        {"tables": []},
        {"migrations": {"games": "0001_initial"}},
        {"migrations": {"games": [1]}},
        {"tables": {"accounts_user": {"rows": "many", "columns": [], "sha256": ""}}},
        {"keys": {"secret_key": "mine"}},
        {"format": 7},
    ],
)
def test_a_malformed_manifest_is_refused(prepared_site: PreparedSite, kept: Path, parts: dict[str, Any]) -> None:
    connections["default"].close()
    with pytest.raises(CommandError, match="is not a Tablero backup"):
        output_of("restore", "--replace", str(changed(kept, **parts)))


def test_tables_that_do_not_match_their_version_are_damaged(prepared_site: PreparedSite, kept: Path) -> None:
    connections["default"].close()
    tables = manifest_of(kept)["tables"]
    del tables["accounts_user"]
    with pytest.raises(CommandError, match=r"damaged: the check of manifest.json"):
        output_of("restore", "--replace", str(changed(kept, tables=tables)))


def test_invalid_rows_leave_everything_unchanged(prepared_site: PreparedSite, kept: Path) -> None:
    spoil()
    spoilt = checksums()
    connections["default"].close()
    with zipfile.ZipFile(kept) as archive:
        people = archive.read("tables/accounts_user.jsonl")
    twice = people + people.splitlines(keepends=True)[0]
    tables = manifest_of(kept)["tables"]
    tables["accounts_user"] |= {"rows": twice.count(b"\n"), "sha256": hashlib.sha256(twice).hexdigest()}
    shutil.move(forged(kept, **{"tables__accounts_user.jsonl": twice}), kept)

    with pytest.raises(CommandError, match=r"Database error: .*(UNIQUE|unique)"):
        output_of("restore", "--replace", str(changed(kept, tables=tables)))

    assert checksums() == spoilt
    assert strangers(prepared_site) == set()


def test_match_clocks_get_back_the_time_since_the_backup(prepared_site: PreparedSite, kept: Path) -> None:
    def clock() -> Any:
        return Match.objects.get(status=Match.Status.LIVE).flag_at

    flag, alive = clock(), SiteHeartbeat.objects.get().at
    spoil()
    Match.objects.all().delete()
    connections["default"].close()

    site_restore(path=kept, replace=True)

    assert (clock(), SiteHeartbeat.objects.get().at) == (flag, alive)
    assert outage.beat() == 1
    gap = SiteHeartbeat.objects.get().at - alive
    assert gap >= AGO
    assert clock() - flag == gap


def test_the_schema_is_the_one_of_the_migrations(
    prepared_site: PreparedSite, django_db_setup: None, tmp_path: Path, transactional_db: None
) -> None:
    built = shape()
    with as_default_database(connections.settings["default"] | {"NAME": migrated_name()}):
        assert shape() == built


def migrated_name() -> str:
    """The test database, which pytest created migration by migration."""
    from django.conf import settings

    return str(settings.DATABASES["default"]["NAME"])


def shape() -> dict[str, Any]:
    """Return columns, keys, indexes and constraints of every table, in any order."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        return {name: _shape_of(cursor, name) for name in names}


def _shape_of(cursor: Any, name: str) -> Any:
    if ON_POSTGRES:
        cursor.execute(
            "SELECT column_name, data_type, character_maximum_length, is_nullable, identity_generation, collation_name"
            " FROM information_schema.columns WHERE table_name = %s AND table_schema = current_schema()",
            [name],
        )
        columns = sorted(map(str, cursor.fetchall()))
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = quote_ident(%s)::regclass",
            [name],
        )
        limits = sorted(map(str, cursor.fetchall()))
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s", [name])
        return columns, limits, sorted(map(str, cursor.fetchall()))
    cursor.execute(f'PRAGMA table_xinfo("{name}")')
    columns = sorted(str(row[1:4] + row[5:]) for row in cursor.fetchall())
    cursor.execute(f'PRAGMA foreign_key_list("{name}")')
    keys = sorted(str(row[2:]) for row in cursor.fetchall())
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = %s AND sql != ''", [name])
    indexes = sorted(map(str, cursor.fetchall()))
    cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = %s", [name])
    (text,) = cursor.fetchone()
    limits = sorted(words.split('"')[1] for words in text.split("CONSTRAINT ")[1:] if words.startswith('"'))
    with closing(connection.connection.execute(f'PRAGMA index_list("{name}")')) as found:
        unique = sum(row[2] for row in found)
    return columns, keys, indexes, limits, unique
