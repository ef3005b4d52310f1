"""The secret keys of a site: files in `var/`, unless environment variables set them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from backgammon.ops.atomic_files import atomic_file
from backgammon.ops.paths import timestamp


@dataclass(frozen=True)
class Key:
    """A secret key: its file in `var/`, and the environment variable that overrides the file."""

    name: str
    variable: str

    @property
    def path(self) -> Path:
        return Path(settings.VAR_DIR) / self.name

    @property
    def in_environment(self) -> bool:
        return bool(os.environ.get(self.variable))

    def read(self) -> bytes | None:
        """Return the content of the file; None if there is none."""
        return self.path.read_bytes() if self.path.exists() else None

    def write(self, key: bytes, *, keep_old: bool) -> Path | None:
        """Write the file. With `keep_old` a different key in it is kept; returns the file it is in now."""
        old = self.read()
        if old == key:
            return None
        old_path = None
        if old is not None and keep_old:
            old_path = self.path.with_name(f"{self.name}.before_{timestamp()}")
            with atomic_file(old_path) as file:
                file.write(old)
        with atomic_file(self.path, overwrite=True) as file:
            file.write(key)
        return old_path


KEYS = (
    Key("secret_key", "SECRET_KEY"),
    Key("vapid_key", "VAPID_PRIVATE_KEY"),
    Key("oidc_key.pem", "OIDC_PRIVATE_KEY"),
)
