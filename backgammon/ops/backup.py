"""A backup: everything that a site is, at one moment, in one file, taken while people play."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from backgammon.ops import archive, snapshot
from backgammon.ops.errors import Refused
from backgammon.ops.files import written
from backgammon.ops.keys import KEYS

NAME = re.compile(r"tablero-\d{8}-\d{6}\.zip")


@dataclass(frozen=True)
class Taken:
    """A backup that was written, read again and found whole."""

    path: Path
    manifest: dict[str, Any]
    size: int
    removed: list[Path]

    @property
    def rows(self) -> int:
        return sum(each["rows"] for each in self.manifest["tables"].values())

    @property
    def keys_in_environment(self) -> list[str]:
        """The variables whose keys the file does not hold."""
        return [key.variable for key in KEYS if self.manifest["keys"].get(key.name, {}).get("in") == "environment"]


def name_now() -> str:
    """A name by which backups in one folder stand in their order."""
    return datetime.now(UTC).strftime("tablero-%Y%m%d-%H%M%S.zip")


def backup_take(*, path: Path, keep: int | None = None) -> Taken:
    """Write the site to a file: all that was committed when this begins is in it. Raises Refused.

    The file gets its name when it was read again and is whole, so that a name stands for a good backup. With `keep`,
    of those in the folder that are named by their time only so many of the newest stay.
    """
    with snapshot.taken() as moment, written(path) as file:
        manifest = archive.write(file, moment, taken_at=datetime.now(UTC).isoformat(timespec="seconds"))
        size = file.tell()
        with archive.opened(path, file) as again:
            if again.manifest != manifest:
                raise again.damaged(archive.MANIFEST)
            again.check()
    return Taken(path, manifest, size, _forget_older(path, keep) if keep else [])


def _forget_older(path: Path, keep: int) -> list[Path]:
    """Remove all but the newest ones beside a backup, itself never. Returns what was removed."""
    found = sorted(each for each in path.parent.iterdir() if NAME.fullmatch(each.name) and each != path)
    old = found[: max(0, len(found) - (keep - 1))]
    try:
        for each in old:
            each.unlink()
    except OSError as error:
        raise Refused("keep_unwritten", params={"path": each, "why": error.strerror or error}) from error
    return old
