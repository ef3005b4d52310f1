"""Write files atomically: complete and synced to disk before they get their name, readable by their owner only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from backgammon.ops.errors import Refused


@contextmanager
def atomic_file(path: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Open a new file (mode 0600) that gets its name when the block ends without an error. Raises Refused.

    Without `overwrite` an existing file is refused.
    """
    if not overwrite and path.exists():
        raise Refused("keep_exists", params={"path": path})
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if not overwrite and path.exists():
                raise Refused("keep_exists", params={"path": path})
            match_folder_owner(draft)
            draft.replace(path)
            fsync_path(path.parent)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise Refused("keep_unwritten", params={"path": path, "why": error.strerror or error}) from error


def fsync_path(path: Path) -> None:
    """Sync a file, or the names in a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def match_folder_owner(path: Path) -> None:
    """When running as root, give a file to the owner of its folder, so that the site can read it."""
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)
