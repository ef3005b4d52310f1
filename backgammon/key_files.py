"""The keys that a site makes for itself, each in a file of `var/` that is created once, readable by its owner only."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class EmptyKeyFile(ValueError):
    """There is a file for the key, and nothing in it."""


def read_or_create(path: Path, new_key: Callable[[], str]) -> str:
    """Return the key in the file `path`; without such a file create it with `new_key()`, also its folder.

    All of several processes that do so at once return the same key: a file gets its name only when it is whole and
    on the disk, and the first one stays. Raises EmptyKeyFile, and OSError if the file cannot be read or written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(new_key())
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):  # then another process was first
                os.link(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    key = path.read_text().strip()
    if not key:
        raise EmptyKeyFile(f"{path} is empty: delete it to have a new key made")
    return key
