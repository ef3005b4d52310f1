"""`manage.py restore`: the site as it was, or nothing changed."""

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
from backgammon.ops import running, states
from backgammon.ops.restore import site_restore
from games.models import Alive, Match
from games.services import outage
from tests.conftest import ON_POSTGRES
from tests.ops.houses import House, database_at, last_numbers, seals, standing
from tests.ops.test_backup import manifest_of, said

AGO = timedelta(hours=1)


@pytest.fixture
def kept(house: House, tmp_path: Path) -> Path:
    """A backup of the house, whose heartbeat stopped an hour ago."""
    Alive.objects.update(at=timezone.now() - AGO)
    Match.objects.filter(status=Match.Status.LIVE).update(clock_at=F("clock_at") - AGO, flag_at=F("flag_at") - AGO)
    path = tmp_path / "club.zip"
    said("backup", str(path))
    return path


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections of this process are gone at once: nobody need wait for those that are not."""
    monkeypatch.setattr(running, "HANGS_UP", 0.5)


def spoil() -> None:
    """The house is not what it was."""
    PlayerNote.objects.all().delete()
    User.objects.create_user("later")


def tables_there() -> set[str]:
    """Every schema and file name of a database that is being made, or was put aside."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tablero%'")
        return {name for (name,) in cursor.fetchall()}


def strangers(house: House) -> set[str]:
    """What stands beside the database: it should be nothing."""
    if ON_POSTGRES:
        return tables_there()
    return {each.name for each in house.var.iterdir() if "making" in each.name or "before" in each.name}


def forged(path: Path, **members: bytes | None) -> Path:
    """The same backup with other members; names are written with `__` for `/`."""
    other = path.with_name("forged.zip")
    new = {name.replace("__", "/"): text for name, text in members.items()}
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            text = new.get(name, source.read(name))
            if text is not None:
                target.writestr(name, text)
    return other


def changed(path: Path, **parts: Any) -> Path:
    """The same backup with another manifest."""
    return forged(path, **{"manifest.json": json.dumps(manifest_of(path) | parts).encode()})


def test_into_nothing_every_row_comes_back_and_every_key(
    house: House, kept: Path, bare: dict[str, Any], tmp_path: Path, settings: Any
) -> None:
    before, numbers = seals(), last_numbers()
    settings.VAR_DIR = tmp_path / "new"
    with standing(bare):
        line = said("restore", str(kept))

        assert seals() == before
        assert last_numbers() == numbers
        assert numbers["accounts_user"] > max(User.objects.values_list("pk", flat=True))
        assert User.objects.create_user("carlos").pk == numbers["accounts_user"] + 1
        assert User.objects.get(username="ana").check_password("a-table-of-walnut")
    assert (tmp_path / "new" / "secret_key").read_text() == "the key of the site"
    assert (tmp_path / "new" / "vapid_key").read_text() == "the key of its notices"
    assert line.startswith(f"{sum(rows for rows, _ in before.values())} rows are back")
    assert "before" not in line


def test_a_database_in_use_is_replaced_only_when_that_is_said(house: House, kept: Path) -> None:
    spoil()
    spoilt = seals()
    connections["default"].close()

    with pytest.raises(CommandError, match="The database is not empty"):
        said("restore", str(kept))

    assert seals() == spoilt
    assert strangers(house) == set()


def test_what_was_there_before_is_kept(house: House, kept: Path) -> None:
    before = seals()
    spoil()
    spoilt = seals()
    (house.var / "secret_key").write_text("another key")
    connections["default"].close()

    line = said("restore", "--replace", str(kept))

    assert seals() == before
    aside = next(words.split()[-1] for words in line.splitlines() if "before" in words).rstrip(".")
    with standing(database_at(aside) if not ON_POSTGRES else _in_schema(house, aside)):
        assert seals() == spoilt
    assert (house.var / "secret_key").read_text() == "the key of the site"
    [other] = house.var.glob("secret_key.before_*")
    assert other.read_text() == "another key"


def _in_schema(house: House, schema: str) -> dict[str, Any]:
    return house.database | {"OPTIONS": {"options": f"-c search_path={schema}"}}


def test_a_database_with_nobody_in_it_needs_no_word(
    house: House, kept: Path, bare: dict[str, Any], tmp_path: Path, settings: Any
) -> None:
    before = seals()
    settings.VAR_DIR = tmp_path / "new"
    Path(bare["NAME"]).parent.mkdir(exist_ok=True) if not ON_POSTGRES else None
    with standing(bare):
        states.build("default", states.newest(), states.models_of(states.newest()))
        states.migrate_on()
        prepare.seed(accounts=False)
        assert User.objects.count() > 0
        connections["default"].close()

        said("restore", str(kept))

        assert seals() == before


@contextmanager
def beating(database: dict[str, Any]) -> Iterator[None]:
    """A web process elsewhere says that it is alive; on PostgreSQL it hides its connection."""
    over = threading.Event()

    def beat() -> None:
        with standing(database):
            while not over.wait(0.1):
                Alive.objects.update(at=timezone.now())

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_it_waits_for_the_site_to_stop(house: House, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil()
    connections["default"].close()
    monkeypatch.setattr(running, "check_unconnected", lambda alias: None)
    with beating(house.database), pytest.raises(CommandError, match="The site is running"):
        said("restore", "--replace", str(kept))

    with prepare.held(prepare.make_folders(house.var)), pytest.raises(CommandError, match="The site is running"):
        said("restore", "--replace", str(kept))

    assert User.objects.filter(username="later").exists()
    assert strangers(house) == set()


def test_a_worker_that_says_nothing_is_found_by_its_connection(house: House, kept: Path) -> None:
    spoil()
    assert User.objects.exists()  # `default` is open, as that of a worker is

    with pytest.raises(CommandError, match="programs are connected" if ON_POSTGRES else "The site is running"):
        said("restore", "--replace", str(kept))

    assert User.objects.filter(username="later").exists()


def test_a_heartbeat_that_has_just_stopped_is_no_running_site(house: House, kept: Path) -> None:
    Alive.objects.update(at=timezone.now() - timedelta(seconds=4))
    connections["default"].close()
    begun = time.monotonic()

    said("restore", "--replace", str(kept))

    assert time.monotonic() - begun > 0.9  # it was watched for as long as it counted


@pytest.mark.parametrize("size", [0, 10, 3000, -30])
def test_a_torn_file_changes_nothing(house: House, kept: Path, size: int) -> None:
    torn = kept.with_name("torn.zip")
    torn.write_bytes(kept.read_bytes()[:size])
    connections["default"].close()
    with pytest.raises(CommandError, match=r"torn.zip is not a backup of Tablero"):
        said("restore", "--replace", str(torn))
    assert strangers(house) == set()


def test_a_file_that_is_no_backup_is_said(house: House, kept: Path, tmp_path: Path) -> None:
    connections["default"].close()
    for name, text in {"page.html": b"<html>", "other.zip": None}.items():
        path = tmp_path / name
        if text is None:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("readme", "hello")
        else:
            path.write_bytes(text)
        with pytest.raises(CommandError, match="is not a backup of Tablero"):
            said("restore", "--replace", str(path))
    with pytest.raises(CommandError, match="could not be read: No such file"):
        said("restore", "--replace", str(tmp_path / "nowhere.zip"))


def test_one_changed_letter_is_found_before_anything_is_written(house: House, kept: Path) -> None:
    with zipfile.ZipFile(kept) as archive:
        people = archive.read("tables/accounts_user.jsonl")
    connections["default"].close()
    for wrong in (people.replace(b'"ana"', b'"eva"', 1), people[: people.index(b"\n") + 1], b""):
        with pytest.raises(CommandError, match=r"damaged: tables/accounts_user.jsonl is not what was written"):
            said("restore", "--replace", str(forged(kept, **{"tables__accounts_user.jsonl": wrong})))
    with pytest.raises(CommandError, match=r"damaged: tables/accounts_user.jsonl"):
        said("restore", "--replace", str(forged(kept, **{"tables__accounts_user.jsonl": None})))
    with pytest.raises(CommandError, match="damaged: keys/secret_key"):
        said("restore", "--replace", str(forged(kept, keys__secret_key=b"my own")))
    broken = kept.read_bytes()
    at = broken.index(b"tables/games_action.jsonl") + 60
    kept.write_bytes(broken[:at] + bytes([broken[at] ^ 255]) + broken[at + 1 :])
    with pytest.raises(CommandError, match=r"damaged: tables/games_action.jsonl"):
        said("restore", "--replace", str(kept))
    assert (house.var / "secret_key").read_text() == "the key of the site"
    assert strangers(house) == set()


def test_a_newer_version_is_asked_for_by_name(house: House, kept: Path) -> None:
    connections["default"].close()
    migrations = manifest_of(kept)["migrations"]
    newer = changed(kept, version="9.9.9", migrations=migrations | {"games": [*migrations["games"], "0999_later"]})
    with pytest.raises(
        CommandError, match=r"made by Tablero 9.9.9, which knows more than this one \(games.0999_later\)"
    ):
        said("restore", "--replace", str(newer))
    with pytest.raises(CommandError, match=r"made by a newer Tablero \(9.9.9\)"):
        said("restore", "--replace", str(changed(kept, version="9.9.9", format="tablero-backup/2")))


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
def test_a_manifest_of_another_shape_is_no_backup(house: House, kept: Path, parts: dict[str, Any]) -> None:
    connections["default"].close()
    with pytest.raises(CommandError, match="is not a backup of Tablero"):
        said("restore", "--replace", str(changed(kept, **parts)))


def test_tables_that_do_not_fit_their_version_are_damage(house: House, kept: Path) -> None:
    connections["default"].close()
    tables = manifest_of(kept)["tables"]
    del tables["accounts_user"]
    with pytest.raises(CommandError, match=r"damaged: manifest.json"):
        said("restore", "--replace", str(changed(kept, tables=tables)))


def test_rows_that_the_tables_refuse_leave_everything_as_it_was(house: House, kept: Path) -> None:
    spoil()
    spoilt = seals()
    connections["default"].close()
    with zipfile.ZipFile(kept) as archive:
        people = archive.read("tables/accounts_user.jsonl")
    twice = people + people.splitlines(keepends=True)[0]
    tables = manifest_of(kept)["tables"]
    tables["accounts_user"] |= {"rows": twice.count(b"\n"), "sha256": hashlib.sha256(twice).hexdigest()}
    shutil.move(forged(kept, **{"tables__accounts_user.jsonl": twice}), kept)

    with pytest.raises(CommandError, match=r"The database says: .*(UNIQUE|unique)"):
        said("restore", "--replace", str(changed(kept, tables=tables)))

    assert seals() == spoilt
    assert strangers(house) == set()


def test_the_clocks_get_back_all_the_time_since_the_backup(house: House, kept: Path) -> None:
    def clock() -> Any:
        return Match.objects.get(status=Match.Status.LIVE).flag_at

    flag, alive = clock(), Alive.objects.get().at
    spoil()
    Match.objects.all().delete()
    connections["default"].close()

    site_restore(path=kept, replace=True)

    assert (clock(), Alive.objects.get().at) == (flag, alive)
    assert outage.beat() == 1
    gap = Alive.objects.get().at - alive
    assert gap >= AGO
    assert clock() - flag == gap


def test_the_tables_are_those_that_the_migrations_make(
    house: House, django_db_setup: None, tmp_path: Path, transactional_db: None
) -> None:
    built = shape()
    with standing(connections.settings["default"] | {"NAME": migrated_name()}):
        assert shape() == built


def migrated_name() -> str:
    """The test database, which pytest made migration by migration."""
    from django.conf import settings

    return str(settings.DATABASES["default"]["NAME"])


def shape() -> dict[str, Any]:
    """Columns, keys, indexes and constraints of every table, whatever their order."""
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
