"""`manage.py backup`: a consistent backup in one file, complete or not there at all."""

from __future__ import annotations

import hashlib
import io
import json
import resource
import secrets
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from accounts.models import PlayerNote, User
from backgammon.ops import snapshot
from backgammon.ops.table_dump import canonical_json
from tests.ops.prepared_sites import ODD, PreparedSite, checksums


def output_of(*words: str) -> str:
    """Return the output of a command. Raises CommandError."""
    out = io.StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def manifest_of(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))


def test_a_backup_has_every_row_and_every_key(prepared_site: PreparedSite, tmp_path: Path) -> None:
    path = tmp_path / "club.zip"

    line = output_of("backup", str(path))

    manifest = manifest_of(path)
    assert {name: (table["rows"], table["sha256"]) for name, table in manifest["tables"].items()} == checksums()
    assert sum(table["rows"] for table in manifest["tables"].values()) > 100
    with zipfile.ZipFile(path) as archive:
        for name, table in manifest["tables"].items():
            assert hashlib.sha256(archive.read(f"tables/{name}.jsonl")).hexdigest() == table["sha256"]
        notes = [json.loads(text) for text in archive.read("tables/accounts_playernote.jsonl").splitlines()]
        assert archive.read("keys/secret_key") == b"the key of the site"
        assert archive.read("keys/vapid_key") == b"the key of its notices"
    assert [row[manifest["tables"]["accounts_playernote"]["columns"].index("text")] for row in notes] == [ODD]
    rows = sum(rows for rows, _ in checksums().values())
    assert line.startswith(f"{path}: saved and verified ({len(checksums())} tables, {rows} rows,")


def test_a_backup_is_readable_by_its_owner_only_and_leaves_no_draft(
    prepared_site: PreparedSite, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    output_of("backup", str(folder / "club.zip"))

    assert stat.S_IMODE((folder / "club.zip").stat().st_mode) == 0o600
    assert [each.name for each in folder.iterdir()] == ["club.zip"]


def test_a_backup_is_consistent_while_people_play(prepared_site: PreparedSite) -> None:
    before = User.objects.count()
    with snapshot.open_snapshot() as moment:
        people = next(table for table in moment.tables if table.name == "accounts_user")
        assert sum(1 for _ in people.lines(moment.alias)) == before
        User.objects.create_user("carlos")  # the write does not wait for the end of the block
        PlayerNote.objects.all().delete()

        notes = next(table for table in moment.tables if table.name == "accounts_playernote")
        assert sum(1 for _ in notes.lines(moment.alias)) == 1
        assert sum(1 for _ in people.lines(moment.alias)) == before
    assert User.objects.count() == before + 1
    assert snapshot.ALIAS not in connections


def test_an_existing_file_is_not_overwritten(prepared_site: PreparedSite, tmp_path: Path) -> None:
    path = tmp_path / "club.zip"
    path.write_text("mine")

    with pytest.raises(CommandError, match="already exists"):
        output_of("backup", str(path))

    assert path.read_text() == "mine"


def test_a_full_disk_leaves_no_file(prepared_site: PreparedSite, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    PlayerNote.objects.update(text=secrets.token_hex(60_000))
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
    try:
        with pytest.raises(CommandError, match=r"Could not write .*: File too large"):
            output_of("backup", str(folder / "club.zip"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))

    assert list(folder.iterdir()) == []


def test_a_missing_folder_is_reported(prepared_site: PreparedSite, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match=r"Could not write .*: No such file or directory"):
        output_of("backup", str(tmp_path / "nowhere" / "club.zip"))
    with pytest.raises(CommandError, match="Not a directory"):
        output_of("backup", "--to", str(tmp_path / "file" / "kept"))


def test_the_newest_backups_are_kept_and_other_files_stay(prepared_site: PreparedSite, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for name in ("tablero-20200101-000000.zip", "tablero-20210101-000000.zip", "tablero-mine.zip", "notes.txt"):
        (folder / name).write_text("")

    line = output_of("backup", "--to", str(folder), "--keep", "2")

    found = sorted(each.name for each in folder.iterdir())
    assert found[0] == "notes.txt"
    assert found[1] == "tablero-20210101-000000.zip"
    assert found[3:] == ["tablero-mine.zip"]
    assert manifest_of(folder / found[2])["format"] == "tablero-backup/1"
    assert line.endswith(f"Deleted old backup: {folder / 'tablero-20200101-000000.zip'}\n")


def test_keys_of_the_environment_are_left_out_and_reported(
    prepared_site: PreparedSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "of the environment")
    path = tmp_path / "club.zip"

    assert "they come from environment variables: SECRET_KEY." in output_of("backup", str(path))

    assert manifest_of(path)["keys"]["secret_key"] == {"in": "environment"}
    assert b"of the environment" not in path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert [name for name in archive.namelist() if name.startswith("keys/")] == ["keys/vapid_key"]


def test_an_empty_database_is_not_backed_up(
    prepared_site: PreparedSite, tmp_path: Path, empty_database: dict[str, Any]
) -> None:
    from tests.ops.prepared_sites import as_default_database

    Path(empty_database["NAME"]).parent.mkdir(exist_ok=True) if "sqlite3" in empty_database["ENGINE"] else None
    with as_default_database(empty_database), pytest.raises(CommandError, match="nothing to back up"):
        output_of("backup", str(tmp_path / "club.zip"))


def test_a_json_value_has_the_same_text_from_every_database() -> None:
    assert (
        canonical_json('{"b": 1e22, "a": [-0.0, 1.50, 1e-7, null]}')
        == '{"a":[0.0,1.5,1e-07,null],"b":10000000000000000000000}'
    )
