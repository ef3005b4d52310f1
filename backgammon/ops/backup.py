"""Backups: the whole site at one moment in one file, made while the site runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from backgammon.ops import archive, snapshot
from backgammon.ops.atomic_files import atomic_file
from backgammon.ops.errors import Refused
from backgammon.ops.secret_keys import KEYS

NAME = re.compile(r"tablero-\d{8}-\d{6}\.zip")


@dataclass(frozen=True)
class BackupResult:
    """A backup that was written and verified by reading it written."""

    path: Path
    manifest: dict[str, Any]
    size: int
    removed: list[Path]

    @property
    def rows(self) -> int:
        return sum(entry["rows"] for entry in self.manifest["tables"].values())

    @property
    def keys_in_environment(self) -> list[str]:
        """The environment variables whose keys are not in the file."""
        return [key.variable for key in KEYS if self.manifest["keys"].get(key.name, {}).get("in") == "environment"]


def timestamped_name() -> str:
    """Return a file name with the present time, so that backups in a folder sort by age."""
    return datetime.now(UTC).strftime("tablero-%Y%m%d-%H%M%S.zip")


def backup_take(*, path: Path, keep: int | None = None) -> BackupResult:
    """Write everything committed so far to a file. Raises Refused.

    The file gets its name only after it was read again and verified, so every named file is a good backup. With
    `keep`, only that many of the newest timestamped backups stay in the folder.
    """
    with snapshot.open_snapshot() as current, atomic_file(path) as file:
        manifest = archive.write(file, current, taken_at=datetime.now(UTC).isoformat(timespec="seconds"))
        size = file.tell()
        with archive.open_backup(path, file) as written:
            if written.manifest != manifest:
                raise written.damaged_error(archive.MANIFEST)
            written.check()
    return BackupResult(path, manifest, size, _remove_older(path, keep) if keep else [])


def _remove_older(path: Path, keep: int) -> list[Path]:
    """Delete all but the newest backups beside `path`, never `path` itself. Returns what was deleted."""
    others = sorted(other for other in path.parent.iterdir() if NAME.fullmatch(other.name) and other != path)
    old = others[: max(0, len(others) - (keep - 1))]
    try:
        for file in old:
            file.unlink()
    except OSError as error:
        raise Refused("keep_unwritten", params={"path": file, "why": error.strerror or error}) from error
    return old
