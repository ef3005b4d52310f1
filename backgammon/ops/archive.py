"""The backup file: a zip with the rows of every table, the secret keys, and a manifest with checksums of all of them.

`manifest.json` names the version, the applied migrations, and the columns, row count and SHA-256 of each table.
`docs/backup.md` documents the format for other programs.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from backgammon import __version__
from backgammon.ops import migration_state
from backgammon.ops.errors import Refused
from backgammon.ops.migration_state import State
from backgammon.ops.secret_keys import KEYS
from backgammon.ops.snapshot import Snapshot
from backgammon.ops.table_dump import Checksum

FORMAT = "tablero-backup/1"
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 2**24  # bytes; Tablero writes none that large
CHUNK = 2**18  # bytes written to the zip at a time
LEVEL = 4  # of 9: higher levels take longer and hardly save space
READ_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError)


def member_name(table: str) -> str:
    """Return the name of a table's file in the zip."""
    return f"tables/{table}.jsonl"


def write(file: BinaryIO, snapshot: Snapshot, *, taken_at: str) -> dict[str, Any]:
    """Write a snapshot and the secret keys to `file`. Returns the manifest."""
    described: dict[str, Any] = {}
    last_ids = snapshot.last_ids()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for table in snapshot.tables:
            checksum = Checksum()
            with archive.open(member_name(table.name), "w", force_zip64=True) as out:
                chunk = bytearray()
                for line in checksum.update_from(table.lines(snapshot.alias)):
                    chunk += line
                    chunk += b"\n"
                    if len(chunk) > CHUNK:
                        out.write(chunk)
                        chunk.clear()
                out.write(chunk)
            described[table.name] = {"columns": table.columns, "rows": checksum.rows, "sha256": checksum.sha256}
            if table.name in last_ids:
                described[table.name]["last_number"] = last_ids[table.name]
        keys: dict[str, Any] = {}
        for key in KEYS:
            if key.in_environment:
                keys[key.name] = {"in": "environment"}
            elif text := key.read():
                keys[key.name] = {"in": "backup", "sha256": hashlib.sha256(text).hexdigest()}
                archive.writestr(f"keys/{key.name}", text)
        manifest = {
            "format": FORMAT,
            "version": __version__,
            "taken_at": taken_at,
            "database": snapshot.vendor,
            "migrations": migration_state.as_lists(snapshot.state),
            "tables": described,
            "keys": keys,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return manifest


@dataclass(frozen=True)
class Backup:
    """An open backup. Reading something that differs from what was written raises Refused."""

    path: Path
    archive: zipfile.ZipFile
    manifest: dict[str, Any]

    @cached_property
    def state(self) -> State:
        return frozenset((app, name) for app, names in self.manifest["migrations"].items() for name in names)

    @property
    def rows(self) -> int:
        return sum(entry["rows"] for entry in self.manifest["tables"].values())

    def lines(self, table: str) -> Iterator[bytes]:
        """Yield the lines of a table. Raises Refused after the last one if they are not those that were written."""
        expected = self.manifest["tables"][table]
        checksum = Checksum()
        try:
            with self.archive.open(member_name(table)) as file:
                yield from checksum.update_from(line.rstrip(b"\n") for line in file)
        except READ_ERRORS as error:
            raise self.damaged_error(member_name(table)) from error
        if (checksum.rows, checksum.sha256) != (expected["rows"], expected["sha256"]):
            raise self.damaged_error(member_name(table))

    def key(self, name: str) -> bytes | None:
        """Return a secret key from the backup; None if it was in the environment or there was none."""
        entry = self.manifest["keys"].get(name, {})
        if entry.get("in") != "backup":
            return None
        try:
            text = self.archive.read(f"keys/{name}")
        except READ_ERRORS as error:
            raise self.damaged_error(f"keys/{name}") from error
        if hashlib.sha256(text).hexdigest() != entry["sha256"]:
            raise self.damaged_error(f"keys/{name}")
        return text

    def check(self) -> None:
        """Read everything once. Raises Refused where something differs from what was written."""
        for table in self.manifest["tables"]:
            for _ in self.lines(table):
                pass
        for name in self.manifest["keys"]:
            self.key(name)

    def damaged_error(self, part: str) -> Refused:
        return Refused("keep_damaged", params={"path": self.path, "part": part})


@contextmanager
def open_backup(path: Path, file: BinaryIO | None = None) -> Iterator[Backup]:
    """Open a backup for reading. Raises Refused for other files, and for backups of a newer version."""
    with _zip(path, file) as archive:
        backup = Backup(path, archive, _manifest(path, archive))
        if unknown := migration_state.unknown(backup.state):
            params = {"path": path, "version": backup.manifest["version"], "part": unknown[0]}
            raise Refused("keep_newer", params=params)
        yield backup


def _zip(path: Path, file: BinaryIO | None) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file or path)
    except OSError as error:
        raise Refused("keep_unread", params={"path": path, "why": error.strerror or error}) from error
    except READ_ERRORS as error:
        raise Refused("keep_no_backup", params={"path": path}) from error


def _manifest(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise ValueError(MANIFEST)
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
        _check_manifest(manifest, path)
    except READ_ERRORS as error:
        raise Refused("keep_no_backup", params={"path": path}) from error
    return manifest


def _check_manifest(manifest: Any, path: Path) -> None:
    """Raises Refused, or ValueError or KeyError for a manifest of another shape."""
    if not isinstance(manifest, dict) or not str(manifest["format"]).startswith("tablero-backup/"):
        raise ValueError("not a Tablero manifest")
    if manifest["format"] != FORMAT:
        raise Refused("keep_format", params={"path": path, "version": manifest["version"]})
    for name in ("migrations", "tables", "keys"):
        if not isinstance(manifest[name], dict):
            raise ValueError(name)
    for app, names in manifest["migrations"].items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(app)
    for table, entry in manifest["tables"].items():
        if not isinstance(entry, dict) or not isinstance(entry["rows"], int) or not isinstance(entry["columns"], list):
            raise ValueError(table)
        if not isinstance(entry["sha256"], str) or not isinstance(entry.get("last_number", 0), int):
            raise ValueError(table)
    for key, entry in manifest["keys"].items():
        if not isinstance(entry, dict) or not isinstance(entry.get("sha256", ""), str):
            raise ValueError(key)
