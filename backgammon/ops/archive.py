"""A backup as a file: a zip with the lines of every table, the keys, and a manifest that seals them all.

`manifest.json` says with which version it was made, in which state the tables were (their migrations), and for each
table its columns, rows and SHA-256. `docs/keeping.md` describes the file for those who read it without Tablero.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings

from backgammon.ops import states
from backgammon.ops.errors import Refused
from backgammon.ops.keys import KEYS
from backgammon.ops.snapshot import Snapshot
from backgammon.ops.states import State
from backgammon.ops.tables import Seal

FORMAT = "tablero-backup/1"
MANIFEST = "manifest.json"
LARGEST_MANIFEST = 2**24  # bytes; more is none of ours
BUNDLE = 2**18  # bytes that go into the zip at a time
LEVEL = 4  # of 9: beyond it a backup takes longer and hardly shrinks
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError, ValueError)


def version() -> str:
    """The version of this Tablero."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def member(table: str) -> str:
    """Where the lines of a table are in the zip."""
    return f"tables/{table}.jsonl"


def write(file: BinaryIO, snapshot: Snapshot, *, taken_at: str) -> dict[str, Any]:
    """Write a snapshot and the keys. Returns the manifest."""
    sealed: dict[str, Any] = {}
    last = snapshot.last_numbers()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for table in snapshot.tables:
            seal = Seal()
            with archive.open(member(table.name), "w", force_zip64=True) as out:
                bundle = bytearray()
                for line in seal.over(table.lines(snapshot.alias)):
                    bundle += line
                    bundle += b"\n"
                    if len(bundle) > BUNDLE:
                        out.write(bundle)
                        bundle.clear()
                out.write(bundle)
            sealed[table.name] = {"columns": table.columns, "rows": seal.rows, "sha256": seal.sha256}
            if table.name in last:
                sealed[table.name]["last_number"] = last[table.name]
        keys: dict[str, Any] = {}
        for key in KEYS:
            if key.in_environment:
                keys[key.name] = {"in": "environment"}
            elif text := key.kept():
                keys[key.name] = {"in": "backup", "sha256": hashlib.sha256(text).hexdigest()}
                archive.writestr(f"keys/{key.name}", text)
        manifest = {
            "format": FORMAT,
            "version": version(),
            "taken_at": taken_at,
            "database": snapshot.vendor,
            "migrations": states.listed(snapshot.state),
            "tables": sealed,
            "keys": keys,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return manifest


@dataclass(frozen=True)
class Backup:
    """An open backup. Whatever is read from it and is not what was written raises Refused."""

    path: Path
    archive: zipfile.ZipFile
    manifest: dict[str, Any]

    @cached_property
    def state(self) -> State:
        return frozenset((app, name) for app, names in self.manifest["migrations"].items() for name in names)

    @property
    def rows(self) -> int:
        return sum(each["rows"] for each in self.manifest["tables"].values())

    def lines(self, table: str) -> Iterator[bytes]:
        """The lines of a table; after the last one it is certain that they are those that were written."""
        sealed = self.manifest["tables"][table]
        seal = Seal()
        try:
            with self.archive.open(member(table)) as file:
                yield from seal.over(line.rstrip(b"\n") for line in file)
        except BROKEN as error:
            raise self.damaged(member(table)) from error
        if (seal.rows, seal.sha256) != (sealed["rows"], sealed["sha256"]):
            raise self.damaged(member(table))

    def key(self, name: str) -> bytes | None:
        """A key that the backup holds; None where it was in the environment, or there was none."""
        told = self.manifest["keys"].get(name, {})
        if told.get("in") != "backup":
            return None
        try:
            text = self.archive.read(f"keys/{name}")
        except BROKEN as error:
            raise self.damaged(f"keys/{name}") from error
        if hashlib.sha256(text).hexdigest() != told["sha256"]:
            raise self.damaged(f"keys/{name}")
        return text

    def check(self) -> None:
        """Read everything once. Raises Refused where something is not what was written."""
        for table in self.manifest["tables"]:
            for _ in self.lines(table):
                pass
        for name in self.manifest["keys"]:
            self.key(name)

    def damaged(self, what: str) -> Refused:
        return Refused("keep_damaged", params={"path": self.path, "what": what})


@contextmanager
def opened(path: Path, file: BinaryIO | None = None) -> Iterator[Backup]:
    """A backup to read. Raises Refused for everything that is none, or is of a newer version than this one."""
    with _zip(path, file) as archive:
        backup = Backup(path, archive, _manifest(path, archive))
        if strange := states.unknown(backup.state):
            told = {"path": path, "version": backup.manifest["version"], "what": strange[0]}
            raise Refused("keep_newer", params=told)
        yield backup


def _zip(path: Path, file: BinaryIO | None) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file or path)
    except OSError as error:
        raise Refused("keep_unread", params={"path": path, "why": error.strerror or error}) from error
    except BROKEN as error:
        raise Refused("keep_no_backup", params={"path": path}) from error


def _manifest(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise ValueError(MANIFEST)
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
        _check_manifest(manifest, path)
    except BROKEN as error:
        raise Refused("keep_no_backup", params={"path": path}) from error
    return manifest


def _check_manifest(manifest: Any, path: Path) -> None:
    """Raises Refused, or ValueError or KeyError for a manifest of another shape."""
    if not isinstance(manifest, dict) or not str(manifest["format"]).startswith("tablero-backup/"):
        raise ValueError("no manifest of ours")
    if manifest["format"] != FORMAT:
        raise Refused("keep_format", params={"path": path, "version": manifest["version"]})
    for name in ("migrations", "tables", "keys"):
        if not isinstance(manifest[name], dict):
            raise ValueError(name)
    for app, names in manifest["migrations"].items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(app)
    for table, told in manifest["tables"].items():
        if not isinstance(told, dict) or not isinstance(told["rows"], int) or not isinstance(told["columns"], list):
            raise ValueError(table)
        if not isinstance(told["sha256"], str) or not isinstance(told.get("last_number", 0), int):
            raise ValueError(table)
    for key, told in manifest["keys"].items():
        if not isinstance(told, dict) or not isinstance(told.get("sha256", ""), str):
            raise ValueError(key)
