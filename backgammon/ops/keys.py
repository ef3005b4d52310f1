"""The keys of a site that live beside its database, in files of `var/`, unless the environment has them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from backgammon.ops.files import written
from backgammon.ops.places import stamp


@dataclass(frozen=True)
class Key:
    """A key: its file in `var/`, and the variable of the environment that is stronger than the file."""

    name: str
    variable: str

    @property
    def path(self) -> Path:
        return Path(settings.VAR_DIR) / self.name

    @property
    def in_environment(self) -> bool:
        return bool(os.environ.get(self.variable))

    def kept(self) -> bytes | None:
        """What stands in the file; None where there is none."""
        return self.path.read_bytes() if self.path.exists() else None

    def put(self, key: bytes, *, aside: bool) -> Path | None:
        """Write the file. Returns where another key is now that stood in it, if it is worth keeping (`aside`)."""
        old = self.kept()
        if old == key:
            return None
        place = None
        if old is not None and aside:
            place = self.path.with_name(f"{self.name}.before_{stamp()}")
            with written(place) as file:
                file.write(old)
        with written(self.path, over=True) as file:
            file.write(key)
        return place


KEYS = (
    Key("secret_key", "SECRET_KEY"),
    Key("vapid_key", "VAPID_PRIVATE_KEY"),
    Key("oidc_key.pem", "OIDC_PRIVATE_KEY"),
)
