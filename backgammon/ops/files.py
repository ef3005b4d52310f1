"""Files that are there whole or not at all, on the disk before they have their name, and nobody else's to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from backgammon.ops.errors import Refused


@contextmanager
def written(path: Path, *, over: bool = False) -> Iterator[BinaryIO]:
    """A file to write to (mode 0600), which gets its name when the block ends well. Raises Refused.

    Without `over` a file that is there already is left alone.
    """
    if not over and path.exists():
        raise Refused("keep_exists", params={"path": path})
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if not over and path.exists():
                raise Refused("keep_exists", params={"path": path})
            belongs_to_the_folder(draft)
            draft.replace(path)
            synced(path.parent)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise Refused("keep_unwritten", params={"path": path, "why": error.strerror or error}) from error


def synced(path: Path) -> None:
    """Returns when a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def belongs_to_the_folder(path: Path) -> None:
    """What root makes in the folder of somebody else is his: the site must be able to read it."""
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)
